"""Pools with their states at one block, and what a sequence of hops through them costs."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.liquidity.kinds.kind import HopKind
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pair, Pool, pair_of
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.liquidity.kinds.unswappable import Unswappable

FRAME_GAS = 89_000
"""Gas of a swap through the Diamond beside its pools: the transaction, two contracts, and the tokens' ways."""
BETWEEN_GAS = 15_000
"""Gas of a token that a plan only passes through: the Executor's balance of it is written twice."""
NATIVE_GAS = 25_000
"""Gas of wrapping or unwrapping the native asset at an end of a plan."""
ROUTER_GAS, ROUTER_HOP_GAS = 39_000, 13_000
"""Gas of SwapRouter02: of a call, and of each pool in addition to the pool's own."""
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


def contract_of(pool: Pool) -> str:
    """Return the contract that a plan may use only once: a trade with one of its pools moves its others.

    That is the pool's contract, except for V4, whose pools are independent of each other.
    """
    return pool.key if KINDS[pool.kind].hop is HopKind.V4 else pool.address


@dataclass(frozen=True, slots=True)
class Market:
    """Pools by pair, and states by the pools' keys: None for a pool that cannot be swapped with."""

    pools: Mapping[Pair, tuple[Pool, ...]]
    states: dict[str, PoolState | None]

    def state(self, pool: Pool) -> PoolState:
        """Return the state of a pool that can be swapped with; Unswappable for another."""
        state = self.states[pool.key]
        if state is None:
            raise Unswappable("the pool is not initialised, or locked")
        return state

    def hop(self, pool: Pool, token_in: str, amount: int) -> Hop:
        """Swap an amount; raise Unswappable where the pool does not take it."""
        output = self.state(pool).output(amount, pool.zero_for_one(token_in))
        return Hop(pool, token_in, pool.other(token_in), amount, output)

    def best_hop(self, token_in: str, token_out: str, amount: int, without: Container[str] = ()) -> Hop | None:
        """Return the hop of a pair that gives the most; None when no pool takes the amount.

        ``without`` are contracts (``contract_of``) that may not be used.
        """
        hops = []
        for pool in self.pools.get(pair_of(token_in, token_out), ()):
            if contract_of(pool) in without:
                continue
            try:
                hops.append(self.hop(pool, token_in, amount))
            except Unswappable:
                continue
        return min(hops, key=lambda hop: (-hop.amount_out, hop.pool.key), default=None)

    def fee(self, hop: Hop) -> int:
        """Exactly what the pool keeps of a hop's input as its fee, in raw units of that token."""
        return self.state(hop.pool).fee(hop.amount_in, hop.zero_for_one)

    def swap_gas(self, hops: Sequence[Hop]) -> int:
        """Estimate the gas of hops, whoever calls their pools: the part that differs between plans of one order."""
        between = {hop.token_in for hop in hops} & {hop.token_out for hop in hops}
        return self._pool_gas(hops) + BETWEEN_GAS * len(between)

    def plan_gas(self, hops: Sequence[Hop], *, wraps: bool, unwraps: bool) -> int:
        """Estimate what a swap through the Diamond costs, whose Executor calls the pools; transaction included."""
        return FRAME_GAS + NATIVE_GAS * (wraps + unwraps) + self.swap_gas(hops)

    def router_gas(self, hops: Sequence[Hop], *, unwraps: bool) -> int:
        """Estimate what hops cost in SwapRouter02, transaction included."""
        return ROUTER_GAS + UNWRAP_GAS * unwraps + self._pool_gas(hops) + ROUTER_HOP_GAS * len(hops)

    def _pool_gas(self, hops: Sequence[Hop]) -> int:
        return sum(self.state(hop.pool).gas(hop.amount_in, hop.zero_for_one) for hop in hops)

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
