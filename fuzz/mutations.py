"""Genuine bytes, texts and JSON documents, altered in a few places: what a hostile or broken peer might send."""

import copy
import json
from base64 import b64decode, b64encode
from binascii import unhexlify
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

_WORD = 32
_MOST_ALTERATIONS = 3
_MOST_BYTES = 64 * 1024
_EDGES = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)
_WIDE = (*_EDGES, 2**127, 2**128 - 1, 2**160 - 1, 2**160, 2**255 - 1, 2**255, 2**256 - 1, 2**256)
_NUMBERS: tuple[Any, ...] = (
    *_WIDE, -1, -(2**63), 10**77, 10**399, -(10**399), 0.5, -0.0, 1e308, 1e-308, 1.7976931348623157e308, 5e-324,
)  # fmt: skip
_TEXTS = (
    "", " ", "0", "-1", "+1", "00", "0x", "0X0", "0x0", "1e999", "1e-999", "NaN", "Infinity", "1_000", "1.", ".5", "٣٤",
    "１２", "²", "null", "true", "\0", "\ud800", "a\udfffb", "\u202e", "\ufeff", "İ", "ß", "\u2028", "\r\n", "%00",
    "../..", "{}", "[]", "'", '"', "1" * 400, "9" * 5000, "é" * 200, "0x" + "f" * 64, "0x" + "f" * 65,
    "0x" + "0" * 40, "0x" + "f" * 40, "1" * 32, "1" * 44, "z" * 44, "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
    "2026-02-30T00:00:00Z", "2026-11-28T24:00:00+99:99", "https://[", "http://[::1", "https://a\\b", "//", "data:,",
)  # fmt: skip


def altered_bytes(rng: Random, data: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Bits, words, lengths and whole pieces of it altered."""
    out = bytearray(data)
    for _ in range(rng.randint(1, _MOST_ALTERATIONS)):
        _alter(rng, out, others)
    return bytes(out[:_MOST_BYTES])


def _alter(rng: Random, out: bytearray, others: Sequence[bytes]) -> None:
    at = rng.randrange(len(out) + 1)
    match rng.randrange(9):
        case 0 if out:
            out[at % len(out)] ^= 1 << rng.randrange(8)
        case 1 if out:
            out[at % len(out)] = rng.choice((0, 1, 0x7F, 0x80, 0xFE, 0xFF))
        case 2:
            del out[at:]
        case 3:
            del out[at : at + rng.randint(1, 40)]
        case 4:
            piece = bytes(out[at : at + rng.randint(1, 64)]) * rng.randint(1, 40)
            out[at:at] = piece
        case 5:
            size = rng.choice((1, 2, 4, 8))
            out[at : at + size] = (rng.choice(_EDGES) % (1 << (8 * size))).to_bytes(size, rng.choice(("little", "big")))
        case 6 if len(out) >= _WORD:
            # A word of the ABI, which may stand behind a selector.
            start = len(out) % _WORD if len(out) % _WORD == 4 else 0
            place = start + rng.randrange(max(1, (len(out) - start) // _WORD)) * _WORD
            out[place : place + _WORD] = (rng.choice(_WIDE) % 2**256).to_bytes(_WORD)
        case 7 if others:
            other = rng.choice(others)
            cut = rng.randrange(len(other) + 1)
            out[at:] = other[cut:]
        case _:
            out[at:at] = rng.randbytes(rng.choice((1, 2, 4, 32)))


def altered_text(rng: Random, text: str, others: Sequence[str] = ()) -> str:
    """Characters of it altered, or another text altogether."""
    way = rng.randrange(7)
    at = rng.randrange(len(text) + 1)
    if way == 0 or not text:
        return rng.choice(_TEXTS)
    if way == 1:
        return text[:at] + rng.choice(_TEXTS) + text[at:]
    if way == 2:
        return text[:at] + text[at + rng.randint(1, 8) :]
    if way == 3:
        return text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x3000), 0x1F600))) + text[at + 1 :]
    if way == 4 and others:
        return text[:at] + rng.choice(others)[at:]
    if way == 5:
        return text[:at] + text[at : at + 8] * rng.randint(2, 200) + text[at:]
    return text.swapcase() if rng.randrange(2) else text[:at]


def altered_json(rng: Random, document: Any, others: Sequence[Any] = ()) -> Any:
    """Values, keys and the shape of a document altered; what hides in its texts (calldata, base64) too."""
    box = [copy.deepcopy(document)]
    for _ in range(rng.randint(1, _MOST_ALTERATIONS)):
        spots = list(_spots(box))
        holder, key = rng.choice(spots)
        _change(rng, holder, key, spots, others)
    return box[0]


def altered_body(rng: Random, body: bytes, others: Sequence[bytes] = ()) -> bytes:
    """A JSON document as bytes, altered as a document nearly always; anything else as bytes."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return altered_bytes(rng, body, others)
    if rng.randrange(20) == 0:
        return altered_bytes(rng, body, others)
    documents = []
    for other in others[:8]:
        try:
            documents.append(json.loads(other))
        except (ValueError, RecursionError):
            continue
    changed = altered_json(rng, document, documents)
    try:
        return json.dumps(changed).encode()
    except (ValueError, RecursionError):
        return altered_bytes(rng, body, others)


def _spots(holder: Any) -> Sequence[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [holder]
    while waiting:
        each = waiting.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each))
        for key in keys:
            found.append((each, key))
            if isinstance(each[key], dict | list):
                waiting.append(each[key])
    return found


