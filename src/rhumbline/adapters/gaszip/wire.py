"""The fields that are read of Gas.zip's answers, under its own names (snake case here, camel case there)."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, TypeAdapter

from rhumbline.gateways.upstreams.fields import (
    LARGEST_AMOUNT,
    CamelAnswer,
    EvmAddress,
    HexBytes,
    Number,
    Quantity,
)


def _whole(value: object) -> int:
    """Read an amount in wei: in hex, in digits, or as JavaScript writes numbers, 5e+21 among them."""
    if not isinstance(value, Decimal):
        return _AMOUNT.validate_python(value)
    if value != value.to_integral_value() or not 0 <= value <= LARGEST_AMOUNT:
        raise ValueError("must be a whole amount")
    return int(value)


_AMOUNT: TypeAdapter[int] = TypeAdapter(Quantity)
Whole = Annotated[int, BeforeValidator(_whole)]
Text = Annotated[str, Field(max_length=200)]
Hash = Annotated[str, Field(pattern=r"^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$")]
"""A transaction's hash, or its signature on Solana."""
Seconds = Annotated[int, Field(ge=0, le=2**53)]


class Offer(CamelAnswer):
    """The output on one destination, or why there is none; ``speed`` in seconds.

    Amounts are in wei of the destination; ``expected_native`` equals ``expected`` if that has 18 decimals, otherwise
    only its name says its unit.
    """

    chain: int
    expected: Whole | None = None
    expected_native: Whole | None = None
    gas: Whole | None = None
    speed: Number | None = None
    decimals: int = 18
    error: Text | None = None


class ContractCall(CamelAnswer):
    """The deposit as Gas.zip writes it; ``value`` in wei of the origin, in hex (an answer of 2026-10-06)."""

    to: EvmAddress
    data: HexBytes
    value: Whole


class QuoteAnswer(CamelAnswer):
    """``/quotes``. ``expires`` in Unix seconds; ``calldata`` is for the plain address."""

    quotes: list[Offer] = Field(default_factory=list)
    error: Text | None = None
    calldata: HexBytes | None = None
    expires: Seconds | None = None
    contract_deposit_txn: Any = None
    """A ``ContractCall`` from an EVM chain; its form from Solana is unknown, and it is not read there."""


class ReverseAnswer(CamelAnswer):
    """``/quoteReverse``: the deposit for an output, in wei of the origin."""

    required: Whole


class ChainFacts(CamelAnswer):
    """One chain of ``/chains``: limits in wei of its own native asset; ``bal`` is what can be paid out there.

    Clients that keep whole rows (2026-09) have no ``minInbound``; older documents have.
    """

    chain: int
    short: int
    bal: Whole | None = None
    inbound: bool | None = None
    min_inbound_native: Whole | None = None
    max_inbound_native: Whole | None = None
    min_outbound_native: Whole | None = None
    max_outbound_native: Whole | None = None


class DepositFacts(CamelAnswer):
    """The deposit that a status is about."""

    hash: Hash
    status: Text


class Payout(CamelAnswer):
    """A payment on the destination, or back on the origin; ``hash`` is None until it is sent."""

    chain: int
    status: Text
    hash: Hash | None = None
    to: Text = ""
    refund: bool = False
    cancelled: bool = False


class StatusAnswer(CamelAnswer):
    """``/deposit/{hash}``; empty if the deposit is not known (yet)."""

    deposit: DepositFacts | None = None
    txs: list[Payout] = Field(default_factory=list)
    error: Text | None = None
