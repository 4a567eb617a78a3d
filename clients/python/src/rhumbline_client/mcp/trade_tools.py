"""Tools for trades: a quote, routes of several steps, and a step whose turn has come."""

from dataclasses import dataclass
from typing import Any

from rhumbline_client import models
from rhumbline_client.errors import AmountTooLow
from rhumbline_client.mcp.amounts import share_of, units_of, written_of
from rhumbline_client.mcp.arguments import Asked, StepAsked
from rhumbline_client.mcp.failures import ToolFailure, words_of
from rhumbline_client.mcp.results import TokenAmount
from rhumbline_client.mcp.service import KeptStep, Service
from rhumbline_client.mcp.trade_results import PlannedStep, Route, Routes, Trade, sentences
from rhumbline_client.mcp.wallet import fee_of, transactions_of
from rhumbline_client.parameters import QuoteParameters

SHOWN_FOR = {"EVM": "0x1111111111111111111111111111111111111111", "SVM": "11111111111111111111111111111111"}
"""Who asks where no wallet is named, by chain type: nobody can sign for them, so that is for display only."""


@dataclass(frozen=True, slots=True)
class Request:
    """A trade that is asked for, with its chains and tokens found."""

    parameters: QuoteParameters
    spent: models.Token
    bought: models.Token
    chain_type: str
    receiver: str
    is_for_wallet: bool


async def quote(service: Service, asked: Asked) -> Trade:
    """Ask for the best quote."""
    request = await requested(service, asked)
    try:
        answer = await service.client.quote(**request.parameters)
    except AmountTooLow as error:
        raise _too_low(error, request.spent) from None
    sender = request.parameters["sender_address"] if request.is_for_wallet else None
    return Trade(
        adapter=answer.adapter,
        transaction_id=answer.transaction_id if request.is_for_wallet else None,
        input=TokenAmount.of(answer.input_amount, request.spent),
        output=TokenAmount.of(answer.output_amount, request.bought),
        minimum=None if answer.min_output_amount is None else TokenAmount.of(answer.min_output_amount, request.bought),
        transactions=transactions_of(
            answer.calldata, answer.approvals, answer.gas, request.spent.chain_id, request.chain_type, sender
        ),
        refund_to=answer.refund_to,
        **_terms(answer, answer.fees, answer.estimated_time_sec, answer.simulation),
    )


async def routes(service: Service, asked: Asked) -> Routes:
    """Ask for several routes, and keep their steps."""
    request = await requested(service, asked)
    try:
        found = await service.client.routes(**request.parameters)
    except AmountTooLow as error:
        raise _too_low(error, request.spent) from None
    if request.is_for_wallet:
        for each in found:
            for step in each.steps:
                service.steps.keep(step, request.receiver)
    return Routes(routes=[_route(each, request) for each in found])


async def step(service: Service, asked: StepAsked) -> Trade:
    """Have a step quoted again and made a transaction.

    Raises:
        ToolFailure: the step is not known, or what was received is missing.

    """
    kept = service.steps.find(asked.step_id)
    if kept is None:
        raise ToolFailure(
            "step_id: no such step is kept here any more. Call `routes` again, from the token and chain where the "
            "money is now"
        )
    if kept.step.execution.requires_previous_step_amount and asked.received_amount is None:
        raise ToolFailure(
            "received_amount: is needed: what the step before delivered, which `status` of that step says as `received`"
        )
    return await _populated(service, kept, asked.received_amount)


async def _populated(service: Service, kept: KeptStep, received: str | None) -> Trade:
    action = kept.step.action
    units = None
    if received is not None:
        units = units_of("received_amount", received, action.from_token.decimals, action.from_token.symbol)
    try:
        made = await service.client.step_transaction(
            kept.step,
            sender_address=action.from_address,
            receiver_address=kept.receiver,
            previous_step_received_amount=units,
        )
    except AmountTooLow as error:
        raise _too_low(error, action.from_token) from None
    sent, estimate = made.transaction_request, made.estimate
    if sent is None:
        raise ToolFailure("The service answered no transaction for this step. Call `routes` again")
    chain = await service.catalog.chain("chain", str(action.from_chain_id))
    calldata = models.QuoteCalldata(to=sent.to, value=int(sent.value, 16), data=sent.data)
    return Trade(
        adapter=made.tool,
        transaction_id=made.transaction_id,
        input=TokenAmount.of(estimate.from_amount, made.action.from_token),
        output=TokenAmount.of(estimate.to_amount, made.action.to_token),
        minimum=TokenAmount.of(estimate.to_amount_min, made.action.to_token),
        transactions=transactions_of(
            calldata, made.approvals, sent.gas, chain.id, chain.chain_type, action.from_address
        ),
        refund_to=made.action.refund_to,
        **_terms(made, estimate.fees, estimate.estimated_time_sec, estimate.simulation),
    )


