"""JSON from outside: strict parsing, and writing with every digit."""

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from itertools import accumulate
from typing import TypeAlias

Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"

# No price, amount or rate needs more; a Decimal of a billion digits is one short text in an answer.
LONGEST_NUMBER = 400
_DEEPEST = 64
_BYTE_ORDER_MARK = "\ufeff"
_BLANKS = " \t\r\n"
_LONG = object()
# All but the brackets outside of strings. Possessive, and a string need not end, so that no text makes it try twice.
_NO_BRACKETS = re.compile(r'[^\[\]{}"]++|"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)
# A half that stands with its other half is a character; which it is, only reading shows.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# A level more, and a level less, as bytes with a sign.
_LEVELS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")


def read_json(body: bytes) -> Json:
    """Read one JSON document; raise ValueError, whose text shows nothing of the body, for anything that is not sound.

    Numbers with a point or an exponent become Decimals, all digits kept. Refused: a key twice in one object, NaN and
    infinities, numbers beyond 400 digits written out, nesting beyond 64 levels, and text that is not UTF-8 or cannot be
    written as it: half of a surrogate pair (RFC 8259, 8.1 and 8.2).
    """
    try:
        text = body.decode().removeprefix(_BYTE_ORDER_MARK).strip(_BLANKS)
        if _is_deep(text):
            raise _Unsound("nested too deeply, or cut off")
        document: Json
        document, end = _DECODER.raw_decode(text)
        if end != len(text):
            raise _Unsound("not JSON")
        if _SURROGATE.search(text) and not _can_be_written(document):
            raise _Unsound("a text is half of a character")
    except _Unsound:
        raise
    except ValueError:
        raise ValueError("not JSON") from None
    return document


def place_of_long_number(body: bytes) -> str | None:
    """Return the path of the first number that ``read_json`` refused as NumberTooLong, None if there is none."""
    marked = json.JSONDecoder(parse_float=_or_long(_decimal), parse_int=_or_long(_integer), parse_constant=str)
    document: object = marked.decode(body.decode().removeprefix(_BYTE_ORDER_MARK).strip(_BLANKS))
    waiting: list[tuple[str, object]] = [("", document)]
    while waiting:
        path, value = waiting.pop()
        if value is _LONG:
            return path.removeprefix(".")
        if isinstance(value, dict):
            waiting += [(f"{path}.{name}", inner) for name, inner in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [(f"{path}[{place}]", inner) for place, inner in reversed([*enumerate(value)])]
    return None


def write_json(document: object) -> bytes:
    """Write a document as compact JSON; what ``read_json`` gave is written with every digit of its numbers.

    Raise ValueError for a number that is not finite, TypeError for what JSON has no word for.
    """
    return _written(document).encode()


def _written(value: object) -> str:
    if isinstance(value, str):
        # The usual kind first: to ask whether something is a Mapping takes longer than to write it.
        return _plain(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError("only finite numbers can be written as JSON")
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_plain(str(key))}:{_written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_written, value)) + "]"
    return _plain(value)


class _Unsound(ValueError):
    """Valid JSON that we do not accept."""


class NumberTooLong(_Unsound):
    """A number with more digits than are accepted."""

    def __init__(self) -> None:
        super().__init__("a number is too long")


def _is_deep(text: str) -> bool:
    """Return whether a document is nested too deeply: the parser recurses, and may take the process down with it."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    levels = memoryview(_NO_BRACKETS.sub("", text).encode().translate(_LEVELS)).cast("b")
    # The parser goes no further than the brackets fit together, so up to there these are its levels.
    return max(accumulate(levels), default=0) > _DEEPEST


def _can_be_written(document: Json) -> bool:
    """Return whether every text in a document can be written as UTF-8."""
    try:
        json.dumps(document, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Unsound("a key is there twice")
    return found


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text) if len(text) <= LONGEST_NUMBER else None
    except InvalidOperation:
        # An exponent that no Decimal can hold.
        number = None
    if number is None or abs(number.adjusted()) > LONGEST_NUMBER:
        raise NumberTooLong
    return number


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise NumberTooLong
    return int(text)


def _or_long(read: Callable[[str], object]) -> Callable[[str], object]:
    def reading(text: str) -> object:
        try:
            return read(text)
        except NumberTooLong:
            return _LONG

    return reading


def _no_number(text: str) -> Json:
    raise _Unsound(f"{text} is no number")


_DECODER = json.JSONDecoder(
    parse_float=_decimal, parse_int=_integer, parse_constant=_no_number, object_pairs_hook=_object
)
_plain = json.JSONEncoder(allow_nan=False).encode
