"""What a quote promises is what its transaction delivers, to the wei: through the Diamond, and in direct form."""

import os
import random
from dataclasses import replace
from itertools import pairwise, product

import pytest

from rhumbline.adapters.onchain.plans import OnchainPlan, SwapPlan
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import CallKind
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import Pool, PoolKind, pair_of
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.paths import best_path, pairs_on
from rhumbline.liquidity.snapshots import PoolBook
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture, only

ONE = 10**18
ORDERS = int(os.environ.get("POOL_ORDERS", "12"))


def versions(quote: Quote[OnchainPlan]) -> list[PoolKind]:
    assert isinstance(quote.payload, SwapPlan)
    return [hop.pool.kind for hop in quote.payload.hops]


async def deliver(adapter_fixture: AdapterFixture, quote: Quote[OnchainPlan]) -> None:
    """Execute, and find exactly the quoted output with the recipient, nothing with the router."""
    gained, gas = await adapter_fixture.swap(quote)
    assert gained == quote.output_amount
    assert quote.gas_units is not None
    # The upper end: of pools and ticks that nobody traded with before everything is written for the first time.
    assert quote.gas_units * 0.7 < gas < quote.gas_units * 1.9
    router = adapter_fixture.deployment.router
    assert router is not None
    for token in adapter_fixture.tokens.values():
        assert await adapter_fixture.balance(token, router) == 0


@pytest.mark.parametrize(
    ("origin", "destination", "amount"),
    [
        ("WETH", "USDC", ONE),
        ("USDC", "WETH", 50_000 * 10**6),
        ("ETH", "USDC", ONE),
        ("ETH", "DAI", 300 * ONE),
        ("USDC", "ETH", 10_000 * 10**6),
        ("USDT", "ETH", 20_000 * 10**6),
        ("USDT", "WBTC", 30_000 * 10**6),
        ("ETH", "WBTC", 40 * ONE),
        ("WBTC", "ETH", 10**8),
    ],
)
@pytest.mark.parametrize("pools", ["all", "v2", "v3"])
async def test_every_kind_of_path_delivers_the_quote(
    adapter_fixture: AdapterFixture, origin: str, destination: str, amount: int, pools: str
) -> None:
    if pools == "v2":
        adapter_fixture = adapter_fixture.choosing_from(only(adapter_fixture.deployment, PoolKind.V2))
    elif pools == "v3":
        adapter_fixture = adapter_fixture.choosing_from(only(adapter_fixture.deployment, PoolKind.V3))
    quote = await adapter_fixture.quote(origin, destination, amount, STRANGER)
    if pools != "all":
        assert set(versions(quote)) == {PoolKind[pools.upper()]}
    await deliver(adapter_fixture, quote)


@pytest.mark.parametrize(
    ("origin", "destination", "amount"),
    [("WETH", "USDC", ONE), ("ETH", "DAI", 30 * ONE), ("USDC", "ETH", 50_000 * 10**6), ("USDT", "WBTC", 9 * 10**9)],
)
@pytest.mark.parametrize("by_plan", [True, False])
async def test_gas_is_what_was_estimated_where_pools_were_traded_with_before(
    adapter_fixture: AdapterFixture, origin: str, destination: str, amount: int, by_plan: bool
) -> None:
    """What a pool's first trade costs more is not estimated. Which pools an order takes depends on the price of gas."""
    adapter_fixture = adapter_fixture.by_plan() if by_plan else adapter_fixture
    traded: set[tuple[Pool, str]] = set()
    is_first = True
    while is_first:
        quote = await adapter_fixture.quote(origin, destination, amount, STRANGER)
        assert isinstance(quote.payload, SwapPlan)
        hops = {(hop.pool, hop.token_in) for hop in quote.payload.hops}
        is_first = not hops <= traded
        traded |= hops
        if origin == "ETH":
            await adapter_fixture.rpc.call("anvil_setBalance", [adapter_fixture.account, hex(amount + ONE)])
        else:
            await adapter_fixture.mint(origin, amount)
        _, gas = await adapter_fixture.swap(quote)
    assert quote.gas_units is not None
    assert 0.85 < gas / quote.gas_units < 1.25


