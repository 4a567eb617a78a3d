"""A sandbox chain with many tokens and pools of every kind, at prices that differ by less than their fees."""

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import isqrt

from rhumbline.devnet.artifacts import contract_codes, pinned_packages
from rhumbline.devnet.evm.fork_pools import SPACINGS, ForkPools, deploy_fork_pools
from rhumbline.devnet.evm.operator import Operator, constructed, encoded, unlocked
from rhumbline.devnet.evm.rate_pools import IMPLEMENTATION, RatePools, StableTerms, deploy_rate_pools
from rhumbline.devnet.tokens import token_codes
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.token import Token
from rhumbline.liquidity.deployments import uniswap_v4
from rhumbline.liquidity.kinds.pools import PoolKind, PoolSource
from rhumbline.liquidity.kinds.tick_math import MAX_TICK, sqrt_price_at
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.adapters.onchain.v4_fixture import PACKAGES
from tests.liquidity.exact.chain import pancake_pool_deployer
from tests.liquidity.exact.v3_venue import PANCAKE_CODE
from tests.sandbox_fixture import CACHE

HUBS = 4
_ETHER, _FOR_EVER, _NOWHERE = 10**18, 2**40, "0x" + "00" * 20
_KEY = "(address,address,uint24,int24,address)"
_MINT = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))"
_V3, _PANCAKE = ((500, 10), (3000, 60)), ((500, 10), (2500, 50))
_CENTS = 100


