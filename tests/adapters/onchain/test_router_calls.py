"""Calls of the router read back as they were written, and others are refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.onchain.plans import SwapPlan, verify
from rhumbline.adapters.onchain.router_calls import Leg, Payout, RouterCall, decode, encode, plan_call
from rhumbline.domain.errors import RequestRejected
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.market import Hop
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture

POOLS = st.sampled_from([(PoolKind.V2, 0), (PoolKind.V3, 100), (PoolKind.V3, 10000)])


TOKENS = tuple(checksummed(f"0x{number:040x}") for number in range(1000, 1010))


@st.composite
def hop_lists(draw: st.DrawFn) -> tuple[Hop, ...]:
    pools = draw(st.lists(POOLS, min_size=1, max_size=3))
    return tuple(
        Hop(Pool(version, TOKENS[9], TOKENS[i], TOKENS[i + 1], fee, 1), TOKENS[i], TOKENS[i + 1], 10 + i, 11 + i)
        for i, (version, fee) in enumerate(pools)
    )


@given(hop_lists(), st.integers(1, 2**256 - 1), st.integers(0, 2**256 - 1), st.booleans(), st.booleans())
def test_calldata_reads_back_as_it_was_written(
    hops: tuple[Hop, ...], minimum: int, deadline: int, native_in: bool, native_out: bool
) -> None:
    call = plan_call(hops, minimum, TOKENS[8], deadline, native_in=native_in, native_out=native_out)
    assert decode(encode(call)) == call
    assert all((leg.amount_in == 0) == (number > 0) for number, leg in enumerate(call.legs))
    assert [leg.minimum for leg in call.legs[:-1]] == [0] * (len(call.legs) - 1)


async def test_calldata_that_differs_from_the_request_is_refused(adapter_fixture: AdapterFixture) -> None:
    """Every field by itself, in a call that is right otherwise."""
    quote = await adapter_fixture.quote("USDT", "WBTC", 10**9, STRANGER)
    plan, request = quote.payload, quote.request
    assert isinstance(plan, SwapPlan)
    right = plan_call(plan.hops, 5, STRANGER, request.deadline, native_in=False, native_out=False)
    verify(encode(right), request, plan, 5, adapter_fixture.deployment)
    (leg,) = right.legs
    other = adapter_fixture.tokens["DAI"].address

    def with_leg(leg: Leg) -> RouterCall:
        return replace(right, legs=(leg,))

    wrong = {
        "amount": with_leg(replace(leg, amount_in=request.amount + 1)),
        "minimum": with_leg(replace(leg, minimum=4)),
        "recipient": with_leg(replace(leg, recipient=adapter_fixture.account)),
        "origin token": with_leg(replace(leg, tokens=(other, *leg.tokens[1:]))),
        "destination token": with_leg(replace(leg, tokens=(*leg.tokens[:-1], other))),
        "path": with_leg(replace(leg, tokens=(leg.tokens[0], other, *leg.tokens[2:]))),
        "choice of pools": with_leg(replace(leg, fees=(500, *leg.fees[1:]))),
        "deadline": replace(right, deadline=request.deadline + 1),
    }
    for what, call in wrong.items():
        with pytest.raises(RequestRejected, match=f"another {what} "):
            verify(encode(call), request, plan, 5, adapter_fixture.deployment)
    with pytest.raises(RequestRejected, match="another recipient"):
        verify(encode(replace(right, payout=Payout(None, 5, STRANGER))), request, plan, 5, adapter_fixture.deployment)
    with pytest.raises(RequestRejected, match="another path"):
        verify(encode(replace(right, legs=())), request, plan, 5, adapter_fixture.deployment)
    with pytest.raises(RequestRejected, match="read back"):
        verify(b"\x00" * 40, request, plan, 5, adapter_fixture.deployment)


def test_calls_that_are_unknown_or_out_of_order_are_not_read() -> None:
    leg = Leg(PoolKind.V2, TOKENS[:2], (), 1, 1, TOKENS[8])
    whole = encode(RouterCall(1, (leg,), Payout(None, 1, TOKENS[8]), True))
    assert decode(whole).refund
    for data in (
        b"",
        whole[:4],
        whole[:-40],
        encode(RouterCall(1, (leg,), None, False)).replace(b"\x47\x2b\x43\xf3", b"\x00" * 4),
    ):
        with pytest.raises(MalformedAnswer):
            decode(data)
