"""The fields that are read of 1Click's answers, under its own names (snake case here, camel case there)."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from rhumbline.gateways.upstreams.fields import CamelAnswer, EvmAddress, Number, RawAmount
from rhumbline.gateways.upstreams.svm.fields import SvmAddress


def instant(moment: int) -> str:
    """Write a Unix second the way the service does, e.g. ``2026-06-23T19:00:00.000Z``."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def seconds(value: object) -> int:
    """Read an ISO-8601 moment with its zone as a Unix second, rounded down."""
    if not isinstance(value, str) or len(value) > 40:
        raise ValueError("must be a moment in ISO-8601")
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError("must name its time zone")
    return int(moment.timestamp() // 1)


Moment = Annotated[int, BeforeValidator(seconds)]
"""A time in ISO-8601, as a Unix second, rounded down."""


class AppFee(CamelAnswer):
    """A fee inside the quote: basis points of the input, from none to all."""

    fee: Annotated[Number, Field(ge=0, le=10_000)]


class QuoteFields(CamelAnswer):
    """``quote``: amounts in raw units; the last four are present if an address was reserved (``dry`` false).

    ``withdraw_fee`` is already deducted from the output; ``refund_fee`` would be deducted from a refund.
    """

    amount_in: RawAmount
    min_amount_in: RawAmount
    amount_out: RawAmount
    min_amount_out: RawAmount
    time_estimate: Number
    withdraw_fee: RawAmount | None = None
    refund_fee: RawAmount | None = None
    deposit_address: str | None = None
    deposit_memo: str | None = None
    deadline: Moment | None = None
    time_when_inactive: Moment | None = None


class Deposit(CamelAnswer):
    """The part of ``quote`` if an address was reserved; the address is of the origin's type."""

    deposit_address: str
    deadline: Moment
    time_when_inactive: Moment | None = None


class EvmDeposit(Deposit):
    """On an EVM chain."""

    deposit_address: EvmAddress


class SvmDeposit(Deposit):
    """On Solana."""

    deposit_address: SvmAddress


class Echo(CamelAnswer):
    """The parsed part of ``quoteRequest``, the service's echo of the request."""

    deadline: Moment
    app_fees: list[AppFee] | None = None


class StatusQuote(CamelAnswer):
    """A quote with its request, as a status repeats it too; both are parsed again."""

    quote_request: dict[str, Any]
    quote: dict[str, Any]


class QuoteAnswer(StatusQuote):
    """The answer to ``POST /v0/quote``."""

    timestamp: str
    signature: str


class Signed(CamelAnswer):
    """When a quote was signed."""

    timestamp: Moment


class ListedToken(CamelAnswer):
    """One entry of ``GET /v0/tokens``; without ``contractAddress`` it is the chain's native asset."""

    asset_id: str
    decimals: int
    blockchain: str
    contract_address: str | None = None


class ChainTransaction(CamelAnswer):
    """A transaction on the origin or destination chain."""

    hash: str


class SwapDetails(CamelAnswer):
    """The progress so far; amounts are null before they are known."""

    amount_out: RawAmount | None = None
    refunded_amount: RawAmount | None = None
    refund_reason: str | None = None
    deposited_amount: RawAmount | None = None
    origin_chain_tx_hashes: list[ChainTransaction] = Field(default_factory=list)
    destination_chain_tx_hashes: list[ChainTransaction] = Field(default_factory=list)


class StatusAnswer(CamelAnswer):
    """The answer to ``GET /v0/status``."""

    status: str
    swap_details: SwapDetails
    quote_response: StatusQuote
