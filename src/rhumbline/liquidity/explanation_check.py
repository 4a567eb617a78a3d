"""Recomputes an explained answer: only the pools' states are trusted, and of those only consistent values.

The search is not trusted. For any prices, the order's worth plus the gain of each pool alone at these prices is more
than any plan over these pools can give; so the bound is recomputed at the explanation's own prices. Imports the kinds
of pools and nothing else of this package.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from math import exp, isclose
from typing import Any

from rhumbline.liquidity.kinds.kind import HopKind
from rhumbline.liquidity.kinds.ladder import most_gain
from rhumbline.liquidity.kinds.pool_state import PoolState, both_ladders
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.written_state import read_pool

Document = Mapping[str, Any]
ENGINE = "1"
CLOSE = 1e-9
"""How far floats of two machines may differ."""
SHARE_BITS = 32


def digest_of(document: Document) -> str:
    """Return the SHA-256 over all members but ``digest``, written with sorted names and without blanks."""
    body = {name: value for name, value in document.items() if name != "digest"}
    return sha256(json.dumps(body, sort_keys=True, separators=(",", ":"), default=repr).encode()).hexdigest()


def check(document: Document) -> list[str]:
    """Return the faults of an explanation, in sentences that name the member; empty if there is none."""
    faults = []
    if document.get("digest") != digest_of(document):
        faults.append("digest: it is not that of the document, so something in it was altered")
    if document.get("engine") != ENGINE:
        return [*faults, f"engine: this is for {ENGINE!r}, the explanation is of {document.get('engine')!r}"]
    try:
        return [*faults, *_Check(document).faults()]
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, IndexError, Unswappable) as error:
        return [*faults, f"the document has not the form of an explanation: {type(error).__name__}: {error}"]


def pools_of(document: Document) -> dict[str, tuple[Pool, PoolState]]:
    """Read the pools with their states, by their keys; raise KeyError, TypeError or ValueError."""
    found = {}
    for each in document["pools"]:
        pool, state = read_pool(each)
        found[pool.key] = pool, state
    if len(found) != len(document["pools"]):
        raise ValueError("pools: one is there twice")
    return found


@dataclass(slots=True)
class _Check:
    document: Document
    pools: Mapping[str, tuple[Pool, PoolState]] = field(init=False)
    prices: Mapping[str, float] = field(init=False)

    def faults(self) -> list[str]:
        document = self.document
        self.pools = pools_of(document)
        self.prices = {token: exp(float(log)) for token, log in document["dual"].items()}
        faults = self._plan_faults()
        gas, net = document["gas"], float(document["gas"]["net"])
        unit_cost = int(gas["price"]) * self.prices.get(gas["native"], 0.0)
        gross_bound, net_bound = self._bounds(unit_cost)
        output = int(document["output"]["amount"])
        numbers = [
            ("dual, of what is bought", self.prices[document["output"]["token"]], 1.0),
            ("gas.price", int(gas["price"]), int(document["block"]["baseFee"])),
            ("gas.swaps", int(gas["swaps"]), self._gas()),
            ("gas.unitCost", float(gas["unitCost"]), unit_cost),
            ("gas.net", net, output - int(gas["swaps"]) * unit_cost),
            ("bound.gross", float(document["bound"]["gross"]), gross_bound),
            ("bound.net", float(document["bound"]["net"]), net_bound),
        ]
        for name, stated, found in numbers:
            # The net is a difference, whose digits may cancel each other out.
            slack = CLOSE * output if name == "gas.net" else 0.0
            if not (
                stated == found if isinstance(found, int) else isclose(stated, found, rel_tol=CLOSE, abs_tol=slack)
            ):
                faults.append(f"{name}: it is {stated}, recomputed {found}")
        if output > gross_bound * (1 + CLOSE) or net > net_bound + CLOSE * output:
            faults.append("bound: the output is above what no plan over these pools exceeds")
        for name, floor in document["floors"].items():
            if float(floor) > net + CLOSE * output:
                faults.append(f"floors.{name}: a simpler search nets more than the plan")
        return faults

    def _plan_faults(self) -> list[str]:
        """Run the hops as the Executor does, with the stated shares."""
        faults: list[str] = []
        have = {self.document["input"]["token"]: int(self.document["input"]["amount"])}
        used = [self.pools[hop["pool"]][0] for hop in self.document["plan"]]
        if len({pool.key if KINDS[pool.kind].hop is HopKind.V4 else pool.address for pool in used}) != len(used):
            faults.append("plan: a contract is used twice, so its second trade finds another state")
        for number, hop in enumerate(self.document["plan"]):
            pool, state = self.pools[hop["pool"]]
            sold, bought, share = hop["tokenIn"], hop["tokenOut"], int(hop["share"])
            rest = have.get(sold, 0)
            part = rest * share >> SHARE_BITS if share else rest
            if {sold, bought} != {pool.token0, pool.token1} or not 0 <= share < 1 << SHARE_BITS:
                faults.append(f"plan[{number}]: the pool has other tokens, or the share is none")
            try:
                output = state.output(part, pool.zero_for_one(sold))
            except Unswappable as refused:
                return [*faults, f"plan[{number}]: {refused.reason}"]
            for name, found in (("amountIn", part), ("amountOut", output)):
                if int(hop[name]) != found:
                    faults.append(f"plan[{number}].{name}: it is {hop[name]}, recomputed {found}")
            have[sold] = rest - part
            have[bought] = have.get(bought, 0) + output
        left = {token: amount for token, amount in have.items() if amount}
        if left != {self.document["output"]["token"]: int(self.document["output"]["amount"])}:
            faults.append(f"output: at the end of the plan there is {left}")
        return faults

    def _gas(self) -> int:
        hops = [(*self.pools[hop["pool"]], hop) for hop in self.document["plan"]]
        between = {hop["tokenIn"] for *_, hop in hops} & {hop["tokenOut"] for *_, hop in hops}
        swaps = (state.gas(int(hop["amountIn"]), pool.zero_for_one(hop["tokenIn"])) for pool, state, hop in hops)
        return sum(swaps) + int(self.document["gas"]["between"]) * len(between)

    def _bounds(self, unit_cost: float) -> tuple[float, float]:
        """Return the order's worth plus what the pools gain, and the same with the least gas of each taken off."""
        logs = {token: float(log) for token, log in self.document["dual"].items()}
        gross = net = self.prices[self.document["input"]["token"]] * float(self.document["input"]["amount"])
        for pool, state in self.pools.values():
            try:
                ladders = both_ladders(state)
            except Unswappable:
                continue
            ratio = 0.5 * (logs[pool.token1] - logs[pool.token0])
            if ladders[0].ends_before(ratio) or ladders[1].ends_before(-ratio):
                raise ValueError(f"pools: the state of {pool.key} does not reach as far as the prices")
            gain = most_gain(ladders, ratio, self.prices[pool.token0], self.prices[pool.token1])
            gross, net = gross + gain, net + max(0.0, gain - state.least_gas * unit_cost)
        return gross, net
