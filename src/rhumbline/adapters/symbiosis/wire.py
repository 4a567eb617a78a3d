"""The fields that are read of Symbiosis' answers, under its own names (snake case here, camel case there)."""

from typing import Annotated

from pydantic import BeforeValidator

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.upstreams.fields import CamelAnswer, EvmAddress, HexBytes, Number, Quantity, RawAmount


def _token(value: object) -> str:
    """Read a token's address; the native asset is an empty text, and in some answers the zero address."""
    if value == "":
        return NATIVE_EVM
    if not isinstance(value, str) or not is_address(value):
        raise ValueError("must be an address or empty")
    return checksummed(value)


TokenAddress = Annotated[str, BeforeValidator(_token)]
"""A token, the native asset as our marker."""


class TokenAmount(CamelAnswer):
    """An amount of a token, in raw units."""

    chain_id: int
    address: TokenAddress
    amount: RawAmount


class Call(CamelAnswer):
    """The transaction on an EVM chain; ``value`` in wei, absent for none."""

    chain_id: int
    to: EvmAddress
    data: HexBytes
    value: Quantity = 0


class QuoteAnswer(CamelAnswer):
    """The answer to ``POST /v2/quote``. ``approve_to`` is absent where nothing is to be approved."""

    type: str
    kind: str
    tx: Call
    token_amount_out: TokenAmount
    token_amount_out_min: TokenAmount
    approve_to: str | None = None
    estimated_time: Number | None = None


class Status(CamelAnswer):
    """The status of an operation."""

    code: int | None = None
    text: str = ""


class ChainTransaction(CamelAnswer):
    """A transaction of an operation; ``token_amount`` is its payment, if stated."""

    hash: str | None = None
    chain_id: int | None = None
    token_amount: TokenAmount | None = None


class StatusAnswer(CamelAnswer):
    """The answer to ``GET /v2/tx/…``: ``tx`` is the newest transaction of the operation, at first the origin's own.

    ``transit_token_sent`` is the token that was paid out instead of the requested one.
    """

    status: Status | str
    tx: ChainTransaction | None = None
    transit_token_sent: TokenAmount | None = None
