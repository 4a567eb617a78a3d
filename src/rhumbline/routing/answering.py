"""Puts an answer together from what the flow found. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.transaction import EvmTransaction, Transaction
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.routing.asking import Question
from rhumbline.routing.built import Built
from rhumbline.routing.fees import Costs, PriceReader, itemise
from rhumbline.simulation.evm.gas import GasPrice


def answer_of(
    question: Question,
    built: Built,
    simulation: Simulation | None,
    *,
    refusals: Sequence[Refusal],
    gas: GasPrice | None,
    prices: PriceReader,
    scan_url: str | None = None,
) -> RouteAnswer:
    """Return the answer to a question; the gas estimate is the simulation's, else the adapter's."""
    request, asked, quote = question.request, built.quote.request, built.quote
    intake = question.intake_of(asked)
    used = None if simulation is None else simulation.result.gas_used
    units = (quote.gas_units or 0) if used is None else used
    costs = Costs(quote.fees, quote.native_fee, 0 if gas is None else units * gas.now)
    pair = (
        prices(asked.origin_token.chain_id, asked.origin_token.address),
        prices(asked.destination_token.chain_id, asked.destination_token.address),
    )
    limit = None if simulation is None else simulation.gas_limit
    return RouteAnswer(
        request=request,
        origin_token=asked.origin_token,
        destination_token=asked.destination_token,
        adapter=quote.adapter,
        output_amount=quote.output_amount,
        min_output_amount=built.min_output,
        transaction=built.transaction,
        transaction_id="0x" + built.id.hex(),
        charges=intake.charges,
        fees=itemise(request.origin, asked.origin_token, intake.charges, costs, prices),
        approval_address=built.approval_address,
        gas=None if gas is None else gas.terms(limit),
        simulation=simulation,
        seconds=quote.seconds,
        scan_url=scan_url,
        reference=built.upstream.reference if isinstance(built.upstream, EvmTransaction) else None,
        warnings=(*intake.warnings, *question.warnings),
        refusals=tuple(refusals),
        prices=None if pair[0] is None or pair[1] is None else (pair[0], pair[1]),
    )


def issued_transaction(question: Question, built: Built, now: datetime) -> IssuedTransaction:
    """Return what tracking must know of a transfer before it is handed out."""
    asked, transaction, upstream = built.quote.request, built.transaction, built.upstream
    to, value = _entry(transaction)
    taken = upstream.takes if isinstance(upstream, EvmTransaction) else None
    return IssuedTransaction(
        transaction_id="0x" + built.id.hex(),
        adapter=built.quote.adapter,
        wallet_call=question.is_direct(asked),
        origin_chain_id=asked.origin.id,
        destination_chain_id=asked.destination.id,
        sender=asked.sender,
        receiver=asked.receiver,
        integrator=question.integrator or "",
        to=to,
        value=value,
        data=transaction.data,
        input_token=asked.origin_token.address,
        input_amount=question.request.amount,
        sent_amount=asked.amount if taken is None else taken,
        output_token=asked.destination_token.address,
        expected_output=built.quote.output_amount,
        min_output=built.min_output,
        reference=upstream.reference if isinstance(upstream, EvmTransaction) else None,
        created_at=now,
        expires_at=datetime.fromtimestamp(built.deadline, UTC),
        deposit=upstream.deposit if isinstance(upstream, EvmTransaction) else None,
    )


def _entry(transaction: Transaction) -> tuple[str, int]:
    if isinstance(transaction, EvmTransaction):
        return transaction.to, transaction.value
    return transaction.program, 0
