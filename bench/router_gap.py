"""How far plans stay below what no plan can exceed, over seeded markets."""

import time
from statistics import median, quantiles

from bench.rows import Row
from rhumbline.liquidity.grid_search import grid_search, net_of
from rhumbline.liquidity.paths import token_paths
from rhumbline.liquidity.plan import Plan, Terms, find_plan
from tests.liquidity.made_market import made_market, token
from tests.liquidity.mixed_market import ANCHORS, NATIVE, SHARE, STAKE, mixed_market

SEEDS = range(6)
ORDERS = (1e3, 1e4, 1e5, 1e6)
TOKENS, POOLS = 30, 200
PAIRS = ((0, 5), (5, 1), (7, 11))
MIXED_PAIRS = ((NATIVE, 2), (2, 4), (STAKE, SHARE), (7, 3))
HOP_USD, HOP_GAS = 0.02, 70_000
GRID_POOLS = 40


async def run() -> list[Row]:
    """Split every order, once without gas and once at its price."""
    plans = [plan for gas_usd in (0.0, HOP_USD) for plan in _plans(gas_usd)]
    free, priced = plans[: len(plans) // 2], plans[len(plans) // 2 :]
    gross = [(1 - plan.output / plan.bound) * 1e4 for plan in free]
    net = [(1 - plan.net / plan.net_bound) * 1e4 for plan in priced]
    middle, high = median(gross), quantiles(gross, n=20)[-1]
    return [
        Row(
            name="router-gap",
            value=f"median {middle:.4f} bp, p95 {high:.4f} bp, {len(gross)} orders",
            goal="<= 0.05 bp, <= 0.5 bp",
            met=middle <= 0.05 and high <= 0.5,
        ),
        Row(
            name="router-gap-net",
            value=f"median {median(net):.4f} bp at ${HOP_USD} a hop",
            goal="<= 0.1 bp",
            met=median(net) <= 0.1,
        ),
        _over_all_kinds(),
        *_against_grid(),
    ]


def _over_all_kinds() -> Row:
    gaps = []
    for seed in SEEDS:
        market, usd = mixed_market(seed)
        anchors = [token(number) for number in ANCHORS]
        for origin, destination in MIXED_PAIRS:
            paths = token_paths(token(origin), token(destination), anchors)
            for worth in ORDERS[:-1]:
                terms = Terms(token(origin), token(destination), int(worth / usd[origin]), token(NATIVE), 0, forks=True)
                plan = find_plan(market, terms, paths).plan
                assert plan is not None
                gaps.append((1 - plan.output / plan.bound) * 1e4)
    return Row(
        name="router-gap-kinds",
        value=f"median {median(gaps):.4f} bp, p90 {quantiles(gaps, n=10)[-1]:.2f} bp, {len(gaps)} orders",
        goal="<= 0.05 bp median",
        met=median(gaps) <= 0.05,
    )


def _against_grid() -> list[Row]:
    """Compare with the percent grid over the same pools, CPU time and net output."""
    gains, ratios = [], []
    for seed in SEEDS:
        market, usd = made_market(seed, 6, GRID_POOLS)
        for state in market.states.values():
            assert state is None or all((state.ladder(True), state.ladder(False)))
        for worth in ORDERS:
            amount, gas_price = int(worth / usd[0]), int(HOP_USD / HOP_GAS / usd[1])
            paths = token_paths(token(0), token(5), [token(number) for number in range(5)])
            begun = time.process_time()
            plan = find_plan(market, Terms(token(0), token(5), amount, token(1), gas_price, forks=True), paths).plan
            between = time.process_time()
            assert plan is not None
            pools = [pool for some in market.pools.values() for pool in some]
            parts = grid_search(market, pools, token(0), token(5), amount, plan.dual.gas_cost)
            ratios.append((between - begun) / (time.process_time() - between))
            if parts:
                other = net_of(parts)
                gains.append((plan.net / other - 1) * 1e4)
    return [
        Row(
            name="router-time",
            value=f"1/{1 / median(ratios):.0f} in the median, 1/{1 / max(ratios):.0f} at most",
            goal="<= 1/4 of the percent grid",
            met=median(ratios) <= 0.25,
        ),
        Row(
            name="router-net",
            value=f"{median(gains):+.2f} bp median, {min(gains):+.3f} least, {len(gains)} orders",
            goal="never below",
            met=min(gains) >= 0,
        ),
    ]


def _plans(gas_usd: float) -> list[Plan]:
    plans = []
    for seed in SEEDS:
        market, usd = made_market(seed, TOKENS, POOLS)
        for origin, destination in PAIRS:
            paths = token_paths(token(origin), token(destination), [token(number) for number in range(5)])
            for worth in ORDERS:
                gas_price = int(gas_usd / HOP_GAS / usd[1])
                amount = int(worth / usd[origin])
                terms = Terms(token(origin), token(destination), amount, token(1), gas_price, forks=True)
                if (plan := find_plan(market, terms, paths).plan) is not None:
                    plans.append(plan)
    return plans
