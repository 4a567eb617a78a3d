"""A plan of pools is read back as it was written; what the Executor does with it is in contracts/test/Pools.t.sol."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.adapters.onchain.pool_plans import PLACE_SIZES, PlannedHop, decode, encode, planned
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import RequestRejected
from rhumbline.domain.transaction import CallKind
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.liquidity.kinds.kind import HopKind
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.market import Hop
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture

ONE = 10**18
TOKENS = [NATIVE_EVM, *(checksummed(bytes([number]) * 20) for number in range(1, 9))]


@st.composite
def hops(draw: st.DrawFn, sold: int, bought: int) -> PlannedHop:
    kind = draw(st.sampled_from(HopKind))
    share = draw(st.integers(0, 2**32 - 1))
    size = PLACE_SIZES[kind]
    return PlannedHop(kind, share, TOKENS[sold], TOKENS[bought], draw(st.binary(min_size=size, max_size=size)))


@st.composite
def plans(draw: st.DrawFn) -> list[PlannedHop]:
    """Hops from lower tokens to higher ones; the first sells the first token, the last buys the last."""
    last = len(TOKENS) - 1
    ways = draw(st.lists(st.tuples(st.integers(0, last - 1), st.integers(1, last)), max_size=22))
    between = [way for way in ways if way[0] < way[1]]
    return [draw(hops(*way)) for way in ((0, 1), *between, (1, last))]


@given(plans())
def test_a_plan_is_read_back_as_it_was_written(plan: list[PlannedHop]) -> None:
    written = encode(plan)
    assert decode(written) == tuple(plan)
    assert len(written) <= 1 + 20 * 9 + 53 * len(plan)


@given(plans(), st.data())
def test_half_a_plan_and_foreign_bytes_are_refused(plan: list[PlannedHop], data: st.DataObject) -> None:
    written = encode(plan)
    part = data.draw(st.integers(1, 6))
    with pytest.raises(MalformedAnswer):
        decode(written[:-part])
    with pytest.raises(MalformedAnswer):
        decode(written + bytes([99, 0, 0, 0, 0, 0, 1]))


@pytest.mark.parametrize("share", [-1, 2**32])
def test_a_share_that_does_not_fit_is_an_error(share: int) -> None:
    with pytest.raises(ValueError, match="share"):
        encode([PlannedHop(HopKind.WRAP, share, TOKENS[0], TOKENS[1])])


def test_a_plan_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="tokens"):
        encode([])


@pytest.mark.parametrize("way", [(0, 1, 2, 0, 0, 3), (0, 1, 1, 2, 0, 1)])
def test_a_plan_that_buys_its_input_or_sells_its_output_is_an_error(way: tuple[int, ...]) -> None:
    pairs = zip(way[::2], way[1::2], strict=True)
    with pytest.raises(ValueError, match="input"):
        encode([PlannedHop(HopKind.DEPOSIT, 0, TOKENS[sold], TOKENS[bought]) for sold, bought in pairs])


def test_the_input_is_the_first_token_and_the_output_the_last() -> None:
    ways = ((0, 3), (0, 1), (1, 2), (2, 3))
    plan = [PlannedHop(HopKind.DEPOSIT, 1, TOKENS[sold], TOKENS[bought]) for sold, bought in ways]
    assert encode(plan)[: 1 + 4 * 20] == bytes([4]) + b"".join(bytes.fromhex(token[2:]) for token in TOKENS[:4])


WETH, USDC, DAI = TOKENS[1:4]
OURS = Pool(PoolKind.V4, STRANGER, WETH, USDC, 500, 10, id="0x01", native=True)
PLAIN = Pool(PoolKind.V4, STRANGER, WETH, USDC, 500, 10, id="0x02")
PAIR = Pool(PoolKind.V2, STRANGER, WETH, USDC, 3000)
BEYOND = Pool(PoolKind.V2, STRANGER, USDC, DAI, 3000)


def hop(pool: Pool, sold: str, share: int = 0) -> Hop:
    return Hop(pool, sold, pool.other(sold), 1, 1, share)


@pytest.mark.parametrize(
    ("path", "ends", "expected"),
    [
        ([hop(OURS, WETH)], "WETH USDC", ["unwrap", "v4 ETH USDC"]),
        ([hop(OURS, WETH)], "ETH USDC", ["v4 ETH USDC"]),
        ([hop(OURS, USDC)], "USDC WETH", ["v4 USDC ETH", "wrap"]),
        ([hop(OURS, USDC)], "USDC ETH", ["v4 USDC ETH"]),
        ([hop(PLAIN, WETH)], "WETH USDC", ["v4 WETH USDC"]),
        ([hop(PLAIN, WETH)], "ETH USDC", ["wrap", "v4 WETH USDC"]),
        (
            [hop(OURS, WETH, 7), hop(PAIR, WETH, 8), hop(PLAIN, WETH)],
            "ETH USDC",
            ["v4 ETH USDC 7", "wrap", "pair WETH USDC 8", "v4 WETH USDC"],
        ),
        (
            [hop(OURS, WETH, 7), hop(PAIR, WETH)],
            "WETH USDC",
            ["unwrap 7", "v4 ETH USDC", "pair WETH USDC"],
        ),
        (
            [hop(OURS, USDC, 7), hop(PAIR, USDC)],
            "USDC ETH",
            ["v4 USDC ETH 7", "pair USDC WETH", "unwrap"],
        ),
        (
            [hop(PAIR, USDC, 7), hop(OURS, USDC)],
            "USDC ETH",
            ["pair USDC WETH 7", "v4 USDC ETH", "unwrap"],
        ),
        ([hop(BEYOND, DAI), hop(OURS, USDC)], "DAI ETH", ["pair DAI USDC", "v4 USDC ETH"]),
    ],
)  # fmt: skip
def test_native_is_wrapped_and_unwrapped_where_a_pool_holds_the_other(
    path: list[Hop], ends: str, expected: list[str]
) -> None:
    names = {NATIVE_EVM: "ETH", WETH: "WETH", USDC: "USDC", DAI: "DAI"}

    def said(each: PlannedHop) -> str:
        words = [each.kind.name.lower()]
        words += [names[each.sold], names[each.bought]] if each.place else []
        return " ".join(words + ([str(each.share)] if each.share else []))

    origin, destination = ends.split()
    plan = planned(path, WETH, native_in=origin == "ETH", native_out=destination == "ETH")
    assert [said(each) for each in plan] == expected
    assert (names[plan[0].sold], names[plan[-1].bought]) == (origin, destination)
    assert decode(encode(plan)) == plan


async def test_an_order_through_the_diamond_trades_with_its_pools(adapter_fixture: AdapterFixture) -> None:
    """The plan begins and ends with what was ordered; what it may leave of others goes back to the wallet."""
    through = adapter_fixture.by_plan()
    quote = await through.quote("ETH", "WBTC", 40 * ONE, STRANGER)
    built = await through.build(quote)
    assert isinstance(quote.payload, SwapPlan)
    assert (built.kind, built.to, built.value) == (CallKind.POOLS, through.chain.executor, 40 * ONE)
    plan = decode(built.data)
    assert (plan[0].kind, plan[0].sold) == (HopKind.WRAP, NATIVE_EVM)
    assert [checksummed(hop.place[:20]) for hop in plan[1:]] == [hop.pool.address for hop in quote.payload.hops]
    assert set(built.sweep_tokens) == {hop.token_in for hop in quote.payload.hops}
    gained, _ = await through.swap(quote)
    assert gained == quote.output_amount


async def test_a_plan_that_the_executor_would_refuse_is_not_handed_out(adapter_fixture: AdapterFixture) -> None:
    through = adapter_fixture.by_plan()
    quote = await through.quote("WETH", "USDC", ONE, STRANGER)
    assert isinstance(quote.payload, SwapPlan)
    there = quote.payload.hops
    back = replace(there[0], token_in=there[0].token_out, token_out=there[0].token_in)
    with pytest.raises(RequestRejected, match="buys its input"):
        await through.build(replace(quote, payload=replace(quote.payload, hops=(*there, back, *there))))


async def test_who_is_not_the_executor_has_the_router(adapter_fixture: AdapterFixture) -> None:
    built = await adapter_fixture.build(await adapter_fixture.quote("WETH", "USDC", ONE))
    assert (built.kind, built.to) == (CallKind.CALL, adapter_fixture.deployment.router)
