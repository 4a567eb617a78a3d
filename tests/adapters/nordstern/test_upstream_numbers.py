"""Each number of Nordstern's that the guard or the wallet acts on, raised to its type's largest, or let down."""

import pytest

from rhumbline.domain.errors import UpstreamFailed
from tests.adapters.exchanges.stub_upstream import REQUEST, StubUpstream
from tests.adapters.nordstern.case import OUTPUT, changed_call

U128 = 2**128 - 1


@pytest.mark.parametrize(("field", "value"), [
    ("gasEstimate", str(10**12 + 1)), ("gasEstimate", "9" * 18), ("toAmount", str(2**256 - 1)), ("toAmount", "1"),
    ("fromAmount", str(2**256 - 1)),
])  # fmt: skip
async def test_a_number_of_an_answer_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: str
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.says(field, value)
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("field", "place", "value"), [
    ("amountIn", 26, U128), ("minAmountOut", 42, 0), ("minAmountOut", 42, OUTPUT + 1), ("minAmountOut", 42, U128),
])  # fmt: skip
async def test_a_number_of_a_call_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, place: int, value: int
) -> None:
    stub_upstream.says_call(changed_call(stub_upstream.call(), place, value.to_bytes(16)))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(REQUEST)


async def test_a_tx_value_is_the_input_s(stub_upstream: StubUpstream) -> None:
    stub_upstream.says("tx.value", str(2**256 - 1))
    with pytest.raises(UpstreamFailed, match="native value"):
        await stub_upstream.adapter.quote(REQUEST)
