"""The fields that are read of OKX's answers, under its own names (snake case here, camel case there)."""

from typing import Generic, TypeVar

from pydantic import Field

from rhumbline.gateways.upstreams.fields import CamelAnswer, EvmAddress, HexBytes, RawAmount

A = TypeVar("A", bound=str)
EXACT_OUT = "exactOut"


class Envelope(CamelAnswer):
    """The envelope of every answer; ``code`` 0 is success, and documented as a text."""

    code: str | int
    msg: str | None = None


class OkxToken(CamelAnswer, Generic[A]):
    """A token of the answer, by an address ``A`` of the chain's type."""

    token_contract_address: A
    is_honey_pot: bool | None = None


class RouterResult(CamelAnswer, Generic[A]):
    """The terms of a swap; amounts in raw units, ``estimate_gas_fee`` in units of gas."""

    chain_index: str | int
    from_token: OkxToken[A]
    to_token: OkxToken[A]
    from_token_amount: RawAmount
    to_token_amount: RawAmount
    swap_mode: str | None = None
    estimate_gas_fee: object = None
    price_impact_percent: object = None


class RouterTransaction(CamelAnswer):
    """The router's call; ``value`` in wei. The minimum is decoded from the call."""

    sender: EvmAddress = Field(alias="from")
    to: EvmAddress
    data: HexBytes
    value: RawAmount


class SwapData(CamelAnswer):
    """A quote and its call."""

    router_result: RouterResult[EvmAddress]
    tx: RouterTransaction


class SwapAnswer(CamelAnswer):
    """The answer to a swap, in its envelope: one of them, or none."""

    data: list[SwapData]


class QuoteAnswer(CamelAnswer):
    """The answer to a quote, in its envelope: the terms of one swap, or none."""

    data: list[RouterResult[EvmAddress]]


class ChainRow(CamelAnswer):
    """One chain of the list that is published."""

    dex_token_approve_address: EvmAddress
