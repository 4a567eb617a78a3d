"""Times, amounts and addresses as the pages show them."""

from datetime import date, datetime
from decimal import ROUND_DOWN, Context, Decimal

from rhumbline.domain.amount import format_amount
from rhumbline.domain.tracking import TokenAmount

_PLACES = 8
_THOUSANDS = ("", "k", "M", "B", "T")
MICRO = 6
"""Decimals of the millionths of a dollar in which values are summed."""
_EXACT = Context(prec=200)


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


def micro_usd(usd: Decimal) -> int:
    """Return a value in millionths of a dollar, rounded down."""
    return int(usd.scaleb(MICRO, _EXACT).to_integral_value(ROUND_DOWN, _EXACT))


def dollars(micro: int) -> str:
    """Write millionths of a dollar to the cent, rounded down; an amount below a cent is not written as zero."""
    cents = micro // 10**4
    if micro > 0 and cents == 0:
        return "< $0.01"
    return f"${cents // 100:,}.{cents % 100:02d}"


def brief(raw: int, decimals: int) -> str:
    """Write an amount in a few characters, as an axis has it: three digits and a power of ten, rounded down."""
    digits = str(raw)
    power = len(digits) - 1 - decimals
    shown = int(digits[:3].ljust(3, "0"))
    if raw == 0:
        return "0"
    if -4 <= power < 15:
        group = max(power // 3, 0)
        return format_amount(shown * 10 ** (power - 3 * group + 20), 22).rstrip(".") + _THOUSANDS[group]
    return f"{format_amount(shown, 2)}e{power}"


def brief_usd(micro: int) -> str:
    return f"${brief(micro, MICRO)}"


def day_name(day: date) -> str:
    return f"{day.day} {day:%b}"
