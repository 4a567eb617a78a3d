"""Route plans and their steps. Optionals without a value are left out, never null."""

from typing import Annotated

from pydantic import MISSING, Field, JsonValue

from rhumbline.api.wire.arrival_fields import WantedOnArrival, wanted_fields
from rhumbline.api.wire.executable import PriceImpact, Sending, TrustAssumptions, calldata_of, sending_of, trust_of
from rhumbline.api.wire.fees import ParsedFees, to_fees
from rhumbline.api.wire.included_step import IncludedStep, StepToken, included_steps, step_token
from rhumbline.api.wire.pool_plan import UsedLiquidity, liquidity_of
from rhumbline.api.wire.quote import (
    ExpectedSurplus,
    GasEstimation,
    OpenAdapterKey,
    QuoteWarning,
    TransactionSize,
    bridge_scan,
    gas_of,
    size_of,
    surplus_of,
    to_warnings,
)
from rhumbline.api.wire.route_request import number_of, quote_request_of, route_request_of, without_integrator_fee
from rhumbline.api.wire.shape import RawAmount, Wire
from rhumbline.api.wire.simulation import Simulation, to_simulation
from rhumbline.domain.plan import Plan, PlannedStep, StepRequest, StepType
from rhumbline.domain.route import Order, RouteAnswer, RouteOffer, RouteRequest

SINGLE, SEVERAL = "single-step", "multistep"


class StepAction(WantedOnArrival):
    """What a step does."""

    from_chain_id: int
    to_chain_id: int
    from_token: StepToken
    to_token: StepToken
    from_amount: RawAmount
    slippage: float | MISSING = MISSING
    slippage_mode: Annotated[str, Field(json_schema_extra={"enum": ["auto"]})] | MISSING = MISSING
    from_address: Annotated[str, Field(description="The wallet that signs the step.")]
    to_address: Annotated[
        str, Field(description="The wallet that gets its output: the signer of the next step, or the receiver.")
    ]
    refund_to: (
        Annotated[str, Field(description="Who gets the tokens back on the origin, if the request names it.")] | MISSING
    ) = MISSING


class StepEstimate(Wire):
    """A step's expected output; for planning, not for execution."""

    from_amount: RawAmount
    to_amount: RawAmount
    to_amount_min: RawAmount
    fees: ParsedFees
    quote_from_amount: Annotated[RawAmount, Field(description="The amount of the request to the adapter, after fees.")]
    estimated_time_sec: int | MISSING = MISSING
    approval_address: str | MISSING = MISSING
    simulated_to_amount: RawAmount | MISSING = MISSING
    simulation: Simulation | MISSING = MISSING


class StepExecution(Wire):
    """How to request a step: send it back to `/v1/advanced/stepTransaction`, or quote it with `quoteRequest`."""

    apply_fee: Annotated[bool, Field(description="Whether this step takes the fees of the route.")]
    requires_previous_step_amount: bool
    quote_request: Annotated[dict[str, JsonValue], Field(description="Parameters of `GET /v1/quotes` for this step.")]
    route_request: Annotated[dict[str, JsonValue], Field(description="The whole route's request; send it back.")]


class StepTransaction(Wire):
    """What the wallet signs and sends."""

    to: str
    value: str
    data: str
    gas: GasEstimation | MISSING = MISSING
    transaction_size: TransactionSize | MISSING = MISSING


class Step(Sending):
    """One transaction of a route."""

    id: Annotated[str, Field(description="The route's ID, a colon and the step's number.")]
    route_id: str
    type: StepType
    tool: OpenAdapterKey
    action: StepAction
    estimate: StepEstimate
    execution: StepExecution
    integrator: str | MISSING = MISSING
    fee: float | MISSING = MISSING
    warnings: list[QuoteWarning] | MISSING = MISSING
    bridge_scan: dict[str, JsonValue] | MISSING = MISSING
    transaction_id: (
        Annotated[str, Field(pattern="^0x[0-9a-f]{64}$", description="Of a populated step: its ID for tracking.")]
        | MISSING
    ) = MISSING
    transaction_request: StepTransaction | MISSING = MISSING
    liquidity: UsedLiquidity | MISSING = MISSING
    included_steps: (
        Annotated[
            list[IncludedStep],
            Field(
                description="Of a transaction that several adapters share, in their order: a swap before the bridge, "
                "the bridge, a swap on arrival. Beyond the contract."
            ),
        ]
        | MISSING
    ) = MISSING


class AdvancedRoute(Wire):
    """A plan: its steps in their order."""

    id: str
    route_kind: Annotated[str, Field(json_schema_extra={"enum": [SINGLE, SEVERAL]})]
    input_amount: RawAmount
    output_amount: RawAmount
    min_output_amount: RawAmount
    fees: ParsedFees
    adapter: Annotated[
        OpenAdapterKey,
        Field(description="The adapter of the first step that leaves the chain, otherwise of the first step."),
    ]
    is_multistep: bool
    steps: list[Step]
    tags: Annotated[list[Order], Field(description="The orders in which no route found is better.")]
    estimated_time_sec: int | MISSING = MISSING
    warnings: list[QuoteWarning] | MISSING = MISSING
    simulation: Simulation | MISSING = MISSING
    price_impact: PriceImpact | MISSING = MISSING
    trust_assumptions: TrustAssumptions | MISSING = MISSING
    expected_surplus: ExpectedSurplus | MISSING = MISSING


