"""Whatever a pair of Solidly's shape answers, this project's mathematics answers; what it asks for an output is least.

No package has the genuine contract; ``tests/liquidity/kinds/test_solidly.py`` has quotes that it answered.
"""

import os
import random
from pathlib import Path

from rhumbline.devnet.evm.fork_pools import deploy_fork_pools
from rhumbline.liquidity.kinds.unswappable import Unswappable
from tests.liquidity.exact.campaign import ask
from tests.liquidity.exact.chain import bare_chain
from tests.liquidity.exact.solidly_pairs import DECIMALS, Pairs, question

QUOTES = int(os.environ.get("POOL_QUOTES", "600"))


async def test_random_quotes_are_the_contracts_both_ways_round(tmp_path: Path) -> None:
    async with bare_chain(tmp_path) as chain:
        await compare(Pairs(chain, await deploy_fork_pools(chain.operator, chain.codes)))


async def compare(solidly: Pairs) -> None:
    dice = random.Random(20261127)
    pairs = [await solidly.make(dice, each, stable=stable) for each in DECIMALS for stable in (True, False)]
    pools = await solidly.found(*pairs)
    states = await solidly.states(pools)
    assert len(pools) == len(pairs)
    equal = least = 0
    for number in range(QUOTES):
        pool = pools[number % len(pools)]
        state, zero_for_one = states[pool.key], dice.random() < 0.5
        assert state is not None
        reserve = state.state.reserve0 if zero_for_one else state.state.reserve1
        amount = max(1, int(reserve * 10 ** dice.uniform(-9, 1)))
        try:
            output = state.output(amount, zero_for_one)
        except Unswappable:
            continue
        calls = [question(pool, amount, zero_for_one)]
        if output:
            asked = state.input_for(output, zero_for_one)
            calls += [question(pool, each, zero_for_one) for each in (asked, asked - 1) if each]
        answers = [int.from_bytes(answer or b"") for answer in await ask(solidly.chain.rpc, calls)]
        assert answers[0] == output
        equal += 1
        if len(answers) == 3:
            assert answers[1] >= output > answers[2]
            least += 1
    assert equal > 0.99 * QUOTES
    assert least > 0.9 * QUOTES
