"""Random quotes of a kind, exact input and exact output, against the answers of its genuine contracts."""

import random
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import log10
from typing import Protocol

from rhumbline.gateways.nodes.evm.rpc import Call, EvmRpc, RpcError, hex_bytes
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v3 import V3Pool
from tests.liquidity.exact.chain import BareChain

BATCH = 250


class Venue(Protocol):
    """The genuine contracts of a kind with ticks."""

    @property
    def chain(self) -> BareChain: ...
    @property
    def most(self) -> int:
        """The largest amount that it can be asked about."""

    async def make(self, dice: random.Random, /) -> Pool: ...
    async def trade(self, pool: Pool, amount: int, zero_for_one: bool, /) -> None: ...
    async def states(self, pools: list[Pool], /) -> dict[str, V3Pool]: ...
    def question(self, pool: Pool, amount: int, zero_for_one: bool, /, *, exact_in: bool) -> Call: ...
    def answer(self, data: bytes, zero_for_one: bool, /) -> tuple[int, bool]: ...


@dataclass
class Tally:
    """What a campaign saw. ``refused`` by both, ``crossing`` an initialised tick, ``ticks`` most of a pool."""

    equal: int = 0
    refused: int = 0
    crossing: int = 0
    ticks: int = 0


@dataclass(frozen=True)
class Asked:
    pool: Pool
    state: V3Pool
    amount: int
    zero_for_one: bool
    exact_in: bool

    def ours(self) -> int | None:
        """Return our answer, None for a refusal."""
        ask = self.state.output if self.exact_in else self.state.input_for
        try:
            return ask(self.amount, self.zero_for_one)
        except Unswappable:
            return None

    def crosses(self) -> bool:
        curve = self.state.curve(self.zero_for_one)
        steps = curve.inputs if self.exact_in else curve.outputs
        return curve.crossed[bisect_left(steps, self.amount) - 1] > 0


async def campaign(venue: Venue, quotes: int, dice: random.Random) -> Tally:
    """Ask ``quotes`` questions about pools that trade in between, and assert that every answer is ours."""
    tally = Tally()
    pools = [await venue.make(dice) for _ in range(min(3 + quotes // 1000, 20))]
    rounds = min(2 + quotes // 2000, 20)
    for number in range(rounds):
        states = await venue.states(pools)
        if number:
            for pool in pools:
                await _to_a_stop(venue, pool, states[pool.key], dice)
            states = await venue.states(pools)
        tally.ticks = max(tally.ticks, *(len(state.state.ticks) for state in states.values()))
        part = quotes * (number + 1) // rounds - quotes * number // rounds
        questions = [_question(dice, dice.choice(pools), states, venue.most) for _ in range(part)]
        for start in range(0, part, BATCH):
            await _compare(venue, questions[start : start + BATCH], tally)
    return tally


async def _to_a_stop(venue: Venue, pool: Pool, state: V3Pool, dice: random.Random) -> None:
    """Move the price to a stop of the pool, or near it: where errors of crossing would show."""
    zero_for_one = dice.random() < 0.5
    amount = dice.choice(_steps(state, zero_for_one, exact_in=True)[:8]) + dice.choice((0, 0, -1, 1, 1000))
    with suppress(Unswappable):
        state.output(amount, zero_for_one)
        await venue.trade(pool, amount, zero_for_one)


def _steps(state: V3Pool, zero_for_one: bool, *, exact_in: bool) -> tuple[int, ...]:
    """Return the amounts up to each stop; any two where the pool keeps all that is paid."""
    try:
        curve = state.curve(zero_for_one)
    except Unswappable:
        return 0, 10**20
    return curve.inputs if exact_in else curve.outputs


def _question(dice: random.Random, pool: Pool, states: dict[str, V3Pool], largest: int) -> Asked:
    state, zero_for_one, exact_in = states[pool.key], dice.random() < 0.5, dice.random() < 0.5
    steps = _steps(state, zero_for_one, exact_in=exact_in)
    most = max(steps[-1], 1)
    how = dice.random()
    if how < 0.05:
        amount = most + dice.choice((0, 1, most))
    elif how < 0.3:
        amount = dice.choice(steps) + dice.choice((-1, 0, 1))
    else:
        digits = log10(most)
        amount = int(10 ** (dice.uniform(0, digits) if how < 0.6 else dice.uniform(max(digits - 6, 0), digits)))
    return Asked(pool, state, min(max(1, amount), largest), zero_for_one, exact_in)


async def _compare(venue: Venue, questions: Sequence[Asked], tally: Tally) -> None:
    calls = [venue.question(each.pool, each.amount, each.zero_for_one, exact_in=each.exact_in) for each in questions]
    for each, answer in zip(questions, await ask(venue.chain.rpc, calls), strict=True):
        ours = each.ours()
        theirs, at_end = venue.answer(answer, each.zero_for_one) if answer is not None else (None, False)
        if ours is None:
            # Where the contract does not revert, it went to the end and took only a part, or gives nothing.
            assert not theirs or (at_end and each.exact_in), (each, theirs)
            tally.refused += 1
        else:
            assert ours == theirs, (each, theirs)
            tally.equal += 1
            tally.crossing += each.crosses()


async def ask(rpc: EvmRpc, calls: Sequence[Call]) -> list[bytes | None]:
    """Make calls in one request; None where one reverted."""
    answers = await rpc.batch(list(calls))
    return [None if isinstance(answer, RpcError) else hex_bytes(answer) for answer in answers]