class RoutesResponse(Wire):
    """Routes, best first."""

    routes: list[AdvancedRoute]


def to_route(plan: Plan) -> AdvancedRoute:
    steps, request, fees = plan.steps, plan.request, plan.fees
    several = len(steps) > 1
    crossing = next((step for step in steps if step.type is StepType.BRIDGE), steps[0])
    warnings = tuple(dict.fromkeys(warning for step in steps for warning in step.warnings))
    simulation = None if several else steps[0].simulation
    return AdvancedRoute(
        id=plan.id,
        route_kind=SEVERAL if several else SINGLE,
        input_amount=str(request.amount),
        output_amount=str(plan.output_amount),
        min_output_amount=str(plan.min_output_amount),
        fees=to_fees(fees, steps[0].origin_token),
        adapter=crossing.adapter,
        is_multistep=several,
        steps=[_step(plan, number, step) for number, step in enumerate(steps)],
        tags=list(plan.tags),
        estimated_time_sec=MISSING if plan.seconds is None else plan.seconds,
        warnings=to_warnings(warnings),
        simulation=MISSING if simulation is None else to_simulation(simulation),
        expected_surplus=surplus_of(plan),
        **trust_of(plan),
    )


def to_populated(step_request: StepRequest, answer: RouteAnswer) -> Step:
    """Write a step, quoted again, with its transaction."""
    taken_before = step_request.fees_taken and not answer.charges
    taken_again = step_request.fees_taken and bool(answer.charges)
    # Fees that the caller's word alone says were taken are the service's, never the integrator's.
    request = without_integrator_fee(step_request.request) if taken_again else step_request.request
    transaction = answer.transaction
    calldata = calldata_of(transaction)
    return Step(
        id=f"{step_request.route_id}:{step_request.index}",
        route_id=step_request.route_id,
        type=StepType.SWAP if request.origin.id == request.destination.id else StepType.BRIDGE,
        tool=answer.adapter,
        action=_action(request, answer),
        estimate=_estimate(request, answer, request.amount - sum(charge.amount for charge in answer.charges)),
        execution=StepExecution(
            apply_fee=not taken_before,
            requires_previous_step_amount=False,
            quote_request=quote_request_of(
                without_integrator_fee(request) if taken_before else request, answer.adapter
            ),
            route_request=route_request_of(request, None if taken_again else step_request.fee_proof),
        ),
        integrator=MISSING if request.integrator is None else request.integrator,
        fee=number_of(request.fee_share),
        warnings=to_warnings(answer.warnings),
        bridge_scan=bridge_scan(answer),
        transaction_id=answer.transaction_id,
        transaction_request=StepTransaction(
            to=calldata.to,
            value=calldata.value,
            data=calldata.data,
            gas=gas_of(answer.gas),
            transaction_size=size_of(transaction),
        ),
        liquidity=MISSING if answer.pool_plan is None else liquidity_of(answer.pool_plan),
        included_steps=included_steps(answer),
        **sending_of(answer, calldata),
    )


def _step(plan: Plan, number: int, step: PlannedStep) -> Step:
    request = step.request
    return Step(
        id=f"{plan.id}:{number}",
        route_id=plan.id,
        type=step.type,
        tool=step.adapter,
        action=_action(request, step),
        estimate=_estimate(request, step, step.quote_amount),
        execution=StepExecution(
            apply_fee=step.fee_proof is None,
            requires_previous_step_amount=number > 0,
            quote_request=quote_request_of(request, step.adapter),
            route_request=route_request_of(plan.request, step.fee_proof),
        ),
        integrator=MISSING if plan.request.integrator is None else plan.request.integrator,
        fee=number_of(plan.request.fee_share),
        warnings=to_warnings(step.warnings),
        liquidity=MISSING if step.pool_plan is None else liquidity_of(step.pool_plan),
        included_steps=included_steps(step),
        **trust_of(step),
    )


def _action(request: RouteRequest, offer: RouteOffer) -> StepAction:
    return StepAction(
        from_chain_id=request.origin.id,
        to_chain_id=request.destination.id,
        from_token=step_token(offer.origin_token),
        to_token=step_token(offer.destination_token),
        from_amount=str(request.amount),
        slippage=number_of(request.slippage),
        slippage_mode="auto" if request.auto_slippage else MISSING,
        from_address=request.sender,
        to_address=request.receiver,
        refund_to=MISSING if request.refund_to is None else request.refund_to,
        **wanted_fields(request),
    )


def _estimate(request: RouteRequest, offer: RouteOffer, quote_amount: int) -> StepEstimate:
    seen = offer.simulation
    measured = None if seen is None else seen.measured_output
    return StepEstimate(
        from_amount=str(request.amount),
        to_amount=str(offer.output_amount),
        to_amount_min=str(offer.min_output_amount),
        fees=to_fees(offer.fees, offer.origin_token),
        quote_from_amount=str(quote_amount),
        estimated_time_sec=MISSING if offer.seconds is None else offer.seconds,
        approval_address=MISSING if offer.approval_address is None else offer.approval_address,
        simulated_to_amount=MISSING if measured is None else str(max(measured, 0)),
        simulation=MISSING if seen is None else to_simulation(seen),
    )
