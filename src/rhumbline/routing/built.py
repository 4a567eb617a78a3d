"""A quote with its finished transaction, and how to run that."""

from dataclasses import dataclass
from typing import Any

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.quote import Quote
from rhumbline.domain.simulation import SimulationTask
from rhumbline.domain.transaction import EvmTransaction, Transaction
from rhumbline.routing.asking import Question
from rhumbline.simulation.evm.task import EvmSimulationTask


@dataclass(frozen=True, slots=True)
class Built:
    """A quote with its transaction. ``task`` is how to run it, None where nothing can; ``id`` is for tracking.

    ``upstream`` is the adapter's own transaction, ``deadline`` the Unix second until which ours may run. ``fixed``
    tells that the upstream fixed its minimum when it quoted.
    """

    quote: Quote[Any]
    id: bytes
    upstream: Transaction
    deadline: int
    min_output: int
    transaction: Transaction
    approval_address: str | None
    task: SimulationTask | None
    fixed: bool = False


def task_of(
    question: Question,
    quote: Quote[Any],
    call: EvmTransaction,
    *,
    stand_in: bytes | None = None,
    deposit: BridgeDeposit | None = None,
) -> EvmSimulationTask:
    """Return how to run the wallet's call; ``stand_in`` is the same call for the stand-in, ``deposit`` the bridge's."""
    request, asked = question.request, quote.request
    crossing = request.origin.id != request.destination.id
    return EvmSimulationTask(
        chain_id=call.chain_id,
        sender=request.sender,
        # What arrives on another chain is not seen here, and its receiver may be an address of another type.
        receiver=request.sender if crossing else request.receiver,
        to=call.to,
        value=call.value,
        data=call.data,
        input_token=asked.origin_token.address,
        input_amount=request.amount,
        spender=None if asked.origin_token.address == NATIVE_EVM else call.spender,
        output_token=None if crossing else asked.destination_token.address,
        advertised_output=quote.output_amount,
        stand_in_data=stand_in,
        deposit=deposit,
    )
