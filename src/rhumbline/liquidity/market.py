"""Pools with their states at one block, and what a sequence of hops through them costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.pools import Pair, Pool, pair_of

BASE_GAS = 45_000
UNWRAP_GAS = 20_000


@dataclass(frozen=True, slots=True)
class Hop:
    """One pool of a plan; amounts in raw units of the tokens that go in and come out.

    ``share`` is what ``amount_in`` was of the rest of its token then, in 1/2^32 and rounded down as it was; 0 is all.
    """

    pool: Pool
    token_in: str
    token_out: str
    amount_in: int
    amount_out: int
    share: int = 0

    @property
    def zero_for_one(self) -> bool:
        return self.pool.zero_for_one(self.token_in)


@dataclass(frozen=True, slots=True)
class Market:
    """Pools by pair, and states by address: None for a pool that cannot be swapped with."""

    pools: Mapping[Pair, tuple[Pool, ...]]
    states: dict[str, PoolState | None]

    def state(self, pool: Pool) -> PoolState:
        """Return the state of a pool that can be swapped with; Unswappable for another."""
        state = self.states[pool.address]
        if state is None:
            raise Unswappable("the pool is not initialised, or locked")
        return state

    def hop(self, pool: Pool, token_in: str, amount: int) -> Hop:
        """Swap an amount; raise Unswappable where the pool does not take it."""
        output = self.state(pool).output(amount, pool.zero_for_one(token_in))
        return Hop(pool, token_in, pool.other(token_in), amount, output)

    def best_hop(self, token_in: str, token_out: str, amount: int) -> Hop | None:
        """Return the hop of a pair that gives the most; None when no pool takes the amount."""
        hops = []
        for pool in self.pools.get(pair_of(token_in, token_out), ()):
            try:
                hops.append(self.hop(pool, token_in, amount))
            except Unswappable:
                continue
        return max(hops, key=lambda hop: hop.amount_out, default=None)

    def fee(self, hop: Hop) -> int:
        """Exactly what the pool keeps of a hop's input as its fee, in raw units of that token."""
        return self.state(hop.pool).fee(hop.amount_in, hop.zero_for_one)

    def swap_gas(self, hops: Sequence[Hop]) -> int:
        """Estimate roughly what the swaps of hops cost."""
        return sum(self.state(hop.pool).gas(hop.amount_in, hop.zero_for_one) for hop in hops)

    def gas(self, hops: Sequence[Hop], *, unwraps: bool) -> int:
        """Estimate roughly what hops cost in SwapRouter02, transaction included."""
        return BASE_GAS + UNWRAP_GAS * unwraps + self.swap_gas(hops)

    def impact_bps(self, hops: Sequence[Hop]) -> int:
        """How much less hops give than at their pools' prices before the trade, fees aside; rounded up.

        The first hop's input token is the origin, the last one's output the destination; hops are in the order of the
        tokens' flow.
        """
        origin, destination = hops[0].token_in, hops[-1].token_out
        into: dict[str, int] = {}
        for hop in hops:
            into[hop.token_in] = into.get(hop.token_in, 0) + hop.amount_in
        ideal = {origin: Fraction(into[origin])}
        for hop in hops:
            share = Fraction(hop.amount_in - self.fee(hop), into[hop.token_in])
            gain = ideal[hop.token_in] * share * self.state(hop.pool).spot(hop.zero_for_one)
            ideal[hop.token_out] = ideal.get(hop.token_out, Fraction(0)) + gain
        most, real = ideal[destination], sum(hop.amount_out for hop in hops if hop.token_out == destination)
        lost = (most - real) / most if most else Fraction(0)
        return max(0, -(-lost.numerator * BASIS_POINTS // lost.denominator))
