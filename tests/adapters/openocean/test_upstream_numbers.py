"""Each number of OpenOcean's that the exchange or the wallet acts on, raised to its type's largest, or let down."""

import pytest

from rhumbline.adapters.openocean.calldata import SWAP
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.openocean.stub_upstream import REQUEST, StubUpstream, said

LARGEST = 2**256 - 1
MINIMUM, OUTPUT = 2_333_950_506, 2_345_678_901


@pytest.mark.parametrize(("field", "value"), [
    ("estimatedGas", 10**12 + 1), ("estimatedGas", LARGEST), ("estimatedGas", -1), ("value", str(LARGEST)),
    ("gmxFee", str(LARGEST)), ("rfqDeadline", LARGEST), ("inAmount", str(LARGEST)), ("outAmount", str(LARGEST)),
])  # fmt: skip
async def test_a_number_of_an_answer_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: object
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    body = said()
    body["data"][field] = value
    stub_upstream.upstream.says("/swap", body)
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
    body = said()
    caller, description, calls = SWAP.decode(bytes.fromhex(body["data"]["data"][2:]))
    assert isinstance(description, tuple)
    changed = (*description[:place], value, *description[place + 1 :])
    body["data"]["data"] = "0x" + SWAP.encode(caller, changed, calls).hex()
    stub_upstream.upstream.says("/swap", body)
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(REQUEST)
