"""Whatever a pool's genuine contract answers, this project's mathematics answers: to the wei, both ways round.

The contracts come out of npm's packages as their authors compiled them.
"""

import os
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from rhumbline.devnet.evm.operator import encoded
from rhumbline.gateways.nodes.evm.rpc import Call
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v2 import MAX_RESERVE, V2State
from tests.liquidity.exact.campaign import BATCH, Venue, ask, campaign
from tests.liquidity.exact.chain import NOBODY, BareChain, bare_chain
from tests.liquidity.exact.slipstream_venue import slipstream
from tests.liquidity.exact.v3_venue import pancakeswap, uniswap
from tests.liquidity.exact.v4_venue import uniswap_v4

QUOTES = int(os.environ.get("POOL_QUOTES", "600"))
SEED = 20261127
VENUES: dict[str, Callable[[BareChain], Awaitable[Venue]]] = {
    "v3": uniswap,
    "pancake-v3": pancakeswap,
    "v4": uniswap_v4,
    "slipstream": slipstream,
}


@pytest.mark.parametrize("kind", VENUES)
async def test_random_quotes_are_the_contracts(kind: str, tmp_path: Path) -> None:
    async with bare_chain(tmp_path) as chain:
        tally = await campaign(await VENUES[kind](chain), QUOTES, random.Random(f"{SEED} {kind}"))
    assert tally.equal + tally.refused == QUOTES
    assert tally.refused > QUOTES // 100
    assert tally.crossing > QUOTES // 4
    assert tally.ticks > 60


async def test_random_quotes_of_a_pair_are_the_librarys(tmp_path: Path) -> None:
    """Uniswap's router answers for any reserves, an exact input and an exact output."""
    dice = random.Random(f"{SEED} v2")
    async with bare_chain(tmp_path) as chain:
        router = await chain.deploy("UniswapV2Router02", NOBODY, NOBODY)
        refused = 0
        for start in range(0, QUOTES, BATCH):
            questions = [_pair_question(dice) for _ in range(min(BATCH, QUOTES - start))]
            calls: list[Call] = []
            for state, amount, zero_for_one, exact_in in questions:
                reserves = (state.reserve0, state.reserve1) if zero_for_one else (state.reserve1, state.reserve0)
                data = encoded(f"getAmount{'Out' if exact_in else 'In'}(uint256,uint256,uint256)", amount, *reserves)
                calls.append(("eth_call", [{"to": router, "data": "0x" + data.hex()}, "latest"]))
            for question, answer in zip(questions, await ask(chain.rpc, calls), strict=True):
                refused += _refused_alike(*question, None if answer is None else int.from_bytes(answer))
    assert QUOTES // 100 < refused < QUOTES // 2


def _pair_question(dice: random.Random) -> tuple[V2State, int, bool, bool]:
    """From one unit to more than a pair can hold, and pairs with an empty side."""
    reserves = [0 if dice.random() < 0.03 else int(2 ** dice.uniform(0, 112)) for _ in range(2)]
    exact_in, zero_for_one = dice.random() < 0.5, dice.random() < 0.5
    most = reserves[zero_for_one != exact_in] or MAX_RESERVE
    amount = most + dice.choice((-1, 0, 1)) if dice.random() < 0.1 else int(2 ** dice.uniform(0, 112))
    if not exact_in and dice.random() < 0.7:
        amount = int(most * dice.random())
    return V2State(*reserves), max(amount, 0), zero_for_one, exact_in


def _refused_alike(state: V2State, amount: int, zero_for_one: bool, exact_in: bool, theirs: int | None) -> bool:
    """Compare; where we refuse, the library reverts too, or the pair cannot hold the input."""
    try:
        ours = (state.output if exact_in else state.input_for)(amount, zero_for_one)
    except Unswappable:
        paid = amount if exact_in else theirs or 0
        assert theirs is None or paid + (state.reserve0 if zero_for_one else state.reserve1) > MAX_RESERVE
        return True
    assert ours == theirs
    return False
