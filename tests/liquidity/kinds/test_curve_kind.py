"""Stable pools on a chain: found by their factory, read, exact both ways; the contracts are the sandbox's own.

No package has the genuine contract; ``test_curve.py`` has quotes that it answered.
"""

import os
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from rhumbline.devnet.evm.operator import constructed, encoded
from rhumbline.devnet.evm.rate_pools import (
    IMPLEMENTATION,
    PLAIN,
    RATED,
    REBASING,
    RatePools,
    StableTerms,
    deploy_rate_pools,
)
from rhumbline.devnet.tokens import token_codes
from rhumbline.gateways.nodes.evm.rpc import Call
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.curve import CurveState
from rhumbline.liquidity.kinds.curve_kind import POOLS_A_PAIR, CurveKind, coins_of
from rhumbline.liquidity.kinds.pools import Pair, Pool, PoolKind, PoolSource, pair_of
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.lens import Lens
from rhumbline.liquidity.snapshots import PoolBook
from tests.liquidity.exact.campaign import ask
from tests.liquidity.exact.chain import NOBODY, BareChain, bare_chain

QUOTES = int(os.environ.get("POOL_QUOTES", "600"))
_PLENTY = 10**60


@dataclass(frozen=True)
class Stables:
    """A chain with a factory of stable pools, and coins by their decimals."""

    chain: BareChain
    pools: RatePools
    coins: dict[int, list[str]]

    async def coin(self, decimals: int, number: int) -> str:
        """Return a coin, made when it is first asked for."""
        made = self.coins.setdefault(decimals, [])
        operator = self.chain.operator
        while len(made) <= number:
            code = constructed(token_codes()["SandboxToken"], ("string", "string", "uint8"), "Coin", "COIN", decimals)
            made.append(await operator.deploy(code))
            await operator.send(made[-1], encoded("mint(address,uint256)", operator.address, _PLENTY))
        return made[number]

    async def make(
        self,
        dice: random.Random,
        count: int = 2,
        like: StableTerms | None = None,
        types: tuple[int, ...] = (),
        implementation: str = IMPLEMENTATION,
    ) -> tuple[StableTerms, str]:
        """Create a pool at random, of the coins of another where one is given."""
        decimals = like.decimals if like else tuple(dice.choice((6, 18, 18, 8)) for _ in range(count))
        coins = (
            like.coins if like else [await self.coin(each, decimals[:n].count(each)) for n, each in enumerate(decimals)]
        )
        terms = StableTerms(
            tuple(coins),
            decimals,
            int(100 * 10 ** dice.uniform(0, 4)),
            dice.choice((0, 100_000, 4_000_000)),
            dice.choice((0, 20_000_000_000, 200_000_000_000)),
            types,
            implementation,
        )
        whole = 10 ** dice.uniform(2, 8)
        amounts = [max(1000, int(whole * 10 ** dice.uniform(-1, 0.3) * 10**each)) for each in decimals]
        return terms, await self.pools.stable(terms, amounts)

    async def found(self, *pairs: Pair, implementation: str = IMPLEMENTATION) -> list[Pool]:
        source = PoolSource("CURVE", PoolKind.CURVE, self.pools.stable_factory, implementations=(implementation,))
        finder = PoolFinder(self.chain.rpc, replace(self.chain.deployment, sources=(source,)), lambda: 0.0)
        return [pool for each in (await finder.find(pairs)).values() for pool in each]

    async def states(self, pools: list[Pool]) -> dict[str, CurveState | None]:
        book = PoolBook(self.chain.rpc, self.chain.deployment, lambda: 0.0)
        states = (await book.newest(pools)).states
        return {key: state if isinstance(state, CurveState) else None for key, state in states.items()}

    def question(self, pool: Pool, amount: int, zero_for_one: bool) -> Call:
        """Ask what a swap would pay; everything is approved."""
        token_in = pool.token0 if zero_for_one else pool.token1
        sold, bought = CurveKind().place(pool, token_in)[20:]
        data = encoded("exchange(int128,int128,uint256,uint256)", sold, bought, amount, 0)
        return "eth_call", [
            {"from": self.chain.operator.address, "to": pool.address, "data": "0x" + data.hex()},
            "latest",
        ]

    async def approve(self, terms: StableTerms, pool: str) -> None:
        for coin in terms.coins:
            await self.chain.operator.send(coin, encoded("approve(address,uint256)", pool, 2**256 - 1))