@pytest.mark.parametrize("by_plan", [True, False])
async def test_orders_at_random_deliver_the_quote(adapter_fixture: AdapterFixture, by_plan: bool) -> None:
    """Any two tokens, from small change to more than most pools hold; what goes in moves the prices of the next.

    Through the Diamond, whose Executor calls the pools, and through SwapRouter02.
    """
    adapter_fixture = adapter_fixture.by_plan() if by_plan else adapter_fixture
    dice = random.Random(20261124)
    usd = {"ETH": 3000, "WETH": 3000, "WBTC": 60_000, "USDC": 1, "USDT": 1, "DAI": 1}
    split = 0
    for _ in range(ORDERS):
        origin, destination = dice.sample(sorted(usd), 2)
        if {origin, destination} == {"ETH", "WETH"}:
            continue
        amount = int(10 ** (dice.uniform(2, 6) + adapter_fixture.tokens[origin].decimals) / usd[origin])
        quote = await adapter_fixture.quote(origin, destination, amount, STRANGER)
        if origin == "ETH":
            await adapter_fixture.rpc.call("anvil_setBalance", [adapter_fixture.account, hex(amount + ONE)])
        else:
            await adapter_fixture.mint(origin, amount)
        gained, _ = await adapter_fixture.swap(quote)
        assert gained == quote.output_amount
        assert isinstance(quote.payload, SwapPlan)
        split += len({hop.token_in for hop in quote.payload.hops}) < len(quote.payload.hops)
    assert split > ORDERS // 10


async def quote_through(
    adapter_fixture: AdapterFixture, path: tuple[str, ...], through: tuple[PoolKind, ...], amount: int
) -> Quote[OnchainPlan]:
    """A quote of a given path, each hop in a pool of a given version."""
    request = adapter_fixture.request(path[0], path[-1], amount, STRANGER)
    addresses = tuple(
        adapter_fixture.deployment.wrapped_native.address if s == "ETH" else adapter_fixture.tokens[s].address
        for s in path
    )
    book = PoolBook(adapter_fixture.rpc, adapter_fixture.deployment, lambda: 0.0)
    snapshot = await book.newest()
    found = await PoolFinder(adapter_fixture.rpc, adapter_fixture.deployment, lambda: 0.0).find(pairs_on([addresses]))
    chosen = {
        pair_of(*hop): tuple(pool for pool in found[pair_of(*hop)] if pool.kind is kind)[:1]
        for hop, kind in zip(pairwise(addresses), through, strict=True)
    }
    market = Market(chosen, await book.states(snapshot, [pool for pools in chosen.values() for pool in pools]))
    hops = best_path(market, [addresses], amount)
    plan = SwapPlan(hops, snapshot.head.number, snapshot.head.hash)
    gas = market.router_gas(hops, unwraps=path[-1] == "ETH")
    return Quote("ONCHAIN", request, hops[-1].amount_out, plan, gas_units=gas)


@pytest.mark.parametrize(
    ("path", "amount"),
    [
        (("USDT", "USDC", "WETH", "WBTC"), 10**10),
        (("WBTC", "WETH", "USDC", "USDT"), 10**7),
        (("ETH", "USDC", "USDT"), ONE),
        (("USDT", "USDC", "ETH"), 10**9),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else str(value),
)
async def test_every_mixture_of_versions_delivers_the_quote(
    adapter_fixture: AdapterFixture, path: tuple[str, ...], amount: int
) -> None:
    for through in product((PoolKind.V2, PoolKind.V3), repeat=len(path) - 1):
        quote = await quote_through(adapter_fixture, path, through, amount)
        assert tuple(versions(quote)) == through
        await deliver(adapter_fixture, quote)


@pytest.mark.parametrize(("origin", "destination"), [("ETH", "WETH"), ("WETH", "ETH")])
async def test_wrapping_is_one_for_one(adapter_fixture: AdapterFixture, origin: str, destination: str) -> None:
    quote = await adapter_fixture.quote(origin, destination, ONE)
    assert quote.output_amount == ONE
    built = await adapter_fixture.build(quote)
    assert built.kind is (CallKind.WRAP if origin == "ETH" else CallKind.UNWRAP)
    assert built.spender is None
    before = await adapter_fixture.balance(adapter_fixture.tokens["WETH"], adapter_fixture.account)
    await adapter_fixture.send(built.to, built.data, built.value)
    change = ONE if origin == "ETH" else -ONE
    assert await adapter_fixture.balance(adapter_fixture.tokens["WETH"], adapter_fixture.account) == before + change


async def test_the_minimum_and_the_deadline_hold_on_chain(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.quote("ETH", "USDC", ONE, STRANGER)
    built = await adapter_fixture.build(quote)
    late = await adapter_fixture.build(replace(quote, request=replace(quote.request, deadline=1)))
    with pytest.raises(RpcError, match="Transaction too old"):
        await adapter_fixture.send(late.to, late.data, late.value)
    # Somebody else is first.
    await adapter_fixture.swap(await adapter_fixture.quote("ETH", "USDC", ONE, STRANGER))
    with pytest.raises(RpcError, match="Too little received"):
        await adapter_fixture.send(built.to, built.data, built.value)
