"""What a quote promises is what its transaction delivers, to the wei, in direct form through SwapRouter02."""

from dataclasses import replace

import pytest

from rhumbline.adapters.uniswap.plans import SwapPlan, UniswapPlan
from rhumbline.adapters.uniswap.pools import Version
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import CallKind
from rhumbline.gateways.evm.rpc import RpcError
from tests.adapters.uniswap.desk import STRANGER, Desk

ONE = 10**18


def versions(quote: Quote[UniswapPlan]) -> list[Version]:
    assert isinstance(quote.payload, SwapPlan)
    return [hop.pool.version for hop in quote.payload.hops]


async def deliver(desk: Desk, quote: Quote[UniswapPlan]) -> None:
    """Execute, and find exactly the quoted output with the recipient, nothing with the router."""
    gained, gas = await desk.swap(quote)
    assert gained == quote.output_amount
    assert quote.gas_units is not None
    assert quote.gas_units * 0.6 < gas < quote.gas_units * 1.4
    for token in desk.tokens.values():
        assert await desk.balance(token, desk.deployment.router) == 0


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
    desk: Desk, origin: str, destination: str, amount: int, pools: str
) -> None:
    if pools == "v2":
        desk = desk.choosing_from(replace(desk.deployment, v3_factory=None))
    elif pools == "v3":
        desk = desk.choosing_from(replace(desk.deployment, v2_factory=None))
    quote = await desk.quote(origin, destination, amount, STRANGER)
    if pools != "all":
        assert set(versions(quote)) == {Version[pools.upper()]}
    await deliver(desk, quote)


@pytest.mark.parametrize(("origin", "destination"), [("USDC", "WBTC"), ("USDC", "ETH"), ("ETH", "WBTC")])
async def test_paths_of_both_versions_deliver_the_quote(desk: Desk, origin: str, destination: str) -> None:
    """Prices are pushed until the best path mixes the versions, in either order."""
    seen = set()
    v3 = desk.choosing_from(replace(desk.deployment, v2_factory=None, anchors=()))
    # WETH becomes dear in V3 against USDC: its V2 pair is the better first hop, and the worse one back.
    pushes = [("USDC", "WETH", 400_000 * 10**6), ("WETH", "USDC", 400 * ONE), ("WETH", "WBTC", 60 * ONE)]
    await desk.mint("USDC", 2_000_000 * 10**6)
    await desk.mint("WETH", 1_000 * ONE)
    through = {"USDC": "DAI", "ETH": "USDT", "WBTC": "DAI"}
    for push_in, push_out, amount in pushes:
        await v3.swap(await v3.quote(push_in, push_out, amount, STRANGER))
        for token_in, token_out in ((origin, destination), (destination, origin), (origin, through[destination])
                                    if destination in through else (origin, destination)):  # fmt: skip
            quote = await desk.quote(token_in, token_out, {"USDC": 10**9, "ETH": ONE, "WBTC": 10**6}[token_in])
            seen.add(tuple(dict.fromkeys(versions(quote))))
            gained, _ = await desk.swap(replace(quote, request=replace(quote.request, recipient=STRANGER)))
            assert gained == quote.output_amount
    assert any(len(each) == 2 for each in seen), seen


@pytest.mark.parametrize(("origin", "destination"), [("ETH", "WETH"), ("WETH", "ETH")])
async def test_wrapping_is_one_for_one(desk: Desk, origin: str, destination: str) -> None:
    quote = await desk.quote(origin, destination, ONE)
    assert quote.output_amount == ONE
    built = await desk.build(quote)
    assert built.kind is (CallKind.WRAP if origin == "ETH" else CallKind.UNWRAP)
    assert built.spender is None
    before = await desk.balance(desk.tokens["WETH"], desk.account)
    await desk.send(built.to, built.data, built.value)
    change = ONE if origin == "ETH" else -ONE
    assert await desk.balance(desk.tokens["WETH"], desk.account) == before + change


async def test_the_minimum_and_the_deadline_hold_on_chain(desk: Desk) -> None:
    quote = await desk.quote("ETH", "USDC", ONE, STRANGER)
    built = await desk.build(quote)
    late = await desk.build(replace(quote, request=replace(quote.request, deadline=1)))
    with pytest.raises(RpcError, match="Transaction too old"):
        await desk.send(late.to, late.data, late.value)
    # Somebody else is first.
    await desk.swap(await desk.quote("ETH", "USDC", ONE, STRANGER))
    with pytest.raises(RpcError, match="Too little received"):
        await desk.send(built.to, built.data, built.value)
