"""The value of records' amounts in USD at the time: written once and never changed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import ROUND_DOWN, Context, Decimal

from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.tracking import RecordAmount

PriceReader = Callable[[int, str], PriceSnapshot | None]
"""Reads a cached price by chain and canonical address and has it refreshed; None if there is none."""
AWAITED_FOR = timedelta(minutes=1)
"""How long a young record waits for a price that is being refreshed."""
_OF_THAT_TIME = timedelta(hours=1)
_SMALLEST = Decimal("0.000001")
_EXACT = Context(prec=200)


def no_prices(chain_id: int, token: str) -> None:
    """Know no price."""


def is_awaited(amount: RecordAmount | None, price: PriceSnapshot | None, at: datetime, now: datetime) -> bool:
    """Return whether a better answer about an amount's value is on its way."""
    if amount is None or price is None or amount.usd is not None or abs(now - at) > AWAITED_FOR:
        return False
    return price.refreshing and not _is_of_that_time(price, at)


def valued(amount: RecordAmount, price: PriceSnapshot | None, at: datetime) -> RecordAmount:
    """Add what an amount was worth ``at`` a time, in USD to six places, rounded down; once told it stays.

    Nothing is added for an amount that is not complete, or where the price is not of that time, within an hour.
    """
    if amount.usd is not None or amount.decimals is None:
        return amount
    if price is None or price.usd is None or price.usd <= 0 or not _is_of_that_time(price, at):
        return amount
    worth = _EXACT.multiply(Decimal(amount.raw).scaleb(-amount.decimals, _EXACT), price.usd)
    return replace(amount, usd=worth.quantize(_SMALLEST, ROUND_DOWN, _EXACT))


def _is_of_that_time(price: PriceSnapshot, at: datetime) -> bool:
    return price.updated_at is not None and abs(price.updated_at - at) <= _OF_THAT_TIME
