"""20,000 random (pool, direction, amount) quotes on both chains, each against QuoterV2's answer, to the wei."""

import random

from bench.rows import Row
from bench.v3_market import Market, markets
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.nodes.evm.rpc import hex_bytes

QUOTES = 20_000
BATCH = 250
SEED = 20261121


async def run() -> list[Row]:
    """Ask all, count differences of output or of the price afterwards."""
    dice = random.Random(SEED)
    async with markets() as chains:
        pools = sum(len(market.pools) for market in chains)
        different = crossed = 0
        for market in chains:
            for _ in range(QUOTES // len(chains) // BATCH):
                wrong, across = await _compare(market, dice)
                different, crossed = different + wrong, crossed + across
    count = QUOTES // len(chains) // BATCH * BATCH * len(chains)
    value = f"{count - different} of {count} equal, {pools} pools, {crossed} crossed ticks"
    return [Row(name="v3-exact", value=value, goal="100 % of >= 20,000 to the wei", met=different == 0)]


async def _compare(market: Market, dice: random.Random) -> tuple[int, int]:
    questions = []
    for _ in range(BATCH):
        pool, live = dice.choice(market.pools)
        zero_for_one = dice.random() < 0.5
        curve = live.curve(zero_for_one)
        # Most of the time among the ticks, down to one unit at times; never more than the pool takes.
        most = len(str(curve.inputs[-1]))
        digits = dice.uniform(0, most) if dice.random() < 0.3 else dice.uniform(most - 5, most)
        amount = min(max(1, int(10**digits)), curve.inputs[-1])
        questions.append((pool, zero_for_one, amount, curve.swap(amount)))
    answers = await market.rpc.batch([market.question(*question[:3]) for question in questions])
    wrong = 0
    for (*_, swap), answer in zip(questions, answers, strict=True):
        output, price = decode_args(["uint256", "uint160"], hex_bytes(answer))
        wrong += (output, price) != (swap.output, swap.sqrt_price)
    return wrong, sum(swap.crossed > 0 for *_, swap in questions)
