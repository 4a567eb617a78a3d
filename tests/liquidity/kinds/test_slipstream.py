"""Slipstream: found by tick spacing, with the fee of the block; its mathematics is V3's.

``tests/liquidity/exact`` asks the pools of Uniswap V3 that stand behind the sandbox's. No package has the genuine
contract; the recorded quotes are another implementation's.
"""

import json
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from rhumbline.devnet.evm.fork_pools import SPACINGS
from rhumbline.devnet.evm.operator import encoded
from rhumbline.gateways.nodes.evm.rpc import hex_bytes
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import Pool, PoolKind, PoolSource
from rhumbline.liquidity.kinds.slipstream import SlipstreamPool
from rhumbline.liquidity.kinds.tick_math import outermost_words
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v3 import V3State
from rhumbline.liquidity.lens import Lens
from rhumbline.liquidity.snapshots import PoolBook
from tests.liquidity.exact.campaign import ask
from tests.liquidity.exact.chain import bare_chain
from tests.liquidity.exact.slipstream_venue import SlipstreamVenue, slipstream

RECORDED = json.loads(Path(__file__).with_name("slipstream_quotes.json").read_text())


def test_outputs_are_those_of_another_implementation() -> None:
    """It walks from stop to stop, as the contract does."""
    refused = 0
    for fee, spacing, price, tick, liquidity, ticks, amount, zero_for_one, expected in RECORDED["degenbot"]["quotes"]:
        words = outermost_words(spacing)
        pool = SlipstreamPool(V3State(fee, spacing, price, tick, liquidity, dict(ticks), *words))
        if expected is None:
            refused += 1
            with pytest.raises(Unswappable):
                pool.output(amount, zero_for_one)
        else:
            assert pool.output(amount, zero_for_one) == expected
    assert 0 < refused < len(RECORDED["degenbot"]["quotes"]) / 2


@pytest.fixture
async def venue(tmp_path: Path) -> AsyncIterator[SlipstreamVenue]:
    async with bare_chain(tmp_path) as chain:
        yield await slipstream(chain)


async def state(venue: SlipstreamVenue, pool: Pool) -> SlipstreamPool:
    book = PoolBook(venue.chain.rpc, venue.chain.deployment, lambda: 0.0)
    found = (await book.newest([pool])).states[pool.key]
    assert isinstance(found, SlipstreamPool)
    return found


async def test_every_spacing_of_a_source_is_asked_for(venue: SlipstreamVenue) -> None:
    made = await venue.make(random.Random(1))
    pair = made.token0, made.token1
    other = next(spacing for spacing in SPACINGS if spacing != made.spacing)
    address = await venue.forks.slipstream(pair, other, 1 << 96)
    tiers = tuple((0, spacing) for spacing in (*SPACINGS, 10))
    source = PoolSource("SLIPSTREAM", PoolKind.SLIPSTREAM, venue.forks.slipstream_factory, tiers)
    finder = PoolFinder(venue.chain.rpc, replace(venue.chain.deployment, sources=(source,)), lambda: 0.0)
    found = (await finder.find([pair]))[pair]
    assert {(pool.address, pool.spacing) for pool in found} == {(made.address, made.spacing), (address, other)}
    assert {(pool.kind, pool.source) for pool in found} == {(PoolKind.SLIPSTREAM, "SLIPSTREAM")}


async def test_the_fee_is_the_blocks(venue: SlipstreamVenue) -> None:
    """As the genuine module moves it; here it is written over in the code of the pool behind."""
    pool = await venue.make(random.Random(2))
    before = await state(venue, pool)
    assert before.state.fee == SPACINGS[pool.spacing]
    amount = before.curve(True).inputs[1] or 10**18
    (behind,) = await venue.chain.operator.read(pool.address, encoded("inner()"), "address")
    code = hex_bytes(await venue.chain.rpc.call("eth_getCode", [behind, "latest"]))
    old, new = (b"\x7f" + fee.to_bytes(32) for fee in (before.state.fee, 77_777))
    assert code.count(old) > 1
    await venue.chain.rpc.call("anvil_setCode", [behind, "0x" + code.replace(old, new).hex()])
    after = await state(venue, pool)
    assert after.state == replace(before.state, fee=77_777)
    (answer,) = await ask(venue.chain.rpc, [quoted(venue, pool, amount)])
    assert answer is not None
    assert after.output(amount, True) == venue.answer(answer, True)[0] < before.output(amount, True)


def quoted(venue: SlipstreamVenue, pool: Pool, amount: int) -> tuple[str, list[object]]:
    method, parameters = venue.question(pool, amount, True, exact_in=True)
    return method, list(parameters)


async def test_a_node_without_the_lens_tells_the_same(venue: SlipstreamVenue, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = await venue.make(random.Random(3))
    expected = (await state(venue, pool)).state

    async def nothing(*_: object) -> None: ...

    monkeypatch.setattr(Lens, "read", nothing)
    assert (await state(venue, pool)).state == expected
    assert expected.ticks


async def test_a_pool_of_another_spacing_is_not_used(venue: SlipstreamVenue) -> None:
    pool = await venue.make(random.Random(4))
    wrong = replace(pool, spacing=next(spacing for spacing in SPACINGS if spacing != pool.spacing))
    book = PoolBook(venue.chain.rpc, venue.chain.deployment, lambda: 0.0)
    assert (await book.newest([wrong])).states[pool.key] is None
