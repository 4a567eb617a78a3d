"""Why requests were answered as they were, as JSON."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.shape import DecimalText, RawAmount, Timestamp, Wire
from rhumbline.domain.trail import KeptTrail, TokenNote, TrailPart
from rhumbline.routing.explained_trail import AdapterExplanation, explained


class RequestedQuote(Wire):
    """What was asked for, without wallets."""

    origin_chain_id: int
    destination_chain_id: int
    origin_currency: str
    destination_currency: str
    amount: RawAmount
    order: str
    slippage: str | MISSING = MISSING
    auto_slippage: bool
    fee: str | MISSING = MISSING
    include_exchanges: list[str] | MISSING = MISSING
    include_bridges: list[str] | MISSING = MISSING
    exclude_exchanges: list[str]
    exclude_bridges: list[str]
    trade_type: str | MISSING = MISSING


class RequestAnswer(Wire):
    """An answered route; plans have no transaction yet."""

    adapters: list[str]
    output_amount: RawAmount
    min_output_amount: RawAmount
    transaction_id: str | MISSING = MISSING


class RequestToken(Wire):
    """A token of the request."""

    chain_id: int
    address: str
    symbol: str
    decimals: int


class AdapterOutcome(Wire):
    """What became of an adapter, and why; `less…` is by how much it is worth less than the chosen one."""

    adapter: str
    verdict: Annotated[str, Field(description="chosen, outranked, not_built, offered, dropped, refused or not_asked.")]
    why: str
    kind: str | MISSING = MISSING
    output_amount: RawAmount | MISSING = MISSING
    min_output_amount: RawAmount | MISSING = MISSING
    counted_amount: RawAmount | MISSING = MISSING
    measured_amount: RawAmount | MISSING = MISSING
    simulation: str | MISSING = MISSING
    gas_used: RawAmount | MISSING = MISSING
    worth_usd: DecimalText | MISSING = MISSING
    cost_usd: DecimalText | MISSING = MISSING
    less_usd: DecimalText | MISSING = MISSING
    less_percent: DecimalText | MISSING = MISSING
    quote_ms: int | MISSING = MISSING
    build_ms: int | MISSING = MISSING


class RequestPart(Wire):
    """What was asked of adapters for one pair of tokens: the request's own, or a leg's of a longer route."""

    origin_token: RequestToken
    destination_token: RequestToken
    amount: RawAmount
    chosen: str | MISSING = MISSING
    adapters: list[AdapterOutcome]


class KeptRequest(Wire):
    """A request for quotes, routes or a step, and how it was answered. `status` 0: the client had left before."""

    request_id: str
    endpoint: str
    timestamp: Timestamp
    duration_ms: int
    status: int
    code: str | MISSING = MISSING
    message: str | MISSING = MISSING
    transaction_id: str | MISSING = MISSING
    asked: RequestedQuote | MISSING = MISSING
    answers: list[RequestAnswer]
    parts: list[RequestPart]


class KeptRequests(Wire):
    """The requests under one ID, the newest first: clients choose IDs themselves, so there may be several."""

    requests: list[KeptRequest]


def to_kept_requests(trails: Sequence[KeptTrail]) -> KeptRequests:
    return KeptRequests(requests=[to_kept_request(each) for each in trails])


def to_kept_request(trail: KeptTrail) -> KeptRequest:
    body = trail.body
    return KeptRequest(
        request_id=trail.request_id,
        endpoint=trail.endpoint,
        timestamp=trail.at,
        duration_ms=trail.ms,
        status=trail.status,
        code=trail.code or MISSING,
        message=body.message or MISSING,
        transaction_id=trail.transaction_id or MISSING,
        asked=MISSING if body.asked is None else _asked(trail),
        answers=[
            RequestAnswer(
                adapters=list(each.adapters),
                output_amount=each.output,
                min_output_amount=each.minimum,
                transaction_id=each.transaction_id or MISSING,
            )
            for each in body.answers
        ],
        parts=[_part(each) for each in body.parts],
    )


def _asked(trail: KeptTrail) -> RequestedQuote | MISSING:
    asked = trail.body.asked
    if asked is None:
        return MISSING
    return RequestedQuote(
        origin_chain_id=asked.origin_chain_id,
        destination_chain_id=asked.destination_chain_id,
        origin_currency=asked.origin_token,
        destination_currency=asked.destination_token,
        amount=asked.amount,
        order=asked.order,
        slippage=asked.slippage or MISSING,
        auto_slippage=asked.auto_slippage,
        fee=asked.fee or MISSING,
        include_exchanges=MISSING if asked.include_exchanges is None else list(asked.include_exchanges),
        include_bridges=MISSING if asked.include_bridges is None else list(asked.include_bridges),
        exclude_exchanges=list(asked.exclude_exchanges),
        exclude_bridges=list(asked.exclude_bridges),
        trade_type=asked.trade_type or MISSING,
    )


def _part(part: TrailPart) -> RequestPart:
    return RequestPart(
        origin_token=_token(part.origin),
        destination_token=_token(part.destination),
        amount=part.amount,
        chosen=part.chosen or MISSING,
        adapters=[_outcome(each) for each in explained(part)],
    )


def _token(token: TokenNote) -> RequestToken:
    return RequestToken(chain_id=token.chain_id, address=token.address, symbol=token.symbol, decimals=token.decimals)


def _outcome(found: AdapterExplanation) -> AdapterOutcome:
    offer, tried = found.offer, found.tried
    share = found.less_share
    return AdapterOutcome(
        adapter=found.adapter,
        verdict=found.verdict.value,
        why=found.why,
        kind=found.kind or MISSING,
        output_amount=MISSING if offer is None else offer.output,
        min_output_amount=MISSING if offer is None else offer.minimum,
        counted_amount=found.counted or MISSING,
        measured_amount=MISSING if tried is None else tried.measured or MISSING,
        simulation=MISSING if tried is None else tried.simulated or MISSING,
        gas_used=MISSING if tried is None else tried.gas or MISSING,
        worth_usd=MISSING if found.worth_usd is None else f"{found.worth_usd:.6f}",
        cost_usd=MISSING if found.cost_usd is None else f"{found.cost_usd:.6f}",
        less_usd=MISSING if found.less_usd is None else f"{found.less_usd:.6f}",
        less_percent=MISSING if share is None else f"{float(100 * share):.6f}",
        quote_ms=MISSING if found.quote_ms is None else found.quote_ms,
        build_ms=MISSING if found.build_ms is None else found.build_ms,
    )
