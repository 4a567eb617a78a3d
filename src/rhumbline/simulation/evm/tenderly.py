"""Tenderly: simulations by a second provider.

https://docs.tenderly.co/api-reference/simulations/simulate-transaction, read 2026-11: ``POST
/api/v1/account/{account}/project/{project}/simulate`` with the header ``X-Access-Key``. ``simulation_type: quick``
leaves logs undecoded, ``state_objects`` overrides balances, code and single storage slots, ``save: false`` keeps
nothing in the dashboard. One request is one simulation of the account's plan. Not tried live.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from types import MappingProxyType
from urllib.parse import quote

import structlog
from pydantic import ValidationError

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.simulation import ExecutionStatus, Simulation, SimulationSource
from rhumbline.gateways.nodes.evm.rpc import Log, RpcError
from rhumbline.gateways.upstreams.fields import Answer, EvmAddress, HexBytes
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamError
from rhumbline.simulation.evm.bundle import Bundle, RunDetail, bundle_of
from rhumbline.simulation.evm.single_call import overrides, read_output, transaction
from rhumbline.simulation.evm.task import EvmSimulationTask
from rhumbline.simulation.evm.verdict import is_misread, judge
from rhumbline.simulation.verdict import Finding, simulation_of

URL = "https://api.tenderly.co"
KEY_HEADER = "X-Access-Key"
_NAMES: Mapping[str, str] = MappingProxyType({"stateDiff": "storage"})


class RawLog(Answer):
    """A log as the chain has it."""

    address: EvmAddress
    topics: list[HexBytes]
    data: HexBytes


class LogEntry(Answer):
    """A log, here undecoded."""

    raw: RawLog


class CallTrace(Answer):
    """The outermost call."""

    output: HexBytes


class TransactionInfo(Answer):
    """What the transaction did; ``logs`` is null where there are none."""

    call_trace: CallTrace
    logs: list[LogEntry] | None = None


class Ran(Answer):
    """The transaction; ``status`` is False where it reverts, which the measuring program never does."""

    status: bool
    transaction_info: TransactionInfo


class Simulated(Answer):
    """The answer, as far as it is read."""

    transaction: Ran


@dataclass(frozen=True, slots=True)
class TenderlySimulator:
    """Simulates a chain's tasks at Tenderly, within ``budget_s`` seconds; ``prepare`` determines the state.

    It uses an account and its project, by their slugs. A wallet's own faults are not distinguished from the route's
    here.
    """

    upstream: Upstream
    account: str
    project: str
    prepare: Callable[[EvmSimulationTask], Awaitable[Bundle]]
    budget_s: float = 1.5

    async def simulate(self, task: EvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        started = monotonic()
        budget = max(0.0, self.budget_s if budget_s is None else min(budget_s, self.budget_s))
        try:
            async with asyncio.timeout(budget):
                finding = await self._run(task)
        except TimeoutError:
            finding = Finding(ExecutionStatus.TIMEOUT, reason=f"no result within {budget:.1f} s")
        except (UpstreamError, NodeUnavailable) as error:
            finding = Finding(ExecutionStatus.ERROR, reason=str(error))
        except ValidationError:
            finding = Finding(ExecutionStatus.ERROR, reason=f"{self.upstream.name} answered something else")
        except Exception:
            structlog.get_logger().exception("simulation_failed", chain=task.chain_id, source=self.upstream.name)
            finding = Finding(ExecutionStatus.ERROR, reason="the simulation failed unexpectedly")
        latency_ms = round((monotonic() - started) * 1000)
        return simulation_of(task, finding, latency_ms, source=SimulationSource.TENDERLY)

    async def _run(self, task: EvmSimulationTask) -> Finding:
        bundle = await self._prepared(task)
        path = f"/api/v1/account/{quote(self.account, safe='')}/project/{quote(self.project, safe='')}/simulate"
        answer = Simulated.model_validate(await self.upstream.post(path, request(bundle)))
        info = answer.transaction.transaction_info
        if not answer.transaction.status:
            raise NodeUnavailable(f"{self.upstream.name} could not run the transaction")
        logs = tuple(Log(each.raw.address.lower(), tuple(each.raw.topics), each.raw.data) for each in info.logs or ())
        results = read_output(bundle, info.call_trace.output, logs)
        if is_misread(bundle, results):
            return Finding(ExecutionStatus.UNSUPPORTED, reason="the token keeps its balances somewhere else")
        return judge(bundle, results, RunDetail.LOGS)

    async def _prepared(self, task: EvmSimulationTask) -> Bundle:
        try:
            bundle = await self.prepare(task)
        except (RpcError, NodeUnavailable):
            # Our own node is unavailable; the wallet's actual balance may be sufficient.
            bundle = bundle_of(task, None)
        # Each request counts, so none is made to see whether the token needs the one or the other.
        return replace(bundle, asks_balance=True, reset=True)


def request(bundle: Bundle) -> dict[str, object]:
    """Return the body: the bundle as one transaction of the sender's, which takes no gas price."""
    call = transaction(bundle)
    return {
        "network_id": str(bundle.task.chain_id),
        "from": call["from"],
        "to": call["to"],
        "input": call["data"],
        "gas": bundle.gas_limit,
        "gas_price": "0",
        "value": "0",
        "simulation_type": "quick",
        "save": False,
        "save_if_fails": False,
        "state_objects": {
            address: {_NAMES.get(key, key): value for key, value in state.items()}
            for address, state in overrides(bundle).items()
        },
    }
