"""The form of every wire model: camel case, optionals left out, amounts and times as in the contract."""

from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Generic, TypeVar

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field, PlainSerializer
from pydantic.alias_generators import to_camel
from starlette.responses import Response

S = TypeVar("S")


def timestamp(moment: datetime) -> str:
    """Write an aware time in UTC with milliseconds and ``Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def decimal_text(value: Decimal) -> str:
    """Write a decimal in plain notation, without exponent and trailing zeros."""
    text = format(value, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("", "-0") else text


RawAmount = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]*)$", description="Integer in the token's smallest unit.")]
SignedAmount = Annotated[str, Field(pattern=r"^(0|-?[1-9][0-9]*)$")]
DecimalText = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
Number = Annotated[Decimal, PlainSerializer(decimal_text, DecimalText)]
"""A decimal as it is, written as ``decimal_text`` writes it."""
HexText = Annotated[str, Field(pattern=r"^0x[0-9a-f]+$")]
_TimeText = Annotated[
    str,
    Field(
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
        json_schema_extra={"format": "date-time"},
        description="ISO 8601 in UTC, with milliseconds.",
    ),
]
Timestamp = Annotated[datetime, PlainSerializer(timestamp, _TimeText)]
"""An aware time, written as ``timestamp`` writes it."""


class Wire(BaseModel):
    """One object of the contract: made from our words by keyword, dumped in the contract's.

    Optionals are typed ``T | MISSING`` and are left out when missing; ``T | None`` is always present and may be null.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=AliasGenerator(serialization_alias=to_camel),
        serialize_by_alias=True,
        hide_input_in_errors=True,
    )


class WrittenRows(Generic[S]):
    """Encoded rows of answers by name; a row whose source has changed is encoded again.

    There are at most ``most``, None for as many as there are names.
    """

    __slots__ = ("_kept", "_most", "_write")

    def __init__(self, write: Callable[[S], Wire], most: int | None = None) -> None:
        self._write = write
        self._most = most
        self._kept: dict[Hashable, tuple[S, bytes]] = {}

    def row(self, name: Hashable, source: S) -> bytes:
        kept = self._kept.get(name)
        if kept is not None and (kept[0] is source or kept[0] == source):
            return kept[1]
        row = self._write(source).model_dump_json().encode()
        if self._most is not None and len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[name] = (source, row)
        return row


def answer(body: Wire, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body.model_dump_json(), status, headers, "application/json")