async def requested(service: Service, asked: Asked) -> Request:
    """Find chains and tokens, and read the amount.

    Raises:
        ToolFailure: one of them is not known, could mean two, or is no amount of its token.

    """
    catalog = service.catalog
    here = await catalog.chain("from_chain", asked.from_chain)
    there = here if asked.to_chain is None else await catalog.chain("to_chain", asked.to_chain)
    spent = await catalog.token("from_token", here, asked.from_token)
    bought = await catalog.token("to_token", there, asked.to_token)
    exact_output = asked.amount_of == "to_token"
    named = bought if exact_output else spent
    units = units_of("amount", asked.amount, named.decimals, named.symbol)
    share = None if asked.slippage_percent is None else share_of("slippage_percent", asked.slippage_percent)
    sender = asked.sender or SHOWN_FOR.get(here.chain_type)
    differs = here.chain_type != there.chain_type
    receiver = asked.receiver or (SHOWN_FOR.get(there.chain_type) if differs and not asked.sender else sender)
    if sender is None or receiver is None or (differs and asked.sender and not asked.receiver):
        raise ToolFailure(f"receiver: name an address on {there.key}: the sender has none there that this server knows")
    parameters: QuoteParameters = {
        "sender_address": sender,
        "receiver_address": receiver,
        "origin_chain_id": here.id,
        "destination_chain_id": there.id,
        "origin_currency": spent.address,
        "destination_currency": bought.address,
        "amount": units,
        "slippage": share,
        "order": asked.order,
    }
    if exact_output:
        parameters["trade_type"] = "EXACT_OUTPUT"
    if asked.refund_to is not None:
        parameters["refund_to"] = asked.refund_to
    if here.id == there.id:
        parameters["include_exchanges"], parameters["exclude_exchanges"] = asked.include_tools, asked.exclude_tools
    else:
        parameters["include_bridges"], parameters["exclude_bridges"] = asked.include_tools, asked.exclude_tools
    return Request(parameters, spent, bought, here.chain_type, receiver, asked.sender is not None)


def _route(route: models.AdvancedRoute, request: Request) -> Route:
    return Route(
        tags=list(route.tags),
        input=TokenAmount.of(route.input_amount, request.spent),
        output=TokenAmount.of(route.output_amount, request.bought),
        minimum=TokenAmount.of(route.min_output_amount, request.bought),
        price_impact=_decimal(route.price_impact),
        fees_usd=_decimal(route.fees.total_usd),
        estimated_seconds=route.estimated_time_sec,
        steps=[_planned(each, is_for_wallet=request.is_for_wallet) for each in route.steps],
        trust_assumptions=sentences(route.trust_assumptions),
    )


def _planned(planned: models.Step, *, is_for_wallet: bool) -> PlannedStep:
    action, estimate = planned.action, planned.estimate
    return PlannedStep(
        step_id=planned.id if is_for_wallet else None,
        type=planned.type,
        tool=planned.tool,
        input=TokenAmount.of(estimate.from_amount, action.from_token),
        output=TokenAmount.of(estimate.to_amount, action.to_token),
        minimum=TokenAmount.of(estimate.to_amount_min, action.to_token),
        signer=action.from_address if is_for_wallet else None,
        needs_received_amount=planned.execution.requires_previous_step_amount,
    )


def _terms(
    answer: models.QuoteResponse | models.Step,
    fees: models.ParsedFees,
    seconds: int | None,
    simulation: models.Simulation | None,
) -> dict[str, Any]:
    """Return what quotes and steps have alike."""
    return {
        "price_impact": _decimal(answer.price_impact),
        "fees": [fee_of(each) for each in fees.breakdown],
        "fees_usd": _decimal(fees.total_usd),
        "estimated_seconds": seconds,
        "expires_at": None if answer.expires_at is None else answer.expires_at.isoformat(),
        "last_valid_block_height": answer.last_valid_block_height,
        "simulation": None if simulation is None else f"{simulation.execution_status}, {simulation.output_validation}",
        "warnings": sentences([f"{each.code}: {each.message}" for each in answer.warnings or []]),
        "trust_assumptions": sentences(answer.trust_assumptions),
    }


def _decimal(number: Any) -> str | None:
    return None if number is None else format(number, "f")


def _too_low(error: AmountTooLow, token: models.Token | models.StepToken) -> ToolFailure:
    least = error.minimum
    enough = (
        "" if least is None else f"\nAt least {written_of(least, token.decimals)} {token.symbol} worked a moment ago."
    )
    return ToolFailure(words_of(error) + enough)
