"""Vaults and wrapped stakes on a chain: read, exact, and left out where they do not keep to a formula."""

import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from rhumbline.devnet.evm.operator import constructed, encoded
from rhumbline.devnet.evm.rate_pools import RatePools, deploy_rate_pools
from rhumbline.devnet.tokens import token_codes
from rhumbline.gateways.nodes.evm.deployment import executor_address
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.kind import HopKind
from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.linear_kind import PROBES, StakeKind, VaultKind
from rhumbline.liquidity.kinds.pools import Pool, PoolKind, PoolSource, pair_of
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.snapshots import PoolBook
from tests.liquidity.exact.chain import BareChain, bare_chain

WHOLE = 10**18
_PLENTY = 10**60


@dataclass(frozen=True)
class Rates:
    """A chain with a token that vaults are of."""

    chain: BareChain
    pools: RatePools
    asset: str

    async def found(self, kind: PoolKind, place: str, other: str) -> Pool | None:
        source = PoolSource("RATE", kind, place)
        finder = PoolFinder(self.chain.rpc, replace(self.chain.deployment, sources=(source,)), lambda: 0.0)
        (pools,) = (await finder.find([pair_of(place, other)])).values()
        return pools[0] if pools else None

    async def state(self, pool: Pool) -> LinearState | None:
        book = PoolBook(self.chain.rpc, self.chain.deployment, lambda: 0.0)
        state = (await book.newest([pool])).states[pool.key]
        assert state is None or isinstance(state, LinearState)
        return state

    async def send(self, to: str, signature: str, *values: object) -> None:
        await self.chain.operator.send(to, encoded(signature, *values))

    async def vault(self, offset: int = 0, deposited: int = 1_000 * WHOLE, donated: int = 123_456_789) -> Pool:
        """Make OpenZeppelin's vault, used and with a rate that is no round number."""
        place = await self.pools.vault(self.asset, offset)
        await self.send(self.asset, "approve(address,uint256)", place, 2**255)
        if deposited:
            await self.send(place, "deposit(uint256,address)", deposited, self.chain.operator.address)
            await self.send(self.asset, "transfer(address,uint256)", place, donated)
        pool = await self.found(PoolKind.VAULT, place, self.asset)
        assert pool is not None
        return pool

    async def swapped(self, pool: Pool, amount: int, *, from_asset: bool, names: tuple[str, str]) -> int:
        """Call the contract, and return by how much the operator's balance grew."""
        operator, bought = self.chain.operator, pool.address if from_asset else pool.other(pool.address)
        held = encoded("balanceOf(address)", operator.address)
        (before,) = await operator.read(bought, held, "uint256")
        name = names[not from_asset]
        values = [amount, *[operator.address] * name.count("address")]
        await operator.send(pool.address, encoded(name, *values))
        (after,) = await operator.read(bought, held, "uint256")
        return int(str(after)) - int(str(before))


VAULT_CALLS = "deposit(uint256,address)", "redeem(uint256,address,address)"
STAKE_CALLS = "wrap(uint256)", "unwrap(uint256)"


@pytest.fixture
async def rates(tmp_path: Path) -> AsyncIterator[Rates]:
    async with bare_chain(tmp_path) as chain:
        code = constructed(token_codes()["SandboxToken"], ("string", "string", "uint8"), "Asset", "AST", 18)
        asset = await chain.operator.deploy(code)
        await chain.operator.send(asset, encoded("mint(address,uint256)", chain.operator.address, _PLENTY))
        yield Rates(chain, await deploy_rate_pools(chain.operator), asset)


@pytest.mark.parametrize("offset", [0, 6, 18])
async def test_a_vault_pays_what_is_quoted(rates: Rates, offset: int) -> None:
    dice = random.Random(offset)
    pool = await rates.vault(offset)
    for from_asset in (True, False, True, False, False):
        state = await rates.state(pool)
        assert state is not None
        amount = int(10 ** dice.uniform(0, 20)) * (1 if from_asset else 10**offset)
        token_in = rates.asset if from_asset else pool.address
        output = state.output(amount, pool.zero_for_one(token_in))
        assert await rates.swapped(pool, amount, from_asset=from_asset, names=VAULT_CALLS) == output
        await rates.send(rates.asset, "transfer(address,uint256)", pool.address, dice.randrange(10**18))


async def test_a_rate_of_its_own_pays_what_is_quoted(rates: Rates) -> None:
    place = await rates.pools.savings(rates.asset)
    await rates.send(rates.asset, "transfer(address,uint256)", place, 10**24)
    await rates.send(rates.asset, "approve(address,uint256)", place, 2**255)
    pool = await rates.found(PoolKind.VAULT, place, rates.asset)
    assert pool is not None
    await rates.send(place, "deposit(uint256,address)", 10**22, rates.chain.operator.address)
    for chi, from_asset in ((10**27 + 1, True), (1_234_567_890_123_456_789_012_345_678, False), (3 * 10**27, True)):
        await rates.send(place, "set(uint256,uint256)", chi, 0)
        state = await rates.state(pool)
        assert state is not None
        output = state.output(987_654_321_987, pool.zero_for_one(rates.asset if from_asset else place))
        assert await rates.swapped(pool, 987_654_321_987, from_asset=from_asset, names=VAULT_CALLS) == output