@dataclass
class ManyPools:
    """``cents`` is what a whole token is worth; ``made`` counts pools by kind."""

    fixture: AdapterFixture
    operator: Operator
    dice: random.Random
    forks: ForkPools
    rates: RatePools
    manager: str
    adder: str
    pancake: tuple[str, str]
    cents: dict[str, int] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    extra: list[PoolSource] = field(default_factory=list)
    seen: set[object] = field(default_factory=set)

    @property
    def stables(self) -> list[str]:
        return [symbol for symbol, cents in self.cents.items() if cents == _CENTS and symbol[0] == "S"]

    @property
    def spenders(self) -> tuple[str, ...]:
        contracts = self.fixture.contracts
        return (
            contracts["uniswap_v2_router"], contracts["position_manager"], self.adder, self.pancake[1],
            self.forks.position_manager,
        )  # fmt: skip

    async def token(self, symbol: str, cents: int, decimals: int) -> None:
        code = constructed(token_codes()["SandboxToken"], ("string", "string", "uint8"), symbol, symbol, decimals)
        await self.know(symbol, await self.operator.deploy(code), cents, decimals)
        await self.send(symbol, "mint(address,uint256)", self.operator.address, 2**120)

    async def know(self, symbol: str, address: str, cents: int, decimals: int) -> None:
        """Take a token among those that are traded."""
        self.fixture.tokens[symbol] = Token(self.fixture.chain.id, address, symbol, decimals, symbol)
        self.cents[symbol] = cents
        for spender in self.spenders:
            await self.send(symbol, "approve(address,uint256)", spender, 2**255)

    async def send(self, symbol: str, signature: str, *values: object) -> None:
        await self.operator.send(self.fixture.tokens[symbol].address, encoded(signature, *values))

    def amount(self, symbol: str, usd: float) -> int:
        return int(usd * _CENTS * 10 ** self.fixture.tokens[symbol].decimals / self.cents[symbol])

    def ordered(self, symbols: Sequence[str], native: bool = False) -> tuple[list[str], list[str]]:
        """Return symbols and addresses in the order of the addresses; ``native``: of native instead of its wrapping."""
        addresses = {
            each: NATIVE_EVM if native and each == "WETH" else self.fixture.tokens[each].address for each in symbols
        }
        names = sorted(symbols, key=lambda each: int(addresses[each], 16))
        return names, [addresses[each] for each in names]

    def sqrt_price(self, first: str, second: str) -> int:
        """The market's price of the first in the second, off by some basis points, as a square root, Q64.96."""
        shift = self.dice.randint(-8, 8)
        decimals = [self.fixture.tokens[each].decimals for each in (first, second)]
        above = self.cents[first] * (10_000 + shift) * 10 ** decimals[1]
        return isqrt((above << 192) // (self.cents[second] * 10_000 * 10 ** decimals[0]))

    def ranges(self, price: int, spacing: int) -> list[tuple[int, int]]:
        usable = range(-(MAX_TICK // spacing) * spacing, MAX_TICK, spacing)
        tick = usable[bisect_right(usable, price, key=sqrt_price_at) - 1]
        widths = [self.dice.randint(1, 60_000 // spacing // 4) * spacing for _ in range(2)]
        return [(max(tick - width, usable[0]), min(tick + spacing + width, usable[-1])) for width in widths]

    async def pool(self, kind: str, symbols: tuple[str, str]) -> None:
        """Make a pool of a kind, if there is none of these tokens and terms yet."""
        usd, made = 10 ** self.dice.uniform(4.5, 6.5), len(self.seen)
        await getattr(self, "_" + kind)(symbols, usd)
        self.made[kind] = self.made.get(kind, 0) + len(self.seen) - made

    def _is_new(self, *terms: object) -> bool:
        if terms in self.seen:
            return False
        self.seen.add(terms)
        return True

    async def _v2(self, symbols: Sequence[str], usd: float) -> None:
        names, tokens = self.ordered(symbols)
        if self._is_new("v2", *names):
            amounts = [self.amount(each, usd) for each in names]
            terms = (*tokens, *amounts, 0, 0, self.operator.address, _FOR_EVER)
            name = "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)"
            await self.operator.send(self.fixture.contracts["uniswap_v2_router"], encoded(name, *terms))

    async def _v3(self, symbols: Sequence[str], usd: float) -> None:
        await self._ticked(symbols, usd, self.fixture.contracts["position_manager"], self.dice.choice(_V3))

    async def _pancake(self, symbols: Sequence[str], usd: float) -> None:
        await self._ticked(symbols, usd, self.pancake[1], self.dice.choice(_PANCAKE))

    async def _ticked(self, symbols: Sequence[str], usd: float, manager: str, tier: tuple[int, int]) -> None:
        names, tokens = self.ordered(symbols)
        if not self._is_new(manager, tier, *names):
            return
        price = self.sqrt_price(*names)
        create = "createAndInitializePoolIfNecessary(address,address,uint24,uint160)"
        await self.operator.send(manager, encoded(create, *tokens, tier[0], price))
        amounts = [self.amount(each, usd) for each in names]
        mints = [
            encoded(_MINT, (*tokens, tier[0], *ticks, *amounts, 0, 0, self.operator.address, _FOR_EVER))
            for ticks in self.ranges(price, tier[1])
        ]
        await self.operator.send(manager, encoded("multicall(bytes[])", mints))

    async def _v4(self, symbols: Sequence[str], usd: float) -> None:
        native = "WETH" in symbols and self.dice.random() < 0.7
        (names, tokens), (fee, spacing) = self.ordered(symbols, native), self.dice.choice(_V3)
        if not self._is_new("v4", native, fee, *names):
            return
        key, price = (*tokens, fee, spacing, NATIVE_EVM), self.sqrt_price(*names)
        await self.operator.send(self.manager, encoded(f"initialize({_KEY},uint160)", key, price))
        liquidity = self.amount(names[1], 2 * usd) * 2**96 // price
        for ticks in self.ranges(price, spacing):
            data = encoded(
                f"modifyLiquidity({_KEY},(int24,int24,int256,bytes32),bytes)", key, (*ticks, liquidity, bytes(32)), b""
            )
            await self.operator.send(self.adder, data, 10**6 * _ETHER if native else 0)

    async def _solidly(self, symbols: Sequence[str], usd: float) -> None:
        await self._pair(symbols, usd, stable=False)

    async def _solidly_stable(self, _: Sequence[str], usd: float) -> None:
        await self._pair(self.dice.sample(self.stables, 2), usd, stable=True)

    async def _pair(self, symbols: Sequence[str], usd: float, *, stable: bool) -> None:
        names, tokens = self.ordered(symbols)
        if self._is_new("solidly", stable, *names):
            await self.forks.solidly(tokens, [self.amount(each, usd) for each in names], stable=stable)

    async def _slipstream(self, symbols: Sequence[str], usd: float) -> None:
        names, tokens = self.ordered(symbols)
        spacing = self.dice.choice((50, 100, 200))
        if not self._is_new("slipstream", spacing, *names):
            return
        price = self.sqrt_price(*names)
        await self.forks.slipstream(tokens, spacing, price)
        for ticks in self.ranges(price, spacing):
            await self.forks.add(tokens, spacing, ticks, [self.amount(each, usd) for each in names])

    async def _curve(self, _: Sequence[str], usd: float) -> None:
        names = self.dice.sample(self.stables, self.dice.choice((2, 2, 3)))
        if self._is_new("curve", *sorted(names)):
            tokens = [self.fixture.tokens[each] for each in names]
            terms = StableTerms(
                tuple(each.address for each in tokens),
                tuple(each.decimals for each in tokens),
                amplification=100 * self.dice.choice((100, 500, 2000)),
            )
            await self.rates.stable(terms, [self.amount(each, usd * self.dice.uniform(0.7, 1)) for each in names])

    async def _rate(self, _: Sequence[str], __: float) -> None:
        """Make a vault of a token, or a stake and its wrapping, of which the operator has some."""
        number, whole = len(self.extra), 10**6 * _ETHER
        if number % 2:
            stake, wrapped = await self.rates.stake()
            await self.know(f"ST{number}", stake, 250_000, 18)
            await self.know(f"WST{number}", wrapped, 300_000, 18)
            await self.send(f"ST{number}", "mint(address,uint256)", self.operator.address, 2 * whole)
            await self.send(f"ST{number}", "approve(address,uint256)", wrapped, 2**255)
            await self.send(f"WST{number}", "wrap(uint256)", whole)
            self.extra.append(PoolSource(f"STAKE_{number}", PoolKind.STAKE, wrapped))
            for kind in ("v2", "v3"):
                await self.pool(kind, (f"ST{number}", "WETH"))
        else:
            asset = self.dice.choice(self.stables)
            vault = await self.rates.vault(self.fixture.tokens[asset].address)
            await self.know(f"V{number}", vault, _CENTS, self.fixture.tokens[asset].decimals)
            await self.send(asset, "approve(address,uint256)", vault, 2**255)
            await self.send(f"V{number}", "deposit(uint256,address)", 2**90, self.operator.address)
            await self.send(asset, "transfer(address,uint256)", vault, 2**86)
            self.extra.append(PoolSource(f"VAULT_{number}", PoolKind.VAULT, vault))
            await self.pool("v3", (f"V{number}", "WETH"))
        self.seen.add(("rate", number))

    def sources(self) -> tuple[PoolSource, ...]:
        place = self.fixture.deployment
        return (
            *place.sources,
            PoolSource("PANCAKESWAP_V3", PoolKind.V3, self.pancake[0], _PANCAKE),
            uniswap_v4(self.manager, place.wrapped_native.address),
            PoolSource("SOLIDLY", PoolKind.SOLIDLY, self.forks.solidly_factory),
            PoolSource(
                "SLIPSTREAM", PoolKind.SLIPSTREAM, self.forks.slipstream_factory, tuple((0, each) for each in SPACINGS)
            ),
            PoolSource("CURVE", PoolKind.CURVE, self.rates.stable_factory, implementations=(IMPLEMENTATION,)),
            *self.extra,
        )


KINDS = ("v2", "v3", "pancake", "v4", "solidly", "solidly_stable", "slipstream", "curve")


async def with_many_pools(
    fixture: AdapterFixture, tokens: int, pools: int, seed: int
) -> tuple[AdapterFixture, ManyPools]:
    """Make ``tokens``, some of them stable coins, and ``pools`` of all kinds between them."""
    many = await _begun(replace(fixture, tokens=dict(fixture.tokens)), random.Random(seed))
    await many.operator.send(fixture.tokens["WETH"].address, encoded("deposit()"), 10**8 * _ETHER)
    await many.know("WETH", fixture.tokens["WETH"].address, 300_000, 18)
    for number in range(1, tokens):
        stable = number % 3 == 1
        cents = _CENTS if stable else int(10 ** many.dice.uniform(1, 6))
        await many.token(f"{'S' if stable else 'T'}{number}", cents, many.dice.choice((6, 8, 18, 18)))
    symbols = list(many.cents)
    hubs = symbols[: HUBS + 1]
    for _ in range(2):
        await many.pool("rate", ("WETH", "WETH"))
    for number in count():
        if sum(many.made.values()) >= pools:
            break
        first = many.dice.choice(hubs) if many.dice.random() < 0.75 else many.dice.choice(symbols)
        second = many.dice.choice([each for each in symbols if each != first])
        await many.pool(KINDS[number % len(KINDS)], (first, second))
    anchors = tuple(many.fixture.tokens[each] for each in hubs)
    place = replace(fixture.deployment, sources=many.sources(), anchors=anchors)
    return many.fixture.choosing_from(place), many


async def _begun(fixture: AdapterFixture, dice: random.Random) -> ManyPools:
    """Deploy the managers and factories."""
    operator = await unlocked(fixture.rpc, fixture.account, 10**10 * _ETHER)
    codes = await contract_codes(CACHE, lambda _: None)
    codes = {**codes, **await contract_codes(CACHE, lambda _: None, pinned_packages(PACKAGES))}
    manager = await operator.deploy(constructed(codes["PoolManager"], ("address",), operator.address))
    adder = await operator.deploy(constructed(codes["PoolModifyLiquidityTest"], ("address",), manager))
    await fixture.rpc.call("anvil_setCode", [PANCAKE_CODE, "0x" + codes["PancakeV3Pool"].hex()])
    maker = await operator.deploy(constructed(await pancake_pool_deployer(), ("address",), PANCAKE_CODE))
    factory = await operator.deploy(constructed(codes["PancakeV3Factory"], ("address",), maker))
    positions = await operator.deploy(
        constructed(codes["PancakePositionManager"], ("address",) * 4, maker, factory, _NOWHERE, _NOWHERE)
    )
    forks, rates = await deploy_fork_pools(operator, codes), await deploy_rate_pools(operator)
    return ManyPools(fixture, operator, dice, forks, rates, manager, adder, (factory, positions))
