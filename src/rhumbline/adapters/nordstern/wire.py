"""The fields that are read of Nordstern's answers, under its own names (snake case here, camel case there)."""

from pydantic import Field

from rhumbline.gateways.upstreams.fields import Answer, CamelAnswer, EvmAddress, HexBytes, Number, RawAmount


class GuardTransaction(CamelAnswer):
    """The guard's call; ``value`` in wei, ``paid`` is the ``from`` of the request."""

    paid: EvmAddress = Field(alias="from")
    to: EvmAddress
    value: RawAmount
    data: HexBytes


class SwapAnswer(CamelAnswer):
    """A quote and its call. Amounts in raw units; ``to_amount`` was seen with a fraction, which cannot be paid.

    The minimum is read of the call.
    """

    src: EvmAddress
    dst: EvmAddress
    from_amount: RawAmount
    to_amount: Number
    tx: GuardTransaction
    gas_estimate: object = None


class ChainRow(Answer):
    """One chain of the published list; the address is both called and approved."""

    router_address: EvmAddress = Field(alias="RouterAddress")
