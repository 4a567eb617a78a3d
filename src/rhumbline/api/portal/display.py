"""Amounts, values and addresses as the pages show them, in the visitor's language."""

from decimal import ROUND_DOWN, Context, Decimal

from rhumbline.api.pages.language import Language
from rhumbline.domain.amount import format_amount
from rhumbline.domain.tracking import TokenAmount

_PLACES = 8
_THOUSANDS = ("", "k", "M", "B", "T")
MICRO = 6
"""Decimals of the millionths of a dollar in which values are summed."""
_EXACT = Context(prec=200)


def short(text: str) -> str:
    return text if len(text) <= 13 else f"{text[:6]}…{text[-4:]}"


def quantity(language: Language, raw: int, decimals: int, symbol: str = "") -> str:
    """Write an amount with its symbol: thousands apart, at most eight decimal places, cut off and marked with `…`."""
    whole, _, fraction = format_amount(raw, decimals).partition(".")
    cut = fraction[:_PLACES] + ("…" if len(fraction) > _PLACES else "")
    return f"{language.decimal(f'{whole}.{cut}')} {symbol}".rstrip()


def token_quantity(language: Language, amount: TokenAmount | None) -> str | None:
    """Write a record's amount; None while it is not known. A token on no list has its address for a name."""
    if amount is None:
        return None
    name = short(amount.address) if amount.symbol == amount.address else amount.symbol
    return quantity(language, amount.raw, amount.decimals, name)


def micro_usd(usd: Decimal) -> int:
    """Return a value in millionths of a dollar, rounded down."""
    return int(usd.scaleb(MICRO, _EXACT).to_integral_value(ROUND_DOWN, _EXACT))


def dollars(language: Language, micro: int) -> str:
    """Write millionths of a dollar to the cent, rounded down; an amount below a cent is not written as zero."""
    cents = micro // 10**4
    if micro > 0 and cents == 0:
        return f"< {language.dollars(language.decimal('0.01'))}"
    return language.dollars(language.decimal(f"{cents // 100}.{cents % 100:02d}"))


def worth(language: Language, amount: TokenAmount | None) -> str | None:
    """Write what an amount was worth; None where that is not known."""
    return None if amount is None or amount.usd is None else dollars(language, micro_usd(amount.usd))


def brief(language: Language, raw: int, decimals: int) -> str:
    """Write an amount in a few characters, as an axis has it: three digits and a power of ten, rounded down."""
    digits = str(raw)
    power = len(digits) - 1 - decimals
    shown = int(digits[:3].ljust(3, "0"))
    if raw == 0:
        return "0"
    if -4 <= power < 15:
        group = max(power // 3, 0)
        text = format_amount(shown * 10 ** (power - 3 * group + 20), 22).rstrip(".")
        return language.decimal(text) + _THOUSANDS[group]
    return f"{language.decimal(format_amount(shown, 2))}e{power}"


def brief_usd(language: Language, micro: int) -> str:
    return language.dollars(brief(language, micro, MICRO))


def labelled(language: Language, name: str, amount: str) -> str:
    """Write an amount behind its name."""
    return language.say("%(name)s: %(amount)s", name=name, amount=amount)
