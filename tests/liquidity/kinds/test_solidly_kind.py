"""Pools of Solidly's shape on a chain: found, read in any form, swapped with; the contracts are the sandbox's own."""

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from rhumbline.devnet.evm.fork_pools import deploy_fork_pools
from rhumbline.devnet.evm.operator import encoded
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.lens import Lens
from tests.liquidity.exact.chain import bare_chain
from tests.liquidity.exact.solidly_pairs import DECIMALS, Pairs, question


@pytest.fixture
async def solidly(tmp_path: Path) -> AsyncIterator[Pairs]:
    async with bare_chain(tmp_path) as chain:
        yield Pairs(chain, await deploy_fork_pools(chain.operator, chain.codes))


async def test_what_is_quoted_can_be_swapped(solidly: Pairs) -> None:
    dice, operator = random.Random(7), solidly.chain.operator
    pairs = [await solidly.make(dice, each, stable=stable) for each in DECIMALS for stable in (True, False)]
    for pool in await solidly.found(*pairs):
        for zero_for_one in (True, False):
            state = (await solidly.states([pool]))[pool.key]
            assert state is not None
            sold, bought = (pool.token0, pool.token1) if zero_for_one else (pool.token1, pool.token0)
            amount = (state.state.reserve0 if zero_for_one else state.state.reserve1) // 7
            output = state.output(amount, zero_for_one)
            await operator.send(sold, encoded("transfer(address,uint256)", pool.address, amount))
            outputs = (0, output) if zero_for_one else (output, 0)
            swap = encoded("swap(uint256,uint256,address,bytes)", *outputs, operator.address, b"")
            before = await operator.read(bought, encoded("balanceOf(address)", operator.address), "uint256")
            await operator.send(pool.address, swap)
            after = await operator.read(bought, encoded("balanceOf(address)", operator.address), "uint256")
            assert int(str(after[0])) - int(str(before[0])) == output > 0


async def test_a_fee_that_changes_is_seen_and_a_pause_too(solidly: Pairs) -> None:
    pair, factory = await solidly.make(random.Random(1), (18, 6), stable=True), solidly.forks.solidly_factory
    (pool,) = await solidly.found(pair)
    for fee, rate in ((33, 33), (420, 0), (10_000, 10_000)):
        await solidly.set_fee(pool.address, fee)
        state = (await solidly.states([pool]))[pool.key]
        assert state is not None
        assert state.state.rate == rate
    await solidly.chain.operator.send(factory, encoded("setPauseState(bool)", True))
    assert (await solidly.states([pool]))[pool.key] is None


async def test_a_node_without_the_lens_tells_the_same(solidly: Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [await solidly.make(random.Random(4), (18, 6), stable=stable) for stable in (True, False)]
    pools = await solidly.found(*pairs)
    expected = {key: state and state.state for key, state in (await solidly.states(pools)).items()}

    async def nothing(*_: object) -> None: ...

    monkeypatch.setattr(Lens, "read", nothing)
    assert {key: state and state.state for key, state in (await solidly.states(pools)).items()} == expected
    assert {state and state.stable for state in expected.values()} == {True, False}


async def test_a_pool_with_other_tokens_than_were_asked_for_is_not_used(solidly: Pairs) -> None:
    dice = random.Random(2)
    (pool,) = await solidly.found(await solidly.make(dice, (18, 18), stable=False))
    (other,) = await solidly.found(await solidly.make(dice, (18, 18), stable=False))
    crossed = replace(pool, token1=other.token1)
    assert (await solidly.states([crossed]))[pool.key] is None


async def test_the_contract_refuses_what_is_refused(solidly: Pairs) -> None:
    pair = await solidly.make(random.Random(3), (18, 18), stable=True)
    (pool,) = await solidly.found(pair)
    state = (await solidly.states([pool]))[pool.key]
    assert state is not None
    for amount in (2**200, 2**255):
        with pytest.raises(Unswappable):
            state.output(amount, True)
        (answer,) = await solidly.chain.rpc.batch([question(pool, amount, True)])
        assert isinstance(answer, RpcError)
