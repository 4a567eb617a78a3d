"""Pools of the shapes of Solidly and Slipstream on a sandbox chain, at the market's prices."""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import replace

from rhumbline.devnet.artifacts import contract_codes
from rhumbline.devnet.evm.fork_pools import SPACINGS, ForkPools, deploy_fork_pools
from rhumbline.devnet.evm.operator import encoded, unlocked
from rhumbline.devnet.evm.pools import raw_amount, sqrt_price_x96
from rhumbline.liquidity.kinds.pools import PoolKind, PoolSource
from rhumbline.liquidity.kinds.tick_math import MAX_TICK, sqrt_price_at
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.sandbox_fixture import CACHE

SOLIDLY = (("USDC", "USDT", True), ("USDC", "DAI", True), ("USDC", "USDT", False), ("WETH", "USDC", False),
           ("WETH", "WBTC", False))  # fmt: skip
SLIPSTREAM = (
    ("WETH", "USDC", 100),
    ("WETH", "USDC", 200),
    ("USDC", "USDT", 1),
    ("USDC", "DAI", 1),
    ("WETH", "WBTC", 50),
)
_ETHER = 10**18
_USD, _RANGE_USD = 3_000_000, 450_000
_WIDTHS = (40, 8, 1)


async def with_forks(fixture: AdapterFixture, *, alone: Collection[PoolKind] = ()) -> AdapterFixture:
    """The same chain with pools of both kinds to choose from; ``alone``: with those of these kinds and no others."""
    operator = await unlocked(fixture.rpc, fixture.account, 10**9 * _ETHER)
    forks = await deploy_fork_pools(operator, await contract_codes(CACHE, lambda _: None))
    for symbol, token in fixture.tokens.items():
        if symbol == "WETH":
            await operator.send(token.address, encoded("deposit()"), 10**6 * _ETHER)
        elif symbol != "ETH":
            await operator.send(token.address, encoded("mint(address,uint256)", operator.address, 10**30))
        if symbol != "ETH":
            await operator.send(token.address, encoded("approve(address,uint256)", forks.position_manager, 2**255))
    for first, second, stable in SOLIDLY:
        tokens = [fixture.tokens[symbol].address for symbol in (first, second)]
        await forks.solidly(tokens, [raw_amount(symbol, _USD) for symbol in (first, second)], stable=stable)
    for number, (first, second, spacing) in enumerate(SLIPSTREAM):
        await _fill(fixture, forks, (first, second), spacing, 30 * number)
    own = (
        PoolSource("SOLIDLY", PoolKind.SOLIDLY, forks.solidly_factory),
        PoolSource("SLIPSTREAM", PoolKind.SLIPSTREAM, forks.slipstream_factory, tuple((0, each) for each in SPACINGS)),
    )
    sources = [each for each in (*fixture.deployment.sources, *own) if not alone or each.kind in alone]
    return fixture.choosing_from(replace(fixture.deployment, sources=tuple(sources)))


async def _fill(fixture: AdapterFixture, forks: ForkPools, symbols: tuple[str, str], spacing: int, shift: int) -> None:
    """Create a pool of Slipstream's, with ranges around its price, which ``shift`` moves, in 0.01 bp."""
    first, second = sorted(symbols, key=lambda each: int(fixture.tokens[each].address, 16))
    tokens = [fixture.tokens[symbol].address for symbol in (first, second)]
    price = sqrt_price_x96(first, second, shift, first_is_token0=True)
    await forks.slipstream(tokens, spacing, price)
    usable = range(-(MAX_TICK // spacing) * spacing, MAX_TICK, spacing)
    tick = usable[bisect_right(usable, price, key=sqrt_price_at) - 1]
    for width in _WIDTHS:
        ticks = tick - width * spacing, tick + (width + 1) * spacing
        await forks.add(tokens, spacing, ticks, [raw_amount(symbol, _RANGE_USD) for symbol in (first, second)])
