"""Stable pools and vaults on a sandbox chain, at the market's prices."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from rhumbline.devnet.evm.operator import Operator, encoded, unlocked
from rhumbline.devnet.evm.pools import DECIMALS, raw_amount
from rhumbline.devnet.evm.rate_pools import IMPLEMENTATION, RatePools, StableTerms, deploy_rate_pools
from rhumbline.domain.token import Token
from rhumbline.liquidity.kinds.pools import PoolKind, PoolSource
from tests.adapters.onchain.adapter_fixture import AdapterFixture

STABLE = (("USDC", "USDT", "DAI"), ("USDC", "DAI"))
_ETHER = 10**18
_USD = 4_000_000


@dataclass(frozen=True)
class RateFixture:
    """The chain with new tokens: ``vDAI``, a vault's share, ``STK``, a stake, and ``WSTK``, its wrapped form."""

    adapter: AdapterFixture
    pools: RatePools
    operator: Operator


async def with_rates(fixture: AdapterFixture, *, alone: Collection[PoolKind] = ()) -> RateFixture:
    """The same chain with more pools to choose from; ``alone``: with those of these kinds and no others."""
    operator = await unlocked(fixture.rpc, fixture.account, 10**9 * _ETHER)
    pools = await deploy_rate_pools(operator)
    for symbol in ("USDC", "USDT", "DAI"):
        token = fixture.tokens[symbol].address
        await operator.send(token, encoded("mint(address,uint256)", operator.address, 10**30))
    for symbols in STABLE:
        coins = tuple(fixture.tokens[symbol].address for symbol in symbols)
        decimals = tuple(DECIMALS[symbol] for symbol in symbols)
        amounts = [raw_amount(symbol, _USD + 400_000 * place) for place, symbol in enumerate(symbols)]
        await pools.stable(StableTerms(coins, decimals), amounts)
    dai = fixture.tokens["DAI"].address
    vault = await pools.vault(dai)
    await operator.send(dai, encoded("approve(address,uint256)", vault, 2**255))
    await operator.send(vault, encoded("deposit(uint256,address)", 10**6 * _ETHER, operator.address))
    await operator.send(dai, encoded("transfer(address,uint256)", vault, 123_456_789_012_345_678_901_234))
    stake, wrapped = await pools.stake()
    for holder in (wrapped, operator.address):
        await operator.send(stake, encoded("mint(address,uint256)", holder, 10**24))
    await operator.send(stake, encoded("reward(uint256)", 234_567_890_123_456_789_012_345))
    await operator.send(stake, encoded("approve(address,uint256)", wrapped, 2**255))
    await operator.send(wrapped, encoded("wrap(uint256)", 10**23))
    own = (
        PoolSource("CURVE", PoolKind.CURVE, pools.stable_factory, implementations=(IMPLEMENTATION,)),
        PoolSource("VAULT", PoolKind.VAULT, vault),
        PoolSource("STAKE", PoolKind.STAKE, wrapped),
    )
    sources = tuple(each for each in (*fixture.deployment.sources, *own) if not alone or each.kind in alone)
    made = {"vDAI": vault, "STK": stake, "WSTK": wrapped}
    tokens = {symbol: Token(fixture.chain.id, address, symbol, 18, symbol) for symbol, address in made.items()}
    more = replace(fixture, tokens={**fixture.tokens, **tokens})
    return RateFixture(more.choosing_from(replace(fixture.deployment, sources=sources)), pools, operator)
