"""Simulation on a chain's own node: one bundle for the verdict, and one more for the gas limit."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from time import monotonic
from typing import TypeVar

import structlog

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.gateways.nodes.endpoint import LACKING_FOR_S
from rhumbline.gateways.nodes.evm.rpc import CallResult, EvmRpc, RpcError, hex_bytes, quantity
from rhumbline.simulation.evm.bundle import (
    MOST_GAS,
    Bundle,
    RunDetail,
    as_stand_in,
    bundle_of,
    overrides_of,
    run_bundle,
)
from rhumbline.simulation.evm.gas_price import GasPrice, GasReader
from rhumbline.simulation.evm.means import lacks_method
from rhumbline.simulation.evm.single_call import LACKING, UNSEEN, CannotMeasure, measure
from rhumbline.simulation.evm.slots import Slot, SlotFinder
from rhumbline.simulation.evm.task import EvmSimulationTask
from rhumbline.simulation.evm.transfer_tax import Parcel, find_tax
from rhumbline.simulation.evm.verdict import is_misread, is_unapproved, judge
from rhumbline.simulation.verdict import Finding, simulation_of

# Refunds hide up to a fifth of the gas, and of what is left a call passes on 63/64 only: the first factor covers the
# refunds, the constant one new storage slot; where calls are nested deep the larger ones do.
_GAS_FACTORS = ((5, 4), (8, 5), (5, 2))
_GAS_SPARE = 25_000
# There is code at this address on Arbitrum One and every other chain of Nitro, and nowhere else.
_ARB_SYS = "0x0000000000000000000000000000000000000064"

T = TypeVar("T")


class RpcSimulator:
    """Simulates on one chain through its node, within ``budget_s`` seconds; works for wallets without funds.

    It caches where tokens store their balances, that a node lacks ``eth_simulateV1``, and whether the chain's gas is
    like Arbitrum's.
    """

    def __init__(
        self, rpc: EvmRpc, gas: GasReader, budget_s: float = 1.5, now: Callable[[], float] = monotonic
    ) -> None:
        self._rpc = rpc
        self._gas = gas
        self._budget_s = budget_s
        self._slots = SlotFinder(rpc)
        self._now = now
        self._lacking_until: float | None = None
        self._like_arbitrum: bool | None = None

    async def simulate(self, task: EvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        started = monotonic()
        budget = self._budget_s if budget_s is None else min(budget_s, self._budget_s)
        until = asyncio.get_running_loop().time() + max(budget, 0.0)
        bundle: Bundle | None = None
        try:
            async with asyncio.timeout_at(until):
                bundle, finding = await self._run(await self.prepared(task))
        except TimeoutError:
            finding = Finding(ExecutionStatus.TIMEOUT, reason=f"no result within {budget:.1f} s")
        except CannotMeasure:
            finding = Finding(ExecutionStatus.UNSUPPORTED, reason=LACKING)
        except NodeUnavailable as error:
            finding = Finding(ExecutionStatus.ERROR, reason=str(error))
        except RpcError as error:
            finding = Finding(ExecutionStatus.ERROR, reason=f"the node refused the simulation: {error.message}")
        except Exception:
            structlog.get_logger().exception("simulation_failed", chain=self._rpc.name)
            finding = Finding(ExecutionStatus.ERROR, reason="the simulation failed unexpectedly")
        latency_ms = round((monotonic() - started) * 1000)
        limit: int | None = None
        if bundle is not None:
            finding, limit = await self._second_look(bundle, finding, until)
        return simulation_of(task, finding, latency_ms, limit)

    async def prepared(self, task: EvmSimulationTask) -> Bundle:
        """Return the run of a task for a wallet that has just the input; raise RpcError or NodeUnavailable."""
        # A quote has just read the price, and a token's slot is looked for once: as tasks the two would cost more.
        price = await self._price()
        slot = None if task.input_token == NATIVE_EVM else await self._slots.balance(task.input_token)
        return await self._funded(bundle_of(task, price), slot)

    async def _price(self) -> GasPrice | None:
        try:
            return await self._gas.read()
        except (RpcError, NodeUnavailable):
            return None

    async def _funded(self, bundle: Bundle, slot: Slot | None) -> Bundle:
        """Give the actor exactly the input; flags beside the balance are kept as they are."""
        if slot is None:
            return replace(bundle, balance_word=None, asks_balance=True)
        key = slot.layout.key(bundle.actor)
        present = bytes(32)
        if slot.width < 256:
            place = [bundle.task.input_token, "0x" + key.hex(), "latest"]
            present = hex_bytes(await self._rpc.call("eth_getStorageAt", place)).rjust(32, b"\x00")
        word = slot.word(bundle.task.input_amount, present)
        return replace(bundle, balance_word=None if word is None else (key, word), asks_balance=word is None)

    async def _run(self, bundle: Bundle) -> tuple[Bundle, Finding]:
        results, detail = await self._ask(bundle)
        if is_misread(bundle, results):
            # The token's code changed since its layout was found; the actual balance may be sufficient.
            self._slots.forget(bundle.task.input_token)
            bundle = replace(bundle, balance_word=None)
            results, detail = await self._ask(bundle)
        if is_unapproved(results) and not bundle.reset:
            # It may accept an approval only if there is none; every other token is spared the call.
            bundle = replace(bundle, reset=True)
            results, detail = await self._ask(bundle)
        finding = judge(bundle, results, detail)
        if bundle.reset:
            finding = replace(finding, reset=True)
        if detail is RunDetail.NOTHING and finding.status is ExecutionStatus.SUCCESS:
            finding = replace(finding, reason=finding.reason or UNSEEN)
        return bundle, finding

    @property
    def _bundles(self) -> bool:
        """Whether the node may have ``eth_simulateV1``; a node without it is tried again after a while."""
        return self._lacking_until is None or self._now() >= self._lacking_until

    async def _ask(self, bundle: Bundle) -> tuple[Mapping[str, CallResult], RunDetail]:
        if self._bundles:
            try:
                return await run_bundle(self._rpc, bundle), RunDetail.ALL
            except RpcError as error:
                if not lacks_method(error):
                    raise
                if self._rpc.lacks("eth_simulateV1"):
                    self._lacking_until = self._now() + LACKING_FOR_S
        return await measure(self._rpc, bundle), RunDetail.NOTHING

    async def _second_look(self, bundle: Bundle, finding: Finding, until: float) -> tuple[Finding, int | None]:
        """With the time that is left: try the gas limit, or find out whose fault a failure is."""
        if finding.status is ExecutionStatus.REVERTED:
            blame = self._within(until, self._blame(bundle, finding), finding)
            if bundle.asks_balance:
                return await blame, None
            # Where a run succeeds, the wallet had enough; where it fails, the override may have missed.
            bundle_asking = replace(bundle, asks_balance=True)
            again = self._within(until, self._run(bundle_asking), (bundle_asking, finding))
            blamed, (bundle, seen) = await asyncio.gather(blame, again)
            return (blamed, None) if seen == finding else await self._second_look(bundle, seen, until)
        if finding.status is not ExecutionStatus.SUCCESS:
            return finding, None
        task = bundle.task
        # What a wallet transfers to a bridge itself is not measured here: a tax on the way is visible nowhere else.
        unmeasured = task.output_token is None and task.stand_in_data is None
        limit = self._within(until, self._gas_limit(bundle, finding.gas or 0), None)
        if not unmeasured and (finding.output is None or finding.output >= task.advertised_output):
            return finding, await limit
        # Concurrently: whoever waits for the best of several waits for the slowest of them.
        looked, found, output = await asyncio.gather(
            self._within(until, self._taxed(task, finding), finding),
            limit,
            self._within(until, self._stand_in_output(bundle, finding), None),
        )
        return replace(looked, stand_in_output=output), found

    async def _within(self, until: float, work: Awaitable[T], otherwise: T) -> T:
        try:
            async with asyncio.timeout_at(until):
                return await work
        except (TimeoutError, RpcError, NodeUnavailable, CannotMeasure):
            return otherwise
        except Exception:
            structlog.get_logger().exception("second_look_failed", chain=self._rpc.name)
            return otherwise

    async def _blame(self, bundle: Bundle, finding: Finding) -> Finding:
        other = as_stand_in(bundle)
        if other == bundle:
            return await self._taxed(bundle.task, finding)
        taxed, second = await asyncio.gather(
            self._taxed(bundle.task, finding), self._elsewhere(bundle, other), return_exceptions=True
        )
        if isinstance(taxed, BaseException):
            raise taxed
        if taxed.objection is not None:
            return taxed
        if isinstance(second, BaseException):
            raise second
        if second.status is not ExecutionStatus.SUCCESS:
            return finding
        # Another wallet's result says nothing about this one's: a contract may distinguish them.
        reason = f"{finding.reason}; it succeeds for another wallet"
        return replace(finding, wallet_fault=True, reason=reason, objection=second.objection)

    async def _stand_in_output(self, bundle: Bundle, finding: Finding) -> int | None:
        """Return what another wallet gains where this receiver gained too little: it may have passed something on."""
        other = as_stand_in(bundle)
        if finding.output is None or bundle.task.stand_in_data is None or other == bundle:
            return None
        return (await self._elsewhere(bundle, other)).output

    async def _elsewhere(self, bundle: Bundle, other: Bundle) -> Finding:
        slot = None if bundle.balance_word is None else await self._slots.balance(bundle.task.input_token)
        return (await self._run(await self._funded(other, slot)))[1]

    async def _taxed(self, task: EvmSimulationTask, finding: Finding) -> Finding:
        if not self._bundles:
            return finding
        parcels = [Parcel(task.input_token, task.input_amount)]
        if task.output_token is not None:
            parcels.append(Parcel(task.output_token, task.advertised_output))
        tax = await find_tax(self._rpc, self._slots, parcels)
        return finding if tax is None else replace(finding, objection=tax)

    async def _gas_limit(self, bundle: Bundle, used: int) -> int | None:
        """Return the smallest limit tried at which the transaction succeeds, or what the node estimates."""
        bundle = replace(bundle, task=replace(bundle.task, output_token=None, deposit=None))
        if self._like_arbitrum is None:
            self._like_arbitrum = await is_like_arbitrum(self._rpc)
        if self._like_arbitrum or not self._bundles:
            return await estimated_limit(self._rpc, self._slots, bundle)
        for numerator, denominator in _GAS_FACTORS:
            limit = min(used * numerator // denominator + _GAS_SPARE, MOST_GAS)
            trial = replace(bundle, gas_limit=limit)
            results = await run_bundle(self._rpc, trial)
            if results["main"].ok:
                return limit
        return None


async def is_like_arbitrum(rpc: EvmRpc) -> bool:
    """Return whether a transaction also pays in gas for its place on the chain below, which only an estimate knows.

    So it is on Arbitrum (https://docs.arbitrum.io/how-arbitrum-works/gas-fees, read 2026-11). Raise NodeUnavailable.
    """
    try:
        return bool(hex_bytes(await rpc.call("eth_getCode", [_ARB_SYS, "latest"])))
    except RpcError as error:
        raise NodeUnavailable(f"{rpc.name}: {error.message}") from None


async def estimated_limit(rpc: EvmRpc, slots: SlotFinder, bundle: Bundle) -> int | None:
    """Return a quarter more gas than the node estimates, None for a token whose allowances are nowhere known.

    Nothing can be approved before the call, so the allowance is overridden as the balance is. Raise RpcError or
    NodeUnavailable.
    """
    task, overrides = bundle.task, overrides_of(bundle)
    if task.spender is not None:
        slot = await slots.allowance(task.input_token)
        word = None if slot is None else slot.word(task.input_amount, bytes(32))
        if slot is None or word is None:
            return None
        places = overrides.setdefault(task.input_token, {}).setdefault("stateDiff", {})
        if isinstance(places, dict):
            places["0x" + slot.layout.key(bundle.actor, task.spender).hex()] = "0x" + word.hex()
    units = quantity(await rpc.call("eth_estimateGas", [bundle.call, "latest", overrides]))
    return min(units * 5 // 4, MOST_GAS)
