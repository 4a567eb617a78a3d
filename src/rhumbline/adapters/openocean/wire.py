"""The fields that are read of OpenOcean's answers, under its own names (snake case here, camel case there)."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from rhumbline.gateways.upstreams.fields import CamelAnswer, EvmAddress, HexBytes, RawAmount


def _percentage(value: object) -> object:
    """Take the sign off a text such as ``-0.19%``; what has none is no percentage."""
    return value[:-1] if isinstance(value, str) and value.endswith("%") else None


class Envelope(CamelAnswer):
    """The envelope of every answer; ``code`` 200 is success."""

    code: int


class OceanToken(CamelAnswer):
    """A token of the answer."""

    address: EvmAddress


class SwapData(CamelAnswer):
    """A quote and its call. Amounts in raw units, ``value`` in wei, ``estimated_gas`` in units of gas.

    ``rfq_deadline`` and ``gmx_fee`` are 0 where the route hangs on no market maker and costs no further native value.
    The minimum is read of the call.
    """

    in_token: OceanToken
    out_token: OceanToken
    in_amount: RawAmount
    out_amount: RawAmount
    to: EvmAddress
    value: RawAmount
    data: HexBytes
    chain_id: int
    estimated_gas: RawAmount | None = None
    rfq_deadline: RawAmount | None = None
    gmx_fee: RawAmount | None = None
    price_impact: Annotated[object, BeforeValidator(_percentage)] = Field(default=None, alias="price_impact")


class SwapAnswer(CamelAnswer):
    """The answer to a swap, in its envelope."""

    data: SwapData
