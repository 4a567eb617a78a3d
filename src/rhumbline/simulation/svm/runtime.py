"""Simulation on a Solana chain's own node, by the accounts afterwards.

A node has no state overrides, so a wallet is simulated with its actual funds. It returns no amounts either: the
accounts that the transaction may write are read before, and the node returns them as they are afterwards.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from time import monotonic

import structlog

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.simulation import ExecutionStatus, Simulation, SimulationSource
from rhumbline.gateways.nodes.svm import answers
from rhumbline.gateways.nodes.svm.answers import AccountsAt
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.compute_budget import network_fee
from rhumbline.gateways.svm.programs import SPL_PROGRAMS, STAKES, SYSTEM
from rhumbline.simulation.svm.run import Run, State, expected_rent
from rhumbline.simulation.svm.task import SvmSimulationTask
from rhumbline.simulation.svm.verdict import failed, judge, with_objection
from rhumbline.simulation.svm.wallet import lack_of
from rhumbline.simulation.verdict import Finding, simulation_of

_TRIES = 3
_NO_METHOD = -32601


class SvmSimulator:
    """Simulates on one chain through its node, within ``budget_s`` seconds."""

    def __init__(self, rpc: SvmRpc, budget_s: float = 1.5) -> None:
        self._rpc = rpc
        self._state = SharedState(rpc)
        self._budget_s = budget_s

    async def simulate(self, task: SvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        started = monotonic()
        budget = max(0.0, self._budget_s if budget_s is None else min(budget_s, self._budget_s))
        try:
            async with asyncio.timeout(budget):
                finding = await self._run(task)
        except TimeoutError:
            finding = Finding(ExecutionStatus.TIMEOUT, reason=f"no result within {budget:.1f} s")
        except NodeUnavailable as error:
            finding = Finding(ExecutionStatus.ERROR, reason=str(error))
        except SvmRpcError as error:
            status = ExecutionStatus.UNSUPPORTED if error.code == _NO_METHOD else ExecutionStatus.ERROR
            finding = Finding(status, reason=f"the node refused the simulation: {error}")
        except Exception:
            structlog.get_logger().exception("simulation_failed", chain=self._rpc.name)
            finding = Finding(ExecutionStatus.ERROR, reason="the simulation failed unexpectedly")
        latency_ms = round((monotonic() - started) * 1000)
        return simulation_of(task, with_objection(task, finding), latency_ms, source=SimulationSource.SOLANA_RUNTIME)

    async def _run(self, task: SvmSimulationTask) -> Finding:
        fee = network_fee(task.transaction)
        rent = await self._state.rent()
        first = await self._page(task)
        before, simulation, after = await self._around(task, first)
        outdated = not _same(task, first, before)
        if simulation.error is not None:
            shortage = lack_of(task, fee, rent, State(before.found), simulation.error)
            finding = failed(simulation, simulation.error, shortage)
            return replace(finding, rent=expected_rent(task, rent, State(before.found)), outdated=outdated)
        finding = judge(Run(task, fee, rent, State(before.found), State(after)), simulation.units)
        return replace(finding, outdated=outdated)

    async def _page(self, task: SvmSimulationTask, *, anew: bool = False) -> AccountsAt:
        return await self._state.page(tuple(dict.fromkeys((task.sender, *task.writable))), anew=anew)

    async def _around(
        self, task: SvmSimulationTask, before: AccountsAt
    ) -> tuple[AccountsAt, answers.Simulation, Mapping[str, Account | None]]:
        """Return the accounts before, the run, and the accounts after it, of one and the same state."""
        for _ in range(_TRIES):
            addresses = _compared(task, before)
            simulation = await self._rpc.simulate(task.transaction, addresses)
            if simulation.error is not None:
                moved = simulation.slot != before.slot
                return await self._page(task, anew=True) if moved else before, simulation, {}
            again = before if simulation.slot == before.slot else await self._page(task, anew=True)
            if _same(task, before, again):
                # Accounts that were not requested cannot have become the sender's, the receiver's or the bridge's.
                return before, simulation, dict(zip(addresses, simulation.accounts, strict=True))
            before = again
        raise NodeUnavailable("the accounts change too quickly for a simulation")


def _same(task: SvmSimulationTask, before: AccountsAt, again: AccountsAt) -> bool:
    """Return whether nothing relevant changed between two reads of the accounts."""
    same = all(again.found[address] == before.found[address] for address in _counted(task, before))
    return same and _compared(task, again) == _compared(task, before)


def _compared(task: SvmSimulationTask, before: AccountsAt) -> tuple[str, ...]:
    """Choose the accounts to compare after the run: all except those of other programs.

    An account that the token programs do not own now, and that exists, cannot hold tokens afterwards.
    """
    named = {task.sender, task.receiver, *(() if task.deposit is None else task.deposit.holders), *_paying(task)}
    return tuple(
        address
        for address, account in before.found.items()
        if account is None or address in named or account.owner in _KEEPERS
    )


def _counted(task: SvmSimulationTask, before: AccountsAt) -> tuple[str, ...]:
    """Choose the accounts whose balances decide; a pool's may change from slot to slot."""
    tokens = State(before.found).tokens
    people = {task.sender, task.receiver, *_paying(task)}
    named = people | ({task.deposit.token, *task.deposit.holders} if task.deposit is not None else set())
    return tuple(at for at in before.found if at in named or (at in tokens and tokens[at].owner in people))


def _paying(task: SvmSimulationTask) -> tuple[str, ...]:
    return () if task.fee_payer is None else (task.fee_payer.address,)


_KEEPERS = SPL_PROGRAMS | {SYSTEM, STAKES}
