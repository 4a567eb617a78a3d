"""Puts an answer together from what the flow found. Pure."""

from collections.abc import Sequence

from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.simulation import Simulation
from rhumbline.routing.asking import Question
from rhumbline.routing.building import Built
from rhumbline.routing.fees import Costs, PriceReader, itemise
from rhumbline.simulation.gas import GasPrice


def answer_of(
    question: Question,
    built: Built,
    simulation: Simulation | None,
    *,
    refusals: Sequence[Refusal],
    gas: GasPrice | None,
    prices: PriceReader,
) -> RouteAnswer:
    """Return the answer to a question; the gas estimate is the simulation's, else the adapter's."""
    request, asked, quote = question.request, question.asked, built.quote
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
        charges=question.intake.charges,
        fees=itemise(request.origin, asked.origin_token, question.intake.charges, costs, prices),
        approval_address=built.approval_address,
        gas=None if gas is None else gas.terms(limit),
        simulation=simulation,
        seconds=quote.seconds,
        warnings=question.intake.warnings,
        refusals=tuple(refusals),
        prices=None if pair[0] is None or pair[1] is None else (pair[0], pair[1]),
    )
