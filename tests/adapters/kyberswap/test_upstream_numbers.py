"""Each number of KyberSwap's that the router or the wallet acts on, raised to its type's largest, or let down."""

import pytest

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.exchanges.stub_upstream import REQUEST, StubUpstream
from tests.adapters.kyberswap.case import BUILD, MINIMUM, OUTPUT, changed_call

LARGEST = 2**256 - 1


@pytest.mark.parametrize(("field", "value"), [
    ("gas", 10**12 + 1), ("gas", LARGEST), ("gas", -1), ("amountIn", LARGEST), ("amountOut", 0),
])  # fmt: skip
async def test_a_number_of_a_route_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: int
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.says(f"data.routeSummary.{field}", str(value))
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("field", "place", "value"), [
    ("desc.amount", 7, LARGEST), ("desc.minReturnAmount", 8, MINIMUM - 1), ("desc.minReturnAmount", 8, OUTPUT + 1),
    ("desc.minReturnAmount", 8, LARGEST), ("desc.flags", 9, LARGEST), ("desc.srcAmounts", 3, (LARGEST,)),
])  # fmt: skip
async def test_a_number_of_a_call_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, place: int, value: object
) -> None:
    await stub_upstream.built()
    stub_upstream.says_call(changed_call(stub_upstream.call(), {place: value}))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.built()


async def test_a_transaction_value_is_the_input_s(stub_upstream: StubUpstream) -> None:
    stub_upstream.says("data.transactionValue", str(LARGEST), BUILD)
    with pytest.raises(UpstreamFailed, match="native value"):
        await stub_upstream.built()