@pytest.fixture
async def stables(tmp_path: Path) -> AsyncIterator[Stables]:
    async with bare_chain(tmp_path) as chain:
        yield Stables(chain, await deploy_rate_pools(chain.operator), {})


def output_of(state: CurveState, amount: int, zero_for_one: bool) -> int | None:
    try:
        return state.output(amount, zero_for_one)
    except Unswappable:
        return None


async def test_random_quotes_are_the_contracts_both_ways_round(stables: Stables) -> None:
    dice = random.Random(20261127)
    equal = refused = least = 0
    for count in (2, 2, 3, 4, 8):
        terms, address = await stables.make(dice, count)
        await stables.approve(terms, address)
        pairs = [pair_of(*dice.sample(terms.coins, 2)) for _ in range(3)]
        pools = [pool for pool in await stables.found(*set(pairs)) if pool.address == address]
        states = await stables.states(pools)
        for _ in range(QUOTES // 5):
            pool, zero_for_one = dice.choice(pools), dice.random() < 0.5
            state = states[pool.key]
            assert state is not None
            balance = state.balances[coins_of(pool)[0 if zero_for_one else 1]]
            part = 10 ** dice.uniform(-7, 3 if dice.random() < 0.2 else 0.5)
            amount = int(10 ** dice.uniform(25, 59)) if dice.random() < 0.05 else max(1, int(balance * part))
            ours = output_of(state, amount, zero_for_one)
            calls = [stables.question(pool, amount, zero_for_one)]
            # Of a pool that is drained almost to nothing some amounts in between are refused.
            with suppress(Unswappable):
                asked = state.input_for(ours or 0, zero_for_one)
                calls += [stables.question(pool, each, zero_for_one) for each in (asked, asked - 1) if each]
            theirs, *around = await ask(stables.chain.rpc, calls)
            assert ours == (None if theirs is None else int.from_bytes(theirs)), (state, amount)
            equal, refused = equal + (ours is not None), refused + (ours is None)
            if len(around) == 2:
                enough, less = (int.from_bytes(each or b"") for each in around)
                assert enough >= (ours or 0) > less
                least += 1
    assert refused > QUOTES // 100
    assert least > 0.8 * equal > 0.7 * QUOTES


async def test_what_is_quoted_is_paid_and_the_pool_read_again(stables: Stables) -> None:
    dice, operator = random.Random(7), stables.chain.operator
    terms, address = await stables.make(dice, 3)
    await stables.approve(terms, address)
    (pool,) = await stables.found(pair_of(*terms.coins[:2]))
    for zero_for_one in (True, False, False, True):
        state = (await stables.states([pool]))[pool.key]
        assert state is not None
        token_in, token_out = (pool.token0, pool.token1) if zero_for_one else (pool.token1, pool.token0)
        amount = state.balances[coins_of(pool)[0 if zero_for_one else 1]] // 7
        output = state.output(amount, zero_for_one)
        sold, bought = CurveKind().place(pool, token_in)[20:]
        held = encoded("balanceOf(address)", operator.address)
        (before,) = await operator.read(token_out, held, "uint256")
        await operator.send(
            pool.address, encoded("exchange(int128,int128,uint256,uint256)", sold, bought, amount, output)
        )
        (after,) = await operator.read(token_out, held, "uint256")
        assert int(str(after)) - int(str(before)) == output > 0


async def test_rates_are_read_at_the_block(stables: Stables) -> None:
    dice = random.Random(3)
    terms, address = await stables.make(dice, types=(RATED, PLAIN))
    await stables.pools.set_rate(terms.coins[1], 10**18)
    await stables.approve(terms, address)
    (pool,) = await stables.found(pair_of(*terms.coins))
    for rate in (10**18, 1_234_567_890_123_456_789):
        await stables.pools.set_rate(terms.coins[0], rate)
        state = (await stables.states([pool]))[pool.key]
        assert state is not None
        assert state.rates[0] == 10 ** (36 - terms.decimals[0]) * rate // 10**18
        amount = state.balances[state.index0] // 5
        (theirs,) = await ask(stables.chain.rpc, [stables.question(pool, amount, True)])
        assert state.output(amount, True) == int.from_bytes(theirs or b"")


async def test_a_strangers_rate_that_burns_gas_leaves_only_its_own_pool_out(stables: Stables) -> None:
    dice = random.Random(4)
    honest, _ = await stables.make(dice)
    _, address = await stables.make(dice, like=honest, types=(RATED, PLAIN))
    pools = await stables.found(pair_of(*honest.coins))
    states = await stables.states(pools)
    assert [pool.address == address for pool in pools if states[pool.key] is None] == [True]
    assert len(pools) == 2


@pytest.mark.parametrize("types", [(REBASING, PLAIN, PLAIN), (PLAIN, REBASING, PLAIN)])
async def test_a_coin_that_rebases_is_not_traded_but_others_beside_it_are(
    stables: Stables, types: tuple[int, ...]
) -> None:
    terms, _ = await stables.make(random.Random(5), 3, types=types)
    assert not await stables.found(pair_of(*terms.coins[:2]))
    beside = [coin for coin, each in zip(terms.coins, types, strict=True) if each == PLAIN]
    assert len(await stables.found(pair_of(*beside))) == 1


async def test_an_implementation_that_nobody_pinned_is_not_used(stables: Stables) -> None:
    terms, _ = await stables.make(random.Random(6))
    pair = pair_of(*terms.coins)
    assert len(await stables.found(pair)) == 1
    assert not await stables.found(pair, implementation=terms.coins[0])
    await stables.make(random.Random(6), like=terms, implementation=NOBODY)
    assert len(await stables.found(pair)) == 1


async def test_the_oldest_pools_of_a_pair_are_used(stables: Stables) -> None:
    terms, first = await stables.make(random.Random(8))
    for _ in range(POOLS_A_PAIR):
        await stables.make(random.Random(8), like=terms)
    pools = await stables.found(pair_of(*terms.coins))
    assert len(pools) == POOLS_A_PAIR
    assert pools[0].address == first


async def test_a_pool_of_several_coins_is_a_way_between_any_two_of_them(stables: Stables) -> None:
    terms, address = await stables.make(random.Random(9), 4)
    pairs = [pair_of(a, b) for number, a in enumerate(terms.coins) for b in terms.coins[:number]]
    pools = await stables.found(*pairs)
    assert {pool.address for pool in pools} == {address}
    assert len({pool.key for pool in pools}) == len(pairs) == 6
    for pool in pools:
        index0, index1, count = coins_of(pool)
        assert (terms.coins[index0], terms.coins[index1], count) == (pool.token0, pool.token1, 4)


async def test_a_node_without_the_lens_tells_the_same(stables: Stables, monkeypatch: pytest.MonkeyPatch) -> None:
    terms, _ = await stables.make(random.Random(10), 4)
    pools = await stables.found(*(pair_of(terms.coins[0], coin) for coin in terms.coins[1:]))
    expected = await stables.states(pools)

    async def nothing(*_: object) -> None: ...

    monkeypatch.setattr(Lens, "read", nothing)
    assert await stables.states(pools) == expected
    assert all(isinstance(state, CurveState) for state in expected.values())


async def test_a_pool_with_another_number_of_coins_than_it_was_found_with_is_left_out(stables: Stables) -> None:
    terms, _ = await stables.make(random.Random(11), 3)
    (pool,) = await stables.found(pair_of(*terms.coins[:2]))
    for count in (2, 4):
        other = replace(pool, id="/".join([*pool.id.split("/")[:-1], str(count)]))
        assert (await stables.states([other]))[other.key] is None
