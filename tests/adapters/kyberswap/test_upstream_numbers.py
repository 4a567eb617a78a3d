"""Each number of KyberSwap's that the router or the wallet acts on, raised to its type's largest, or let down."""

from dataclasses import replace

import pytest

from rhumbline.adapters.kyberswap.calldata import SWAP
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.kyberswap.stub_upstream import REQUEST, StubUpstream, said

MINIMUM, OUTPUT = 2_333_950_505, 2_345_678_900
LARGEST = 2**256 - 1


@pytest.mark.parametrize(("field", "value"), [
    ("gas", 10**12 + 1), ("gas", LARGEST), ("gas", -1), ("amountIn", LARGEST), ("amountOut", 0),
])  # fmt: skip
async def test_a_number_of_a_route_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, value: int
) -> None:
    await stub_upstream.adapter.quote(REQUEST)
    routes = said("routes.json")
    routes["data"]["routeSummary"][field] = str(value)
    stub_upstream.upstream.says("/api/v1/routes", routes)
    with pytest.raises(AdapterError):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(("field", "place", "value"), [
    ("desc.amount", 7, LARGEST), ("desc.minReturnAmount", 8, MINIMUM - 1), ("desc.minReturnAmount", 8, OUTPUT + 1),
    ("desc.minReturnAmount", 8, LARGEST), ("desc.flags", 9, LARGEST), ("desc.srcAmounts", 3, (LARGEST,)),
])  # fmt: skip
async def test_a_number_of_a_call_beyond_its_bound_is_refused(
    stub_upstream: StubUpstream, field: str, place: int, value: object
) -> None:
    quote = replace(await stub_upstream.adapter.quote(REQUEST), min_output_amount=MINIMUM)
    await stub_upstream.adapter.build(quote)
    build = said("build.json")
    (call,) = SWAP.decode(bytes.fromhex(build["data"]["data"][2:]))
    assert isinstance(call, tuple)
    target, approved, packed, description, client = call
    changed = (*description[:place], value, *description[place + 1 :])
    build["data"]["data"] = "0x" + SWAP.encode((target, approved, packed, changed, client)).hex()
    stub_upstream.upstream.says("/api/v1/route/build", build)
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.build(quote)


async def test_a_transaction_value_is_the_input_s(stub_upstream: StubUpstream) -> None:
    quote = replace(await stub_upstream.adapter.quote(REQUEST), min_output_amount=MINIMUM)
    build = said("build.json")
    build["data"]["transactionValue"] = str(LARGEST)
    stub_upstream.upstream.says("/api/v1/route/build", build)
    with pytest.raises(UpstreamFailed, match="native value"):
        await stub_upstream.adapter.build(quote)
