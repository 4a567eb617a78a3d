"""Fees as an answer itemises them, with their value in USD where a price is known."""

from decimal import ROUND_UP, Context, Decimal
from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.shape import Number, RawAmount, Wire
from rhumbline.api.wire.token import Decimals
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.route import FeeBreakdown
from rhumbline.domain.token import Token

_USD_PLACES = Decimal("0.000001")
_EXACT = Context(prec=160)


class FeeTotal(Wire):
    """All fees together, in the origin currency."""

    amount: RawAmount
    currency_symbol: str
    currency_address: str
    chain_id: int
    decimals: Decimals | MISSING = MISSING


class FeeBreakdownItem(FeeTotal):
    """One fee, in the currency it is taken in."""

    type: FeeType
    included: Annotated[
        bool,
        Field(
            description="True: already deducted from the amount or the output. False: the wallet pays it in addition."
        ),
    ]
    amount_usd: Annotated[Number, Field(description="Rounded up to six places.")] | MISSING = MISSING
    paid_by: Annotated[str, Field(description="The fee payer, where it pays this and not the wallet.")] | MISSING = (
        MISSING
    )


class ParsedFees(Wire):
    """The route's costs beside the exchange rate."""

    total: FeeTotal
    breakdown: list[FeeBreakdownItem]
    total_usd: Annotated[Number, Field(description="Absent if a price is missing.")] | MISSING = MISSING


def to_fees(fees: FeeBreakdown, currency: Token) -> ParsedFees:
    """Write the fees; ``currency`` is the origin's token."""
    usd = fees.unit_usd if fees.complete else None
    return ParsedFees(
        total=FeeTotal(
            amount=str(fees.total),
            currency_symbol=currency.symbol,
            currency_address=currency.address,
            chain_id=currency.chain_id,
            decimals=currency.decimals,
        ),
        breakdown=[_item(item) for item in fees.items],
        total_usd=MISSING if usd is None else value_in_usd(fees.total, currency.decimals, usd),
    )


def value_in_usd(amount: int, decimals: int, price: Decimal) -> Decimal:
    """Return the value of raw units in USD, rounded up to six places, so that a fee is never understated."""
    worth = _EXACT.multiply(Decimal(amount), price).scaleb(-decimals, _EXACT)
    return worth.quantize(_USD_PLACES, ROUND_UP, _EXACT)


def _item(item: FeeItem) -> FeeBreakdownItem:
    usd = item.unit_usd
    return FeeBreakdownItem(
        type=item.type,
        amount=str(item.amount),
        currency_symbol=item.token.symbol,
        currency_address=item.token.address,
        chain_id=item.token.chain_id,
        decimals=item.token.decimals,
        included=item.included,
        amount_usd=MISSING if usd is None else value_in_usd(item.amount, item.token.decimals, usd),
        paid_by=MISSING if item.paid_by is None else item.paid_by,
    )
