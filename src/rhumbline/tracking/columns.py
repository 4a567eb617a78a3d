"""The store's columns of records: the only module that reads and writes their JSON.

What a column of records holds that cannot be read is never raised, for it would hold up all others of its page or
batch: an amount is unavailable then, a state unknown, terms are ``Unreadable``. Amounts of JSON are decimal texts, for
JSON numbers lose digits; bytes are hex.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from msgspec.json import encode
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Dialect, Numeric, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeDecorator, TypeEngine

from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.fee import Charge
from rhumbline.domain.tracking import (
    RecordAmount,
    RouteType,
    StatusSource,
    TransferState,
    TransferTerms,
    UncheckedFee,
    Unreadable,
)

Json = Mapping[str, Any]
T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
_KEPT_AMOUNT = TypeAdapter(RecordAmount)
_UNCHECKED_FEE = TypeAdapter(UncheckedFee)
_TERMS = TypeAdapter(TransferTerms)
_DEPOSIT = TypeAdapter(BridgeDeposit)
_DESTINATION_CALL = TypeAdapter(DestinationCall)
_CHARGES = TypeAdapter(tuple[Charge, ...])
_SMALL = frozenset({"decimals", "amount_at"})
"""Integers that are not amounts."""
_ALWAYS = frozenset({"reference", "log", "amount_at"})
"""Fields that are null instead of left out."""


class JsonColumn(TypeDecorator[T]):
    """A JSON object that is a dataclass, as ``serialise`` writes it and ``parse`` reads it; null is None."""

    impl = JSONB
    cache_ok = True

    def __init__(self, parse: Callable[[Json], T | None]) -> None:
        """``parse`` returns None or a substitute for an object that it cannot parse."""
        super().__init__(none_as_null=True)
        self.parse = parse

    def coerce_compared_value(self, op: OperatorType | None, value: object) -> TypeEngine[Any]:
        """Compare its keys and members as JSON's, whatever the object as a whole is."""
        return self.impl_instance.coerce_compared_value(op, value)

    def bind_processor(self, dialect: Dialect) -> Callable[[T | None], str | None]:
        """Write the text at once: the driver's own way takes five times as long, and records have many of these."""
        return lambda value: None if value is None else encode(self.process_bind_param(value, dialect)).decode()

    def process_bind_param(self, value: T | None, dialect: Dialect) -> object:
        return None if value is None else serialise(value)

    def process_result_value(self, value: object, dialect: Dialect) -> T | None:
        """Read; whatever is no object as an empty one."""
        return None if value is None else self.parse(value if isinstance(value, dict) else {})


class ChargesColumn(TypeDecorator[tuple[Charge, ...]]):
    """Fees as a JSON list; unreadable ones are left out."""

    impl = JSONB
    cache_ok = True

    def process_bind_param(self, value: tuple[Charge, ...] | None, dialect: Dialect) -> object:
        return serialise(value or ())

    def process_result_value(self, value: object, dialect: Dialect) -> tuple[Charge, ...]:
        try:
            return _CHARGES.validate_python(value)
        except ValidationError:
            return ()


class StateColumn(TypeDecorator[E]):
    """A text column for an enumeration; an unknown value is read as "unknown"."""

    impl = Text
    cache_ok = True

    def __init__(self, states: type[E]) -> None:
        super().__init__()
        self.states = states

    def process_result_value(self, value: object, dialect: Dialect) -> E:
        try:
            return self.states(str(value))
        except ValueError:
            return self.states("unknown")


class WholeNumber(TypeDecorator[int]):
    """An amount in raw units, exact."""

    impl = Numeric(78)
    cache_ok = True

    def process_result_value(self, value: Decimal | None, dialect: Dialect) -> int | None:
        return None if value is None else int(value)


def serialise(value: Any) -> object:
    """Write a value as JSON: a dataclass by its fields, without those that are not needed."""
    # The exact types first: records have many of these values.
    kind: Any = type(value)
    if kind is str or value is None:
        return value
    if kind is int:
        return str(value)
    if kind is tuple:
        return [serialise(each) for each in value]
    if (names := _names(kind)) is None:
        return _serialise_other(value)
    found: dict[str, object] = {}
    for name in names:
        each = getattr(value, name)
        if each is None:
            if name in _ALWAYS:
                found[name] = None
        else:
            found[name] = each if type(each) is str or name in _SMALL else serialise(each)
    return found


def _serialise_other(value: object) -> object:
    if isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return [serialise(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Unreadable):
        raise ValueError("what could not be read is not written")
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Mapping):
        return {str(key): serialise(each) for key, each in value.items()}
    return value


@cache
def _names(kind: type[Any]) -> tuple[str, ...] | None:
    """Return a dataclass's fields; None of what is none, or not to be written."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) and kind is not Unreadable else None


def _parse_amount(kept: Json) -> RecordAmount | None:
    try:
        return _KEPT_AMOUNT.validate_python(kept)
    except ValidationError:
        return None


def _parse_fee(kept: Json) -> RecordAmount | UncheckedFee | None:
    try:
        return _UNCHECKED_FEE.validate_python(kept) if "paid" in kept else _KEPT_AMOUNT.validate_python(kept)
    except ValidationError:
        return None


def _parse_terms(kept: Json) -> TransferTerms | Unreadable:
    deposit, call = kept.get("deposit"), kept.get("destination_call")
    try:
        parts = {
            "deposit": None if deposit is None else _parse_deposit(deposit),
            "destination_call": None if call is None else _parse_destination_call(call),
        }
        return _TERMS.validate_python({**kept, **parts})
    except (AttributeError, KeyError, TypeError, ValueError):
        return Unreadable()


def _parse_deposit(kept: Json) -> BridgeDeposit:
    """Read a deposit, and raise if it is invalid: treating it as absent would accept anything."""
    log = kept["log"]
    if log is not None:
        topics = [None if each is None else bytes.fromhex(each) for each in log["topics"]]
        log = {**log, "topics": topics, "words": {at: bytes.fromhex(word) for at, word in log["words"].items()}}
    return _DEPOSIT.validate_python({**kept, "log": log})


def _parse_destination_call(kept: Json) -> DestinationCall:
    """Read a call, and raise if it is invalid: treating it as absent would mean that the bridge just pays."""
    return _DESTINATION_CALL.validate_python({**kept, "message": bytes.fromhex(kept["message"])})


AMOUNT = JsonColumn(_parse_amount)
FEE = JsonColumn(_parse_fee)
TERMS = JsonColumn(_parse_terms)
DEPOSIT = JsonColumn(_parse_deposit)
DESTINATION_CALL = JsonColumn(_parse_destination_call)
CHARGES = ChargesColumn()
STATUS, STATUS_SOURCE, ROUTE_TYPE = StateColumn(TransferState), StateColumn(StatusSource), StateColumn(RouteType)
ANSWER = JSONB(none_as_null=True)
"""A bridge's answer, as far as it is stored."""
