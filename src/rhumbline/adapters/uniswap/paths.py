"""The best single path through the pools: direct, or through one or two anchor tokens.

In every pool more in never gives less out, and the pairs of a path differ; so the best path through given tokens is
the best pool of each hop in turn. A pool whose ticks are not all known answers with an upper bound first: only if that
would win are more of its ticks read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, permutations

from rhumbline.adapters.uniswap.block_reads import Head
from rhumbline.adapters.uniswap.pools import Pair, Pool, pair_of
from rhumbline.adapters.uniswap.state import PoolBook, PoolState, V3Live
from rhumbline.domain.amm import TicksUnknown, Unswappable
from rhumbline.domain.amm_v2 import V2State
from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.errors import BelowMinimum, NoRoute
from rhumbline.domain.quote import QuoteRequest

MOST_ANCHORS_ON_THE_WAY = 2
_BASE_GAS = 45_000
_UNWRAP_GAS = 20_000
_V2_GAS = 70_000
_V3_GAS = 75_000
_STEP_GAS = 5_000
_CROSSING_GAS = 22_000


@dataclass(frozen=True, slots=True)
class Hop:
    """One pool of a path; amounts in raw units of the tokens that go in and come out."""

    pool: Pool
    token_in: str
    token_out: str
    amount_in: int
    amount_out: int

    @property
    def zero_for_one(self) -> bool:
        return self.pool.zero_for_one(self.token_in)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path. While ``unknown`` names pools and directions that lack ticks, ``output`` is an upper bound."""

    hops: tuple[Hop, ...]
    output: int
    unknown: tuple[tuple[Pool, bool], ...] = ()


