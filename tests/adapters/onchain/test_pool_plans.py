"""A plan of pools is read back as it was written; what the Executor does with it is in contracts/test/Pools.t.sol."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.adapters.onchain.pool_plans import HopKind, PlannedHop, decode, encode
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.transaction import CallKind
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture

ONE = 10**18
TOKENS = [NATIVE_EVM, *(checksummed(bytes([number]) * 20) for number in range(1, 9))]


@st.composite
def hops(draw: st.DrawFn) -> PlannedHop:
    kind = draw(st.sampled_from(HopKind))
    sold, bought = draw(st.lists(st.sampled_from(TOKENS), min_size=2, max_size=2, unique=True))
    share = draw(st.integers(0, 2**32 - 1))
    pool = checksummed(draw(st.binary(min_size=20, max_size=20))) if kind in (0, 2) else None
    return PlannedHop(kind, share, sold, bought, pool, draw(st.integers(0, 2**16 - 1)) if kind == 0 else None)


@given(st.lists(hops(), min_size=1, max_size=24))
def test_a_plan_is_read_back_as_it_was_written(plan: list[PlannedHop]) -> None:
    written = encode(plan)
    assert decode(written) == tuple(plan)
    assert len(written) <= 1 + 20 * 9 + 29 * len(plan)


@given(st.lists(hops(), min_size=1, max_size=4), st.data())
def test_half_a_plan_and_foreign_bytes_are_refused(plan: list[PlannedHop], data: st.DataObject) -> None:
    written = encode(plan)
    part = data.draw(st.integers(1, 6))
    with pytest.raises(MalformedAnswer):
        decode(written[:-part])
    with pytest.raises(MalformedAnswer):
        decode(written + bytes([9, 0, 0, 0, 0, 0, 1]))


@pytest.mark.parametrize("share", [-1, 2**32])
def test_a_share_that_does_not_fit_is_an_error(share: int) -> None:
    with pytest.raises(ValueError, match="share"):
        encode([PlannedHop(HopKind.WRAP, share, TOKENS[0], TOKENS[1])])


def test_a_plan_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="tokens"):
        encode([])


async def test_an_order_through_the_diamond_trades_with_its_pools(adapter_fixture: AdapterFixture) -> None:
    """The plan begins and ends with what was ordered; what it may leave of others goes back to the wallet."""
    through = adapter_fixture.by_plan()
    quote = await through.quote("ETH", "WBTC", 40 * ONE, STRANGER)
    built = await through.build(quote)
    assert isinstance(quote.payload, SwapPlan)
    assert (built.kind, built.to, built.value) == (CallKind.POOLS, through.chain.executor, 40 * ONE)
    plan = decode(built.data)
    assert (plan[0].kind, plan[0].sold) == (HopKind.WRAP, NATIVE_EVM)
    assert [hop.pool for hop in plan[1:]] == [hop.pool.address for hop in quote.payload.hops]
    assert set(built.sweep_tokens) == {hop.token_in for hop in quote.payload.hops}
    gained, _ = await through.swap(quote)
    assert gained == quote.output_amount


async def test_who_is_not_the_executor_has_the_router(adapter_fixture: AdapterFixture) -> None:
    built = await adapter_fixture.build(await adapter_fixture.quote("WETH", "USDC", ONE))
    assert (built.kind, built.to) == (CallKind.CALL, adapter_fixture.deployment.router)
