"""Times, amounts and addresses as the pages write them."""

from datetime import datetime

from rhumbline.domain.amount import format_amount
from rhumbline.domain.tracking import TokenAmount

_PLACES = 8


def moment(time: datetime) -> str:
    """Write a time in UTC, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M UTC")


def short(text: str) -> str:
    return text if len(text) <= 13 else f"{text[:6]}…{text[-4:]}"


def quantity(raw: int, decimals: int, symbol: str = "") -> str:
    """Write an amount with its symbol: thousands apart, at most eight decimal places, cut off and marked with `…`."""
    whole, _, fraction = format_amount(raw, decimals).partition(".")
    grouped = f"{int(whole):,}"
    if not fraction:
        return f"{grouped} {symbol}".rstrip()
    cut = fraction[:_PLACES] + ("…" if len(fraction) > _PLACES else "")
    return f"{grouped}.{cut} {symbol}".rstrip()


def token_quantity(amount: TokenAmount | None) -> str | None:
    """Write a record's amount; None while it is not known. A token on no list has its address for a name."""
    if amount is None:
        return None
    name = short(amount.address) if amount.symbol == amount.address else amount.symbol
    return quantity(amount.raw, amount.decimals, name)
