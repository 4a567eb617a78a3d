"""Assembles an answer from the flow's results. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.permit import Permit
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import Estimate, OnAnswer, RouteAnswer, RouteRequest
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.routing.composed_quote import Composition, parts_of
from rhumbline.routing.fan_out import Outcome
from rhumbline.routing.fees import Costs, itemise
from rhumbline.routing.offer import BuiltQuote, Offer, offer_of
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.value_limits import measured_costs, price_impact, rent_of

UNSEEN_THERE = (
    "The destination chain's side cannot be simulated: the output is an estimate, and the bridge is trusted "
    "to keep to the minimum."
)
MAY_RECOVER = (
    "The swap on the destination chain brings the minimum or is undone: pools that move meanwhile, or whoever fills the"
    " deposit, can make it fail. Then the receiver has the bridged token there instead, and the status is recovered."
)
MAY_STOP = (
    "What is done on arrival beside the payment is done completely or undone: pools that move meanwhile, or what a "
    "called contract does by then, can make it fail. Then the receiver has all of the bridged token, and the status is "
    "recovered."
)
UNMEASURED = "No simulation has measured the output: it is the adapter's estimate, and only the minimum is enforced."
NOT_RUN = "No simulation of the transaction has succeeded."


def trust_assumptions(
    named: Sequence[str], simulation: Simulation | None, *, crossing: bool, recovers: str | None = None
) -> tuple[str, ...]:
    """Return an answer's trust assumptions, in sentences; ``named`` are the adapter's own.

    ``recovers``: what follows on the destination and may fail by itself, in a sentence.
    """
    found = list(named)
    if recovers is not None:
        found.append(recovers)
    if crossing:
        found.append(UNSEEN_THERE)
    elif simulation is None or simulation.measured_output is None:
        found.append(UNMEASURED)
    if simulation is None or simulation.result.status is not ExecutionStatus.SUCCESS:
        found.append(NOT_RUN)
    return tuple(found)


def answer_of(
    context: QuoteContext,
    built: BuiltQuote,
    simulation: Simulation | None,
    *,
    refusals: Sequence[Refusal],
    network: NetworkPrice | None,
    scan_url: str | None = None,
    trusted: Sequence[str] = (),
    permit: Permit | None = None,
) -> RouteAnswer:
    """Return the answer to a request.

    The network fee is the transaction's own, otherwise an estimate from the simulation's gas, otherwise from the
    adapter's. ``trusted`` are the adapter's trust assumptions.
    """
    request, quote_request, quote = context.request, built.offer.quote.request, built.offer.quote
    trusted = trust_assumptions(trusted, simulation, crossing=context.crossing, recovers=_recovers(request, built))
    intake, prices = built.offer.form.intake, context.prices
    used = None if simulation is None else simulation.result.gas_used
    units = (quote.gas_units or 0) if used is None else used
    limit = None if simulation is None else simulation.gas_limit
    estimated, terms = (0, None) if network is None else (network.cost(units), network.terms(limit))
    fee = estimated if built.network_fee is None else built.network_fee
    solana = measured_costs(built, simulation)
    costs = Costs(quote.fees, quote.native_fee, fee, rent_of(built, simulation))
    if solana is not None:
        costs = replace(
            costs, tip=solana.tip, fee_payer=solana.fee_payer, sponsored_rent=min(solana.sponsored_rent, costs.rent)
        )
    lost = price_impact(quote, prices)
    pair = (
        prices(quote_request.origin_token.chain_id, quote_request.origin_token.address),
        prices(quote_request.destination_token.chain_id, quote_request.destination_token.address),
    )
    return RouteAnswer(
        request=request,
        origin_token=quote_request.origin_token,
        destination_token=quote_request.destination_token,
        adapter=quote.adapter,
        output_amount=quote.output_amount,
        min_output_amount=built.min_output,
        transaction=built.transaction,
        transaction_id="0x" + built.id.hex(),
        charges=intake.charges,
        fees=itemise(request.origin, quote_request.origin_token, intake.charges, costs, prices),
        approval_address=built.approval_address,
        gas=terms,
        simulation=simulation,
        seconds=quote.seconds,
        scan_url=scan_url,
        reference=built.upstream.reference,
        warnings=(*intake.warnings, *built.warnings, *context.warnings),
        refusals=tuple(refusals),
        prices=None if pair[0] is None or pair[1] is None else (pair[0], pair[1]),
        expires_at=built.deadline,
        approvals=built.approvals,
        permit=permit,
        pool_plan=quote.pool_plan,
        parts=parts_of(quote.payload) if isinstance(quote.payload, Composition) else (),
        price_impact=lost,
        trust_assumptions=trusted,
        solana=solana,
        gas_on_arrival=quote.gas_on_arrival,
    )


def _recovers(request: RouteRequest, built: BuiltQuote) -> str | None:
    if built.destination_call is None:
        return None
    return MAY_STOP if request.wants_more_there else MAY_RECOVER


def report(context: QuoteContext, on_answer: OnAnswer, outcome: Outcome) -> None:
    """Report an adapter's answer, a quote in the form in which it is offered."""
    on_answer(outcome if isinstance(outcome, Refusal) else estimate_of(context, offer_of(context, outcome)))


def estimate_of(context: QuoteContext, offer: Offer) -> Estimate:
    """Return an offer as far as it is known before it is built."""
    quote, quote_request = offer.quote, offer.quote.request
    costs = Costs(quote.fees, quote.native_fee)
    return Estimate(
        adapter=quote.adapter,
        output_amount=quote.output_amount,
        min_output_amount=offer.minimum,
        currency=quote_request.origin_token,
        fees=itemise(
            quote_request.origin, quote_request.origin_token, offer.form.intake.charges, costs, context.prices
        ),
        seconds=quote.seconds,
    )


def issued_transaction(context: QuoteContext, built: BuiltQuote, now: datetime) -> IssuedTransaction:
    """Return what tracking must store of a transfer before it is answered."""
    quote_request, upstream = built.offer.quote.request, built.upstream
    to, value = built.transaction.entry
    taken = quote_request.amount if upstream.input_taken is None else upstream.input_taken
    sent_token, sent_amount = (None, taken) if built.sent is None else built.sent
    return IssuedTransaction(
        transaction_id="0x" + built.id.hex(),
        adapter=built.offer.quote.adapter,
        wallet_call=built.wallet_call,
        origin_chain_id=quote_request.origin.id,
        destination_chain_id=quote_request.destination.id,
        sender=quote_request.sender,
        receiver=quote_request.receiver,
        integrator=context.integrator or "",
        to=to,
        value=value,
        data=built.transaction.recognised_by,
        input_token=quote_request.origin_token.address,
        input_amount=context.request.amount,
        sent_amount=sent_amount,
        output_token=quote_request.destination_token.address,
        expected_output=built.offer.quote.output_amount,
        min_output=built.min_output,
        reference=upstream.reference,
        created_at=now,
        expires_at=datetime.fromtimestamp(built.deadline, UTC),
        deposit=upstream.deposit,
        charges=built.offer.form.intake.charges,
        sent_token=sent_token,
        refund_to=quote_request.refund_to,
        destination_call=built.destination_call,
        parts=built.transaction.recognised_in_parts,
    )
