"""Each number of OpenOcean's that the exchange or the wallet acts on, raised to its type's largest, or let down."""

import pytest

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.exchanges.stub_upstream import REQUEST, StubUpstream
from tests.adapters.openocean.case import MINIMUM, OUTPUT, changed_call

LARGEST = 2**256 - 1


@pytest.mark.parametrize(("field", "value"), [
    ("estimatedGas", 10**12 + 1), ("estimatedGas", LARGEST), ("estimatedGas", -1), ("value", str(LARGEST)),
    ("gmxFee", str(LARGEST)), ("rfqDeadline", LARGEST), ("inAmount", str(LARGEST)), ("outAmount", str(LARGEST)),
])  # fmt: skip
async def test_a_number_of_an_answer_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: object
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.says(f"data.{field}", value)
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("field", "place", "value"), [
    ("description.amount", 4, LARGEST), ("description.minReturnAmount", 5, MINIMUM - 1),
    ("description.minReturnAmount", 5, OUTPUT + 1), ("description.minReturnAmount", 5, LARGEST),
    ("description.flags", 7, LARGEST),
])  # fmt: skip
async def test_a_number_of_a_call_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, place: int, value: int
) -> None:
    stub_upstream.says_call(changed_call(stub_upstream.call(), {place: value}))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(REQUEST)
