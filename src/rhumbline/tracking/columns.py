"""How the store's columns hold what records are made of: read and written here, and nowhere else.

What a column of records holds that cannot be read is never raised, for it would hold up all others of its page or
batch: an amount is unavailable then, a state unknown, terms are ``Unreadable``. Amounts of JSON are decimal texts, for
JSON numbers lose digits; bytes are hex.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import Dialect, Numeric, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeDecorator

from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.tracking import KeptAmount, TransferTerms, UncheckedFee, Unreadable

Json = Mapping[str, object]
T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
_FAULTS = (KeyError, TypeError, ValueError, ArithmeticError)


class JsonColumn(TypeDecorator[T]):
    """A JSON object that is read into a dataclass by ``read`` and written by ``write``; null is None."""

    impl = JSONB
    cache_ok = True

    def __init__(self, read: Callable[[Json], T | None], write: Callable[[T], Json]) -> None:
        """Take both ways."""
        super().__init__(none_as_null=True)
        self.read = read
        self.write = write

    def process_bind_param(self, value: T | None, dialect: Dialect) -> Json | None:
        """Write."""
        return None if value is None else self.write(value)

    def process_result_value(self, value: object, dialect: Dialect) -> T | None:
        """Read; whatever is no object as an empty one."""
        return None if value is None else self.read(value if isinstance(value, dict) else {})


class StateColumn(TypeDecorator[E]):
    """A text that is one of an enumeration; the one called "unknown" stands for what is none of them."""

    impl = Text
    cache_ok = True

    def __init__(self, states: type[E]) -> None:
        """Take the enumeration."""
        super().__init__()
        self.states = states

    def process_result_value(self, value: object, dialect: Dialect) -> E:
        """Read."""
        try:
            return self.states(str(value))
        except ValueError:
            return self.states("unknown")


class WholeNumber(TypeDecorator[int]):
    """An amount in raw units, exact."""

    impl = Numeric(78)
    cache_ok = True

    def process_result_value(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Read."""
        return None if value is None else int(value)


def read_amount(kept: Json) -> KeptAmount | None:
    """Read an amount; None for what is none."""
    usd = kept.get("usd")
    try:
        return KeptAmount(
            address=_text(kept["address"]),
            raw=_whole(kept["raw"]),
            symbol=None if kept.get("symbol") is None else _text(kept["symbol"]),
            decimals=None if kept.get("decimals") is None else _whole(kept["decimals"]),
            usd=None if usd is None else _usd(usd),
        )
    except _FAULTS:
        return None


def write_amount(amount: KeptAmount) -> Json:
    """Write what is known of an amount."""
    usd = None if amount.usd is None else format(amount.usd, "f")
    more = {"symbol": amount.symbol, "decimals": amount.decimals, "usd": usd}
    known = {name: value for name, value in more.items() if value is not None}
    return {"address": amount.address, "raw": str(amount.raw), **known}


def read_fee(kept: Json) -> KeptAmount | UncheckedFee | None:
    """Read a fee, checked or not; None for what is none."""
    if "paid" not in kept:
        return read_amount(kept)
    try:
        paid = tuple((_text(recipient), _whole(amount)) for recipient, amount in map(_list, _list(kept["paid"])))
        return UncheckedFee(_text(kept["address"]), paid)
    except _FAULTS:
        return None


def write_fee(fee: KeptAmount | UncheckedFee) -> Json:
    """Write a fee; one that waits for its check holds each payment in place of the amount."""
    if isinstance(fee, KeptAmount):
        return write_amount(fee)
    return {"address": fee.address, "paid": [[recipient, str(amount)] for recipient, amount in fee.paid]}


def read_terms(kept: Json) -> TransferTerms | Unreadable:
    """Read what a bridge is asked by."""
    deposit = kept.get("deposit")
    try:
        return TransferTerms(
            adapter=_text(kept["adapter"]),
            receiver=_text(kept["receiver"]),
            sent_token=_text(kept["sent_token"]),
            sent_amount=_whole(kept["sent_amount"]),
            output_token=_text(kept["output_token"]),
            min_output=_whole(kept["min_output"]),
            reference=None if kept["reference"] is None else _text(kept["reference"]),
            claimed=kept.get("claimed") is True,
            deposit=None if deposit is None else read_deposit(_object(deposit)),
        )
    except _FAULTS:
        return Unreadable()


def write_terms(terms: TransferTerms | Unreadable) -> Json:
    """Write what a bridge is asked by; ValueError for what could not be read."""
    if isinstance(terms, Unreadable):
        raise ValueError("terms that could not be read are not written")
    return {
        **({} if terms.deposit is None else {"deposit": write_deposit(terms.deposit)}),
        **({"claimed": True} if terms.claimed else {}),
        "adapter": terms.adapter,
        "receiver": terms.receiver,
        "sent_token": terms.sent_token,
        "sent_amount": str(terms.sent_amount),
        "output_token": terms.output_token,
        "min_output": str(terms.min_output),
        "reference": terms.reference,
    }


def read_deposit(kept: Json) -> BridgeDeposit:
    """Read a deposit; KeyError, TypeError or ValueError for what is none: to have none would let anything pass."""
    log = kept["log"]
    return BridgeDeposit(
        token=_text(kept["token"]),
        least=_whole(kept["least"]),
        holders=tuple(_text(each) for each in _list(kept["holders"])),
        log=None if log is None else _read_pattern(_object(log)),
        swapped=kept["swapped"] is True,
    )


def write_deposit(deposit: BridgeDeposit) -> Json:
    """Write a deposit."""
    log = deposit.log
    return {
        "token": deposit.token,
        "least": str(deposit.least),
        "holders": list(deposit.holders),
        "swapped": deposit.swapped,
        "log": None
        if log is None
        else {
            "emitter": log.emitter,
            "topics": [None if each is None else each.hex() for each in log.topics],
            "words": {str(number): word.hex() for number, word in log.words.items()},
            "amount_at": log.amount_at,
        },
    }


def _read_pattern(kept: Json) -> LogPattern:
    at = kept["amount_at"]
    return LogPattern(
        emitter=_text(kept["emitter"]),
        topics=tuple(None if each is None else bytes.fromhex(_text(each)) for each in _list(kept["topics"])),
        words={_whole(number): bytes.fromhex(_text(word)) for number, word in _object(kept["words"]).items()},
        amount_at=None if at is None else _whole(at),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str) or int(value) < 0:
        raise TypeError("not a whole number")
    return int(value)


def _usd(value: object) -> Decimal:
    usd = Decimal(_text(value))
    if not usd.is_finite():
        raise ValueError("not a value")
    return usd


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _object(value: object) -> Json:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value