async def test_a_vault_that_keeps_a_fee_is_left_out(rates: Rates) -> None:
    place = await rates.pools.savings(rates.asset)
    await rates.send(rates.asset, "approve(address,uint256)", place, 2**255)
    await rates.send(place, "deposit(uint256,address)", 10**22, rates.chain.operator.address)
    pool = await rates.found(PoolKind.VAULT, place, rates.asset)
    assert pool is not None
    assert await rates.state(pool) is not None
    await rates.send(place, "set(uint256,uint256)", 10**27, 1)
    assert await rates.state(pool) is None


async def test_a_vaults_limit_is_kept_and_nobody_redeems_more_than_there_is(rates: Rates) -> None:
    pool = await rates.vault()
    await rates.send(pool.address, "setMost(uint256)", 5_000)
    state = await rates.state(pool)
    assert state is not None
    buys = pool.zero_for_one(rates.asset)
    assert state.output(5_000, buys) > 0
    for amount, zero_for_one in ((5_001, buys), (1_001 * WHOLE, not buys)):
        with pytest.raises(Unswappable, match="more than is taken"):
            state.output(amount, zero_for_one)


async def test_an_empty_vault_takes_deposits_within_reason(rates: Rates) -> None:
    pool = await rates.vault(deposited=0)
    state = await rates.state(pool)
    assert state is not None
    for zero_for_one in (True, False):
        with pytest.raises(Unswappable, match="more than is taken"):
            state.output(1, zero_for_one)


async def test_a_stake_is_wrapped_and_unwrapped_as_quoted(rates: Rates) -> None:
    dice = random.Random(5)
    stake, wrapped = await rates.pools.stake()
    operator = rates.chain.operator.address
    await rates.send(stake, "mint(address,uint256)", wrapped, 10**24)
    await rates.send(stake, "mint(address,uint256)", operator, 10**22)
    await rates.send(stake, "approve(address,uint256)", wrapped, 2**255)
    pool = await rates.found(PoolKind.STAKE, wrapped, stake)
    assert pool is not None
    for number in range(8):
        await rates.send(stake, "reward(uint256)", dice.randrange(10**23))
        await rates.send(stake, "setOutside(uint256)", dice.randrange(10**24) * (number % 2))
        state = await rates.state(pool)
        assert state is not None
        amount = dice.randrange(1, 10**20)
        wraps = pool.zero_for_one(stake)
        shares = await rates.swapped(pool, amount, from_asset=True, names=STAKE_CALLS)
        assert shares == state.output(amount, wraps)
        again = await rates.state(pool)
        assert again is not None
        # The operator has some of it already: it may gain one unit more.
        gained = await rates.swapped(pool, shares, from_asset=False, names=STAKE_CALLS)
        assert 0 <= gained - again.output(shares, not wraps) <= 1


async def test_only_what_the_contract_itself_names_is_its_asset(rates: Rates) -> None:
    pool = await rates.vault()
    stake, wrapped = await rates.pools.stake()
    assert await rates.found(PoolKind.VAULT, pool.address, stake) is None
    assert await rates.found(PoolKind.STAKE, wrapped, rates.asset) is None
    assert await rates.found(PoolKind.STAKE, pool.address, rates.asset) is None
    assert await rates.found(PoolKind.VAULT, rates.asset, stake) is None


def test_a_hop_is_called_by_its_direction() -> None:
    vault, asset = "0x" + "22" * 20, "0x" + "11" * 20
    pool = Pool(PoolKind.VAULT, vault, asset, vault)
    assert VaultKind().hop_in(pool, asset) is HopKind.DEPOSIT
    assert VaultKind().hop_in(pool, vault) is HopKind.REDEEM
    assert StakeKind().hop_in(pool, asset) is HopKind.WRAP_STAKED
    assert StakeKind().hop_in(pool, vault) is HopKind.UNWRAP_STAKED
    assert VaultKind().place(pool, asset) == StakeKind().place(pool, vault) == b""
    assert encoded("maxDeposit(address)", executor_address()) in {read.data for read in VaultKind().reads(pool)}


@pytest.mark.parametrize(
    "answers",
    [
        [0] * 8,
        [10**20, 10**20, 2**256 - 1, 10**27, PROBES[0], PROBES[1] + 1, *PROBES],
        [10**20, 10**20, 2**256 - 1, 10**27, *PROBES, PROBES[0] - 1, PROBES[1]],
        [2**256 - 1] * 8,
    ],
)
def test_answers_that_fit_no_formula_are_not_believed(answers: list[int]) -> None:
    vault, asset = "0x" + "22" * 20, "0x" + "11" * 20
    pool = Pool(PoolKind.VAULT, vault, asset, vault)
    assert VaultKind().state(pool, [each.to_bytes(32) for each in answers]) is None
