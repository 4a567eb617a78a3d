"""The fields that are read of Rise's answers, under its own names; amounts are JSON numbers in raw units."""

from pydantic import Field

from rhumbline.gateways.upstreams.fields import Answer, CamelAnswer, RawAmount
from rhumbline.gateways.upstreams.svm.fields import Base64Bytes, SvmAddress


class Offer(CamelAnswer):
    """A market's output for an amount, after its fee."""

    direction: str
    amount_in: RawAmount
    amount_out: RawAmount
    price_impact: object = None


class OfferAnswer(Answer):
    """The answer to a quote."""

    ok: bool
    quote: Offer


class Market(Answer):
    """A market: its token and its currency."""

    mint_token: SvmAddress
    mint_main: SvmAddress
    disable_sell: bool | None = Field(None, alias="disableSell")


class MarketAnswer(Answer):
    """The answer about a market."""

    ok: bool
    market: Market


class TransactionAnswer(Answer):
    """A whole unsigned transaction."""

    ok: bool
    transaction: Base64Bytes
