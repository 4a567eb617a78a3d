"""The fields that are read of Relay's answers, under its own names (snake case here, camel case there)."""

from decimal import Decimal
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import AfterValidator, Field

from rhumbline.gateways.upstreams.fields import (
    LARGEST_AMOUNT,
    CamelAnswer,
    EvmAddress,
    HexBytes,
    Number,
    RawAmount,
)

Text = Annotated[str, Field(max_length=200)]
"""A bounded text from outside: an address of any chain, a name, a reason."""
Hash = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{64}$")]
Seconds = Annotated[int, Field(ge=0, le=2**32 - 1)]
T = TypeVar("T")
Few: TypeAlias = Annotated[list[T], Field(max_length=16)]
"""A list that is hashed or walked: no longer than any order needs."""


def _whole(amount: Decimal) -> Decimal:
    if amount.copy_abs() > LARGEST_AMOUNT or amount != amount.to_integral_value():
        raise ValueError("must be a whole number of raw units")
    return amount


SignedAmount = Annotated[Number, AfterValidator(_whole)]
"""An amount in raw units that may be negative."""


class Currency(CamelAnswer):
    """A token; ``chain_id`` is Relay's own."""

    chain_id: int
    address: Text
    symbol: Text = ""
    name: Text = ""
    decimals: Annotated[int, Field(ge=0, le=36)] = 18


class CurrencyAmount(CamelAnswer):
    """An amount of a token in raw units, and its minimum (absent in shortened examples)."""

    currency: Currency
    amount: RawAmount
    minimum_amount: RawAmount | None = None


class FeeAmount(CamelAnswer):
    """A fee; a subsidy makes one negative."""

    currency: Currency
    amount: SignedAmount


class Fees(CamelAnswer):
    """The transfer's costs by kind; ``relayer`` is the sum of its two parts. Any of them may be absent."""

    relayer: FeeAmount | None = None
    relayer_gas: FeeAmount | None = None
    relayer_service: FeeAmount | None = None
    app: FeeAmount | None = None


class Impact(CamelAnswer):
    """The price impact in percent, negative for a loss."""

    percent: Number


class Details(CamelAnswer):
    """The terms as the API words them. ``time_estimate`` is in seconds."""

    sender: Text
    recipient: Text
    currency_in: CurrencyAmount
    currency_out: CurrencyAmount
    swap_impact: Impact | None = None
    time_estimate: Number | None = None


class Call(CamelAnswer):
    """An unsigned transaction of a step; ``data`` and ``value`` are absent in shortened examples only."""

    to: EvmAddress
    chain_id: int
    data: HexBytes = b""
    value: RawAmount = 0
    gas: RawAmount | None = None


class SolanaKey(CamelAnswer):
    """An account of an instruction; its roles depend on the program, and are not read."""

    pubkey: Text


class SolanaInstruction(CamelAnswer):
    """One call of a program; ``data`` is hex without ``0x``."""

    program_id: Text
    keys: Annotated[list[SolanaKey], Field(max_length=64)]
    data: Annotated[str, Field(pattern=r"^([0-9a-fA-F]{2}){0,1232}$")]


class SolanaCall(CamelAnswer):
    """A step's transaction on Solana. Its lookup tables are not read: a deposit needs none."""

    instructions: Annotated[list[SolanaInstruction], Field(max_length=64)]


class Item(CamelAnswer):
    """One item of a step; ``data`` is a transaction, or what to sign, by the step's kind."""

    data: Any = None


class Step(CamelAnswer):
    """A step; one without items is done already."""

    id: Text
    kind: Text
    items: list[Item] = Field(default_factory=list)
    request_id: Hash | None = None


class Payment(CamelAnswer):
    """An order's input; ``chain_id`` is the protocol's name of the chain."""

    chain_id: Text
    currency: Text
    amount: RawAmount
    weight: RawAmount


class Refund(CamelAnswer):
    """Where an order's input may be refunded."""

    chain_id: Text
    recipient: Text
    currency: Text
    minimum_amount: RawAmount
    deadline: Seconds
    extra_data: HexBytes


class Input(CamelAnswer):
    """One input of an order."""

    payment: Payment
    refunds: Few[Refund]


class Payout(CamelAnswer):
    """An order's payment on the destination."""

    recipient: Text
    currency: Text
    minimum_amount: RawAmount
    expected_amount: RawAmount


class Output(CamelAnswer):
    """The destination's side of an order; ``deadline`` in Unix seconds."""

    chain_id: Text
    payments: Few[Payout]
    calls: Few[HexBytes]
    deadline: Seconds
    extra_data: HexBytes


class OrderFee(CamelAnswer):
    """A fee that an order pays inside the protocol."""

    recipient_chain_id: Text
    recipient: Text
    currency_chain_id: Text
    currency: Text
    amount: RawAmount


class Order(CamelAnswer):
    """An order, as it is hashed for its ID."""

    version: Text
    solver_chain_id: Text
    solver: EvmAddress
    salt: Hash
    inputs: Few[Input]
    output: Output
    fees: Few[OrderFee]


class Protocol(CamelAnswer):
    """The order of a deposit; the signature is present if ``includeProtocolData`` was requested."""

    order_id: Hash
    order_data: Order
    order_signature: HexBytes = b""


class Protocols(CamelAnswer):
    """By the protocol's version."""

    v2: Protocol | None = None


class QuoteAnswer(CamelAnswer):
    """``POST /quote/v2``. Fees and protocol are absent if there are none; the request's ID may be in the steps."""

    steps: list[Step]
    details: Details
    fees: Fees = Fees()
    protocol: Protocols | None = None
    request_id: Hash | None = None


class StatusAnswer(CamelAnswer):
    """``GET /intents/status/v3``. Of ``tx_hashes`` the last is the latest on the other side, or the refund."""

    status: Text
    in_tx_hashes: list[Text] = Field(default_factory=list)
    tx_hashes: list[Text] = Field(default_factory=list)
    fail_reason: Text | None = None
    refund_fail_reason: Text | None = None
    origin_chain_id: int | None = None
    destination_chain_id: int | None = None
    updated_at: RawAmount | None = None


class ErrorAnswer(CamelAnswer):
    """The body of a failure."""

    error_code: Text