def _change(rng: Random, holder: Any, key: Any, spots: Sequence[tuple[Any, Any]], others: Sequence[Any]) -> None:
    try:
        value = holder[key]
    except (KeyError, IndexError):
        # An earlier alteration has removed it.
        return
    match rng.randrange(12):
        case 0:
            if len(holder) > 1 or isinstance(holder, dict):
                del holder[key]
        case 1:
            holder[key] = rng.choice((None, True, False, {}, [], "", 0, [value], {"a": value}, [[]], {"": None}))
        case 2:
            holder[key] = rng.choice(_NUMBERS)
        case 3:
            number = rng.choice(_NUMBERS)
            holder[key] = str(number) if not isinstance(number, int) or rng.randrange(3) else hex(number)
        case 4:
            there, name = rng.choice(spots)
            if name in there if isinstance(there, dict) else name < len(there):
                # A value from elsewhere; a copy, or the document would hold itself.
                holder[key] = copy.deepcopy(there[name])
        case 5 if others:
            holder[key] = copy.deepcopy(rng.choice(_spots([rng.choice(others)])))[0]
            if isinstance(holder[key], list | dict) and holder[key]:
                first = next(iter(holder[key]))
                holder[key] = holder[key][first] if isinstance(holder[key], dict) else first
        case 6 if isinstance(value, list):
            holder[key] = _list(rng, value)
        case 7 if isinstance(value, dict):
            value[rng.choice(_TEXTS)] = rng.choice((None, 1, "x", {}))
        case 8 if isinstance(value, dict | list):
            deep: Any = value
            for _ in range(rng.choice((2, 30, 70))):
                deep = [deep]
            holder[key] = deep
        case _:
            holder[key] = _leaf(rng, value)


def _list(rng: Random, value: list[Any]) -> list[Any]:
    match rng.randrange(4):
        case 0:
            return value[::-1]
        case 1:
            return value * rng.choice((2, 3, 50))
        case 2:
            return value[:-1]
        case _:
            return [*value, rng.choice((None, 0, "", {}, []))]


def _leaf(rng: Random, value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return rng.choice((True, False, None, 0, 1, "true"))
    if isinstance(value, int | float):
        return rng.choice((value + 1, value - 1, -value, value * 2, value * 10**18, str(value), float(value % 2**64)))
    if not isinstance(value, str):
        return rng.choice(_TEXTS)
    hidden = _hidden(value)
    if hidden is not None and rng.randrange(8):
        data, write = hidden
        return write(altered_bytes(rng, data))
    if value.isascii() and value.isdigit() and rng.randrange(2):
        return str(max(0, int(value[:400]) + rng.choice((-1, 1, 2**64, -(10**6), 10**18))))
    return altered_text(rng, value)


def _hidden(text: str) -> tuple[bytes, Callable[[bytes], str]] | None:
    """Bytes that a text stands for, and how to write them again."""
    if text[:2] == "0x" and len(text) % 2 == 0 and len(text) > 2:
        try:
            return unhexlify(text[2:]), lambda data: "0x" + data.hex()
        except ValueError:
            return None
    if len(text) >= 16 and len(text) % 4 == 0:
        try:
            return b64decode(text, validate=True), lambda data: b64encode(data).decode()
        except ValueError:
            return None
    return None
