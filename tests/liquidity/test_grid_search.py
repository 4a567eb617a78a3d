"""The percent grid: its answer runs as it was counted, and it is what it says."""

from itertools import pairwise

import pytest

from rhumbline.liquidity.execution import output_of
from rhumbline.liquidity.grid_search import Part, grid_search, net_of, run_parts
from rhumbline.liquidity.market import Market, contract_of
from rhumbline.liquidity.plan import FEW_UNITS, Terms, find_plan
from tests.liquidity.made_market import made_market, token
from tests.liquidity.test_plan import PATHS, planned


def searched(market: Market, amount: int, gas_cost: float = 0.0) -> tuple[Part, ...]:
    pools = [pool for some in market.pools.values() for pool in some]
    return grid_search(market, pools, token(0), token(5), amount, gas_cost)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("worth", [1e3, 1e5])
def test_its_parts_run_as_they_were_counted(seed: int, worth: float) -> None:
    market, usd = made_market(seed, 6, 16)
    amount = int(worth / usd[0])
    parts = searched(market, amount)
    assert sum(part.percent for part in parts) == 100
    hops = run_parts(market, parts, amount)
    assert sum(hop.amount_in for hop in hops if hop.token_in == token(0)) == amount
    assert output_of(hops) == pytest.approx(net_of(parts), rel=1e-7)
    assert len({contract_of(hop.pool) for hop in hops}) == len(hops)
    for part in parts:
        assert all(one.token_out == other.token_in for one, other in pairwise(part.hops))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("gas_usd", [0.3, 20.0])
def test_a_plan_is_never_below_it_where_the_bound_leaves_room(seed: int, gas_usd: float) -> None:
    market, usd = made_market(seed, 6, 16)
    amount, price = int(1e4 / usd[0]), int(gas_usd / 70_000 / usd[1])
    plan = planned(find_plan(market, Terms(token(0), token(5), amount, token(1), price, forks=True), PATHS))
    parts = searched(market, amount, plan.dual.gas_cost)
    assert plan.net >= net_of(parts) * (1 - 1e-7) or plan.net >= plan.net_bound * (1 - 1e-4)


def test_a_plan_is_never_below_it_where_what_pools_round_off_counts() -> None:
    """1,835,668 raw units of a token with 8 decimals: a split at another unit may bring one unit's worth more."""
    market, usd = made_market(2, 6, 40)
    amount, price = int(1e4 / usd[0]), int(0.02 / 70_000 / usd[1])
    assert amount < FEW_UNITS
    plan = planned(find_plan(market, Terms(token(0), token(5), amount, token(1), price, forks=True), PATHS))
    assert plan.net >= net_of(searched(market, amount, plan.dual.gas_cost))


def test_more_gas_leaves_fewer_parts_and_nothing_has_none() -> None:
    market, usd = made_market(0, 6, 16)
    amount = int(1e6 / usd[0])
    free, dear = searched(market, amount), searched(market, amount, 1e4 / 70_000 / usd[5])
    assert len(dear) < len(free)
    assert searched(market, 10**45) == ()
    assert run_parts(market, (), amount) == ()
