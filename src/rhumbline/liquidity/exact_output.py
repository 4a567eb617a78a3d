"""The least input for a wanted output: plans are made for an input, so the input is searched for.

With a plan's pools and shares more in never gives less out, so the least input of a plan is found by bisection, to the
unit. A plan made for that input may do with less still; the search ends when one does not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp

from rhumbline.liquidity.execution import output_of, run_again
from rhumbline.liquidity.market import Hop, Market
from rhumbline.liquidity.plan import Found, Plan, Terms, find_plan, spot_price

MOST_PLANS = 16
ENOUGH = 1e-7
"""A plan that costs not even this part less than the best before is the last."""
LARGEST = 2**128


@dataclass(frozen=True, slots=True)
class Needed:
    """A plan that gives the target, or a little more, for ``input`` raw units; for one unit less it gives less.

    No plan over the same pools needs less than ``least``, except for rounding. ``cost`` is the input plus the gas of
    the swaps, in the input's raw units.
    """

    plan: Plan
    input: int
    least: float
    cost: float


def find_input(
    market: Market, terms: Terms, target: int, paths: Sequence[Sequence[str]]
) -> tuple[Needed | None, Found]:
    """Search for the plan that costs least and gives ``target`` raw units or more; ``terms.amount`` does not count.

    Returned with the search that was made last, which says whether ticks are missing. None where no plan that was tried
    gives so much.
    """
    price = spot_price(market, terms)
    amount = 0 if price is None else min(int(target / price) + 1, LARGEST)
    found, best = Found(None), None
    too_little, too_much = 0, LARGEST + 1
    for _ in range(MOST_PLANS):
        if not too_little < amount < too_much:
            break
        found = find_plan(market, replace(terms, amount=amount), paths)
        needed = None if found.plan is None else _needed(market, found.plan, amount, target)
        if needed is None:
            if best is not None:
                break
            if found.plan is None:
                too_much = amount
            else:
                too_little = amount
            amount = 2 * too_little if too_much > LARGEST else (too_little + too_much) // 2
        elif best is not None and needed.cost >= best.cost * (1 - ENOUGH):
            best = min(best, needed, key=lambda each: each.cost)
            break
        else:
            best, amount, too_little, too_much = needed, needed.input, 0, LARGEST + 1
    return best, found


def least_input(market: Market, hops: Sequence[Hop], target: int) -> int | None:
    """Return an input with which these pools and shares give as much, and with a unit less do not; None if none does.

    It is the least, unless a pool among them refuses some amounts and takes larger ones.
    """

    def gives(amount: int) -> int | None:
        again = run_again(market, hops, amount)
        return output_of(again) if again else None

    high = _enough(gives, sum(hop.amount_in for hop in hops if hop.token_in == hops[0].token_in), target)
    low = 0
    while high is not None and high - low > 1:
        middle = (low + high) // 2
        output = gives(middle)
        low, high = (low, middle) if output is not None and output >= target else (middle, high)
    return high


def _enough(gives: Callable[[int], int | None], amount: int, target: int) -> int | None:
    """Return a sufficient input, starting from an accepted one: double it as long as it is accepted."""
    taken, refused = amount, LARGEST + 1
    while True:
        output = gives(amount)
        if output is not None and output >= target:
            return amount
        taken, refused = (taken, amount) if output is None else (amount, refused)
        if refused - taken <= 1:
            return None
        amount = min(2 * taken, LARGEST) if refused > LARGEST else (taken + refused) // 2


def _needed(market: Market, plan: Plan, amount: int, target: int) -> Needed | None:
    """Bring a plan down, or up, to the input that suffices; its bounds move with the input, at the same prices."""
    least = least_input(market, plan.hops, target) if plan.output else None
    if least is None:
        return None
    hops = run_again(market, plan.hops, least)
    worth = exp(plan.dual.logs[hops[0].token_in])
    output, more = output_of(hops), worth * (least - amount)
    gas = market.swap_gas(hops) * plan.dual.gas_cost
    bound = plan.bound + more
    moved = replace(
        plan, hops=hops, output=output, net=output - gas, bound=bound, net_bound=plan.net_bound + more, floors={}
    )
    return Needed(moved, least, least - (bound - target) / worth, least * (1 + gas / target))