def token_paths(origin: str, destination: str, anchors: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """List the ways from one token to another, shortest first; addresses in EIP-55 form."""
    others = [anchor for anchor in anchors if anchor not in (origin, destination)]
    return tuple(
        (origin, *between, destination)
        for count in range(MOST_ANCHORS_ON_THE_WAY + 1)
        for between in permutations(others, count)
    )


def pairs_on(paths: Iterable[Sequence[str]]) -> frozenset[Pair]:
    return frozenset(pair_of(a, b) for path in paths for a, b in pairwise(path))


@dataclass(slots=True)
class Market:
    """Pools and their states at one block. ``states`` may be replaced by wider ones of the same block."""

    pools: Mapping[Pair, tuple[Pool, ...]]
    states: dict[str, PoolState]
    _steps: dict[tuple[str, str, int, bool], "_Step | None"] = field(default_factory=dict)

    def best(self, paths: Iterable[Sequence[str]], amount: int) -> Candidate | None:
        """Return the path with the largest output, the shorter one of equals; None when no path takes the amount."""
        self._steps.clear()
        candidates = [found for path in paths if (found := self._walk(path, amount)) is not None]
        return max(candidates, key=lambda found: (found.output, not found.unknown, -len(found.hops)), default=None)

    def connects(self, paths: Iterable[Sequence[str]]) -> bool:
        """Tell whether there is any path whose hops all have pools."""
        return any(all(self.pools.get(pair_of(*hop)) for hop in pairwise(path)) for path in paths)

    def smallest(self, paths: Sequence[Sequence[str]], amount: int) -> int | None:
        """Return the smallest amount above ``amount`` that gives a raw unit out; None if none below 2^128 does."""
        low, high = amount, amount * 2
        while not self._gives(paths, high):
            low, high = high, high * 2
            if high >> 128:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._gives(paths, middle) else (middle, high)
        return high

    def fee(self, hop: Hop) -> int:
        """Exactly what the pool keeps of a hop's input as its fee, in raw units of that token."""
        state = self.states[hop.pool.address]
        if isinstance(state, V2State):
            return state.fee(hop.amount_in)
        return state.curve(hop.zero_for_one).swap(hop.amount_in).fee if state is not None else 0

    def gas(self, hops: Sequence[Hop], *, unwraps: bool) -> int:
        """Estimate roughly what a path costs in SwapRouter02, transaction included."""
        return _BASE_GAS + _UNWRAP_GAS * unwraps + sum(self._gas(hop) for hop in hops)

    def impact_bps(self, hops: Sequence[Hop]) -> int:
        """How much less a path gives than its pools' prices before the trade, fees aside; rounded up."""
        ideal = Fraction(hops[0].amount_in)
        for hop in hops:
            state = self.states[hop.pool.address]
            if state is None:
                raise Unswappable("the pool has no state")
            spot = (state if isinstance(state, V2State) else state.state).spot(hop.zero_for_one)
            ideal *= spot * (hop.amount_in - self.fee(hop)) / hop.amount_in
        lost = (ideal - hops[-1].amount_out) / ideal if ideal else Fraction(0)
        return max(0, -(-lost.numerator * BASIS_POINTS // lost.denominator))

    def _gas(self, hop: Hop) -> int:
        state = self.states[hop.pool.address]
        if isinstance(state, V2State) or state is None:
            return _V2_GAS
        swap = state.curve(hop.zero_for_one).swap(hop.amount_in)
        return _V3_GAS + _CROSSING_GAS * swap.crossed + _STEP_GAS * (swap.steps - swap.crossed)

    def _gives(self, paths: Sequence[Sequence[str]], amount: int) -> bool:
        found = self.best(paths, amount)
        return found is not None and found.output > 0

    def _walk(self, path: Sequence[str], amount: int) -> Candidate | None:
        hops: list[Hop] = []
        unknown: list[tuple[Pool, bool]] = []
        for token_in, token_out in pairwise(path):
            step = self._step(token_in, token_out, amount, bool(unknown))
            if step is None:
                return None
            if step.unknown:
                unknown.append((step.pool, step.pool.zero_for_one(token_in)))
            hops.append(Hop(step.pool, token_in, token_out, amount, step.output))
            amount = step.output
            if not amount:
                break
        return Candidate(tuple(hops), amount, tuple(unknown))

    def _step(self, token_in: str, token_out: str, amount: int, bounded: bool) -> "_Step | None":
        key = token_in, token_out, amount, bounded
        if key not in self._steps:
            steps = self._steps_through(token_in, token_out, amount, bounded)
            self._steps[key] = max(steps, key=lambda step: (step.output, not step.unknown), default=None)
        return self._steps[key]

    def _steps_through(self, token_in: str, token_out: str, amount: int, bounded: bool) -> Iterator["_Step"]:
        """Ask every pool of a pair. ``bounded``: the amount is an upper bound itself, so too much is not a refusal."""
        for pool in self.pools.get(pair_of(token_in, token_out), ()):
            state, zero_for_one = self.states[pool.address], pool.zero_for_one(token_in)
            if state is None:
                continue
            try:
                if isinstance(state, V2State):
                    yield _Step(pool, state.swap(amount, zero_for_one))
                else:
                    yield _Step(pool, state.curve(zero_for_one).output(amount))
            except TicksUnknown as more:
                yield _Step(pool, more.bound, unknown=True)
            except Unswappable as refusal:
                if bounded and refusal.ceiling is not None:
                    yield _Step(pool, refusal.ceiling)


async def best_path(
    book: PoolBook, market: Market, head: Head, paths: tuple[tuple[str, ...], ...], request: QuoteRequest, name: str
) -> Candidate:
    """Read more ticks until no path that is not exact could be better than the best that is.

    Raise NoRoute and BelowMinimum, which say whose pools (``name``), and as ``PoolBook.widen``.
    """
    while (best := market.best(paths, request.amount)) is not None and best.unknown:
        for pool, zero_for_one in best.unknown:
            live = market.states[pool.address]
            if isinstance(live, V3Live):
                market.states[pool.address] = await book.widen(head, pool, live, zero_for_one)
    symbols = f"{request.origin_token.symbol} and {request.destination_token.symbol}"
    if best is None:
        if market.connects(paths):
            raise NoRoute(f"no path of {name} pools between {symbols} takes this amount")
        raise NoRoute(f"no path of {name} pools joins {symbols}")
    if not best.output:
        raise BelowMinimum("the output would be less than one unit", market.smallest(paths, request.amount))
    return best


@dataclass(frozen=True, slots=True)
class _Step:
    pool: Pool
    output: int
    unknown: bool = False
