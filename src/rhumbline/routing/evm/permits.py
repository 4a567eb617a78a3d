"""Offers a permit beside an answer's approvals, after another wallet has shown that it works.

The sender's signature does not exist yet, so a wallet of our own, whose key nobody else has, gets the same input in a
simulation, signs the same permit for itself, and makes the very call. Only what succeeds so is offered.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import structlog

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.permit import Permit, PermitKind
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.routing.evm.permit_call import (
    PERMIT2,
    SignedOrder,
    TokenDomain,
    order_permit,
    permitted_call,
    signed_order,
    token_permit,
)
from rhumbline.routing.evm.permit_support import PermitSupport, read_support
from rhumbline.routing.offer import BuiltQuote
from rhumbline.routing.run_faults import fault_of
from rhumbline.simulation.evm.task import EvmSimulationTask
from rhumbline.simulation.simulator import Simulator

if TYPE_CHECKING:
    from rhumbline.gateways.evm.signatures import LocalAccount


@dataclass(slots=True)
class PermitOffers:
    """Offers permits on the chains of ``rpcs``, within ``budget_s`` seconds each; ``simulators`` by chain ID too.

    The stand-in's key is made when it is first needed, and never leaves the process.
    """

    rpcs: Mapping[int, EvmRpc]
    simulators: Mapping[int, Simulator[EvmSimulationTask]]
    budget_s: float
    _stand_in: "LocalAccount | None" = field(default=None, repr=False)

    async def offer(self, built: BuiltQuote) -> Permit | None:
        """Return the permit for a built quote; None where there is none, and the approvals are the way."""
        call, task, sender = built.transaction, built.task, built.offer.quote.request.sender
        rpc = self.rpcs.get(built.offer.quote.request.origin.id)
        if rpc is None or not isinstance(call, EvmTransaction) or not isinstance(task, EvmSimulationTask):
            return None
        try:
            async with asyncio.timeout(self.budget_s):
                account = await self._account()
                signed = signed_order(call)
                support = await read_support(rpc, call.chain_id, signed.token, sender, account.address)
                return await self._shown(built, task, signed, support, account)
        except (TimeoutError, RpcError, NodeUnavailable) as error:
            structlog.get_logger().info("no_permit", chain=rpc.name, reason=str(error) or "no answer in time")
            return None

    async def _shown(
        self,
        built: BuiltQuote,
        task: EvmSimulationTask,
        signed: SignedOrder,
        support: PermitSupport,
        account: "LocalAccount",
    ) -> Permit | None:
        """Return the first kind whose call succeeds for the stand-in."""
        sender = built.offer.quote.request.sender
        for kind, domain in _kinds(support, task.input_amount):
            trial = _typed(kind, signed, domain, account.address, support.stand_in_nonce)
            signature = bytes(account.sign_typed_data(full_message=dict(trial)).signature)
            simulation = await self._run(task, permitted_call(signed, kind, signature), kind, account.address)
            if simulation is None or simulation.result.status is not ExecutionStatus.SUCCESS:
                reason = "not simulated" if simulation is None else simulation.result.reason
            elif (fault := fault_of(built, simulation)) is not None:
                reason = fault.reason
            else:
                typed_data = _typed(kind, signed, domain, sender, support.nonce)
                return Permit(kind, typed_data, permitted_call(signed, kind), simulation.gas_limit)
            structlog.get_logger().info("no_permit", token=signed.token, kind=kind.value, reason=reason)
        return None

    async def _run(
        self, task: EvmSimulationTask, call: EvmTransaction, kind: PermitKind, actor: str
    ) -> Simulation | None:
        simulator = self.simulators.get(task.chain_id)
        if simulator is None:
            return None
        # With Permit2 there is an approval from before; a token's own permit has to do without any.
        spender = PERMIT2 if kind is PermitKind.PERMIT2 else task.spender
        approved = kind is PermitKind.PERMIT2
        trial = replace(task, data=call.data, spender=spender, approved=approved, actor=actor, stand_in_data=None)
        return await simulator.simulate(trial, self.budget_s)

    async def _account(self) -> "LocalAccount":
        if self._stand_in is None:
            self._stand_in = await asyncio.to_thread(_new_account)
        return self._stand_in


def _kinds(support: PermitSupport, amount: int) -> Iterator[tuple[PermitKind, TokenDomain | None]]:
    """Yield what may work, the better one first; a contract's signatures are its own matter, so it gets none."""
    if not support.plain_wallet:
        return
    if support.domain is not None:
        yield PermitKind.EIP2612, support.domain
    if support.permit2_allowance >= amount:
        yield PermitKind.PERMIT2, None


def _typed(
    kind: PermitKind, signed: SignedOrder, domain: TokenDomain | None, owner: str, nonce: int
) -> Mapping[str, object]:
    if kind is PermitKind.EIP2612 and domain is not None:
        return token_permit(signed, domain, owner, nonce)
    return order_permit(signed)


def _new_account() -> "LocalAccount":
    from rhumbline.gateways.evm.signatures import Account  # the import is slow, and most services never need it

    account: LocalAccount = Account.create()
    return account
