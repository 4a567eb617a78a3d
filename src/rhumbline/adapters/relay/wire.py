"""What is read of Relay's answers, under its own names (in snake case here, in camel case there)."""

from decimal import Decimal
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT, Answer, EvmAddress, HexBytes, Number, RawAmount

Text = Annotated[str, Field(max_length=200)]
"""A stranger's word, kept short: an address of any chain, a name, a reason."""
Hash = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{64}$")]
Seconds = Annotated[int, Field(ge=0, le=2**32 - 1)]
T = TypeVar("T")
Few: TypeAlias = Annotated[list[T], Field(max_length=16)]
"""A list that is hashed, or walked: no more than any order needs."""


def _whole(amount: Decimal) -> Decimal:
    if amount.copy_abs() > LARGEST_AMOUNT or amount != amount.to_integral_value():
        raise ValueError("must be a whole number of raw units")
    return amount


SignedAmount = Annotated[Number, AfterValidator(_whole)]
"""An amount in raw units that may be negative."""


class RelayAnswer(Answer):
    """Fields are named in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class Currency(RelayAnswer):
    """A token; ``chain_id`` is Relay's own."""

    chain_id: int
    address: Text
    symbol: Text = ""
    name: Text = ""
    decimals: Annotated[int, Field(ge=0, le=36)] = 18


class CurrencyAmount(RelayAnswer):
    """An amount of a token in raw units, and the least that it may become (absent in the shortened examples)."""

    currency: Currency
    amount: RawAmount
    minimum_amount: RawAmount | None = None


class FeeAmount(RelayAnswer):
    """A fee; a subsidy makes one negative."""

    currency: Currency
    amount: SignedAmount


class Fees(RelayAnswer):
    """What the transfer costs by kind; ``relayer`` is the sum of its two parts. Any of them may be absent."""

    relayer: FeeAmount | None = None
    relayer_gas: FeeAmount | None = None
    relayer_service: FeeAmount | None = None
    app: FeeAmount | None = None


class Impact(RelayAnswer):
    """How far a price is moved, in percent, negative for a loss."""

    percent: Number


class Details(RelayAnswer):
    """The terms as the API words them. ``time_estimate`` is in seconds."""

    sender: Text
    recipient: Text
    currency_in: CurrencyAmount
    currency_out: CurrencyAmount
    swap_impact: Impact | None = None
    time_estimate: Number | None = None


class Call(RelayAnswer):
    """An unsigned transaction of a step; ``data`` and ``value`` are absent in shortened examples only."""

    to: EvmAddress
    chain_id: int
    data: HexBytes = b""
    value: RawAmount = 0
    gas: RawAmount | None = None


class SolanaKey(RelayAnswer):
    """An account of an instruction; what it may do is the program's own to know, and not read."""

    pubkey: Text


class SolanaInstruction(RelayAnswer):
    """One call of a program; ``data`` is hex without ``0x``."""

    program_id: Text
    keys: Annotated[list[SolanaKey], Field(max_length=64)]
    data: Annotated[str, Field(pattern=r"^([0-9a-fA-F]{2}){0,1232}$")]


class SolanaCall(RelayAnswer):
    """What a step on Solana has a wallet do. Its lookup tables are not read: one deposit does without."""

    instructions: Annotated[list[SolanaInstruction], Field(max_length=64)]


class Item(RelayAnswer):
    """One thing to do; ``data`` is a transaction, or what to sign, by the step's kind."""

    data: Any = None


class Step(RelayAnswer):
    """A step; one without items is done already."""

    id: Text
    kind: Text
    items: list[Item] = Field(default_factory=list)
    request_id: Hash | None = None


class Payment(RelayAnswer):
    """What an order takes; ``chain_id`` is the protocol's name of the chain."""

    chain_id: Text
    currency: Text
    amount: RawAmount
    weight: RawAmount


class Refund(RelayAnswer):
    """Where an order's input may go back to."""

    chain_id: Text
    recipient: Text
    currency: Text
    minimum_amount: RawAmount
    deadline: Seconds
    extra_data: HexBytes


class Input(RelayAnswer):
    """One input of an order."""

    payment: Payment
    refunds: Few[Refund]


class Payout(RelayAnswer):
    """What an order pays on the destination."""

    recipient: Text
    currency: Text
    minimum_amount: RawAmount
    expected_amount: RawAmount


class Output(RelayAnswer):
    """The destination's side of an order; ``deadline`` in Unix seconds."""

    chain_id: Text
    payments: Few[Payout]
    calls: Few[HexBytes]
    deadline: Seconds
    extra_data: HexBytes


class OrderFee(RelayAnswer):
    """A fee that an order pays inside the protocol."""

    recipient_chain_id: Text
    recipient: Text
    currency_chain_id: Text
    currency: Text
    amount: RawAmount


class Order(RelayAnswer):
    """An order as its ID is the hash of."""

    version: Text
    solver_chain_id: Text
    solver: EvmAddress
    salt: Hash
    inputs: Few[Input]
    output: Output
    fees: Few[OrderFee]


class Protocol(RelayAnswer):
    """The order under which a deposit is made; the signature comes where ``includeProtocolData`` was asked for."""

    order_id: Hash
    order_data: Order
    order_signature: HexBytes = b""


class Protocols(RelayAnswer):
    """By the protocol's version."""

    v2: Protocol | None = None


class QuoteAnswer(RelayAnswer):
    """``POST /quote/v2``. Fees and protocol are absent where there are none; the request's ID may stand in steps."""

    steps: list[Step]
    details: Details
    fees: Fees = Fees()
    protocol: Protocols | None = None
    request_id: Hash | None = None


class StatusAnswer(RelayAnswer):
    """``GET /intents/status/v3``. Of ``tx_hashes`` the last is the latest on the other side, or the refund."""

    status: Text
    in_tx_hashes: list[Text] = Field(default_factory=list)
    tx_hashes: list[Text] = Field(default_factory=list)
    fail_reason: Text | None = None
    refund_fail_reason: Text | None = None
    origin_chain_id: int | None = None
    destination_chain_id: int | None = None
    updated_at: RawAmount | None = None


class ErrorAnswer(RelayAnswer):
    """The body of a failure."""

    error_code: Text
