"""Decodes data that must be exactly the encoding of its values, in one pass.

The ABI allows any positions of dynamic values (Contract ABI Specification, Solidity documentation 0.8, read
2026-11-21): the same values have many encodings. Encoders write one, the tight one: the dynamic values follow the heads
in order, without gaps, and all padding is zero. Only that one is accepted here, so that nothing can hide between the
values; decoding loosely and encoding again would have the same result at ten times the cost.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

WORD = 32
Read = Callable[[bytes, int], tuple[object, int]]
"""Decodes a value at an offset; returns it and the next offset."""
_PLAIN = re.compile(r"(?P<name>uint|int|bytes|address|bool|string)(?P<bits>[1-9][0-9]{0,2})?\Z", re.ASCII)
_ARRAY = re.compile(r"(?P<item>.+)\[(?P<length>[1-9][0-9]{0,5})?\]\Z", re.ASCII | re.DOTALL)
_DEEPEST = 16


class NotCanonical(ValueError):
    """Data that is not exactly the encoding of values of these types."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a type: ``size`` bytes in the head, dynamic data behind."""

    size: int
    dynamic: bool
    read: Read


@dataclass(frozen=True, slots=True)
class Word:
    """The layout of a type whose values are one word each; ``of`` makes them of the word's integer."""

    of: Callable[[int], object]
    size: int = WORD
    dynamic: bool = False


Item = Layout | Word


def read_canonical(types: tuple[str, ...], data: bytes, start: int = 0) -> tuple[tuple[object, ...], int]:
    """Read values that begin at ``start``; return them and the place after them, which may be before the end.

    Addresses are texts in lower case, the rest integers, booleans, bytes, texts and tuples of them. Raise NotCanonical
    for data that is encoded otherwise or cut off, ValueError for types that are none.
    """
    items, heads = _layouts(types)
    return _read_row(items, heads, data, start)


def members(inside: str) -> tuple[str, ...]:
    """Split a list of types at the commas outside of brackets, e.g. ``address,(uint256,bytes)[]``."""
    types: list[str] = []
    depth, begin = 0, 0
    for place, sign in enumerate(inside):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            types.append(inside[begin:place])
            begin = place + 1
    return (*types, inside[begin:]) if inside else ()


@lru_cache(maxsize=512)
def _layouts(types: tuple[str, ...]) -> tuple[tuple[Item, ...], int]:
    items = tuple(_layout(each, 0) for each in types)
    return items, sum(item.size for item in items)


def _layout(text: str, depth: int) -> Item:
    if depth > _DEEPEST:
        raise ValueError("types are nested too deeply")
    if array := _ARRAY.match(text):
        item = _layout(array["item"], depth + 1)
        if array["length"] is None:
            return Layout(WORD, dynamic=True, read=partial(_read_list, item))
        return _row_layout((item,) * int(array["length"]))
    if len(text) > 2 and text[0] == "(" and text[-1] == ")":
        return _row_layout(tuple(_layout(each, depth + 1) for each in members(text[1:-1])))
    match = _PLAIN.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no canonical type")
    return _plain_layout(match["name"], None if match["bits"] is None else int(match["bits"]), text)


def _plain_layout(name: str, bits: int | None, text: str) -> Item:
    if name == "bytes" and bits is not None and bits <= WORD:
        return Layout(WORD, dynamic=False, read=partial(_read_fixed_bytes, bits))
    if name in ("uint", "int") and bits is not None and bits <= 8 * WORD and bits % 8 == 0:
        if name == "int":
            return Word(partial(_signed, 1 << (bits - 1)))
        return Word(int if bits == 8 * WORD else partial(_unsigned, 1 << bits))
    plain: dict[str, Item] = {
        "address": Word(_address),
        "bool": Word(_bool),
        "bytes": Layout(WORD, dynamic=True, read=_read_bytes),
        "string": Layout(WORD, dynamic=True, read=_read_text),
    }
    if name not in plain or bits is not None:
        raise ValueError(f"{text!r} is no canonical type")
    return plain[name]


def _row_layout(items: tuple[Item, ...]) -> Layout:
    dynamic = any(item.dynamic for item in items)
    heads = sum(item.size for item in items)
    return Layout(WORD if dynamic else heads, dynamic, partial(_read_row, items, heads))


def _read_row(items: tuple[Item, ...], heads: int, data: bytes, start: int) -> tuple[tuple[object, ...], int]:
    """Read values one after another; what lies behind the heads begins where the one before it has ended."""
    values: list[object] = []
    head, tail = start, start + heads
    if tail > len(data):
        raise NotCanonical("cut off")
    for item in items:
        if isinstance(item, Word):
            values.append(item.of(int.from_bytes(data[head : head + WORD])))
            head += WORD
        elif item.dynamic:
            if int.from_bytes(data[head : head + WORD]) != tail - start:
                raise NotCanonical("a dynamic value is not where it belongs")
            value, tail = item.read(data, tail)
            values.append(value)
            head += WORD
        else:
            value, head = item.read(data, head)
            values.append(value)
    return tuple(values), tail


def _read_list(item: Item, data: bytes, start: int) -> tuple[tuple[object, ...], int]:
    length, start = _read_word(data, start)
    # Every item takes its head at the least: no length makes us reserve more than there is.
    if length * item.size > len(data) - start:
        raise NotCanonical("cut off")
    return _read_row((item,) * length, length * item.size, data, start)


def _read_word(data: bytes, place: int) -> tuple[int, int]:
    end = place + WORD
    if end > len(data):
        raise NotCanonical("cut off")
    return int.from_bytes(data[place:end]), end


def _unsigned(limit: int, word: int) -> int:
    if word >= limit:
        raise NotCanonical("an integer has more bits than its type")
    return word


def _signed(half: int, word: int) -> int:
    value = word - (1 << 256) if word >> 255 else word
    if not -half <= value < half:
        raise NotCanonical("an integer has more bits than its type")
    return value


def _bool(word: int) -> bool:
    if word > 1:
        raise NotCanonical("a boolean is neither 0 nor 1")
    return word == 1


def _address(word: int) -> str:
    if word >> 160:
        raise NotCanonical("an address has more than 20 bytes")
    return f"0x{word:040x}"


def _read_fixed_bytes(length: int, data: bytes, place: int) -> tuple[bytes, int]:
    end = place + (length + WORD - 1) // WORD * WORD
    if end > len(data):
        raise NotCanonical("cut off")
    if any(data[place + length : end]):
        raise NotCanonical("the padding is not zero")
    return data[place : place + length], end


def _read_bytes(data: bytes, place: int) -> tuple[bytes, int]:
    length, start = _read_word(data, place)
    return _read_fixed_bytes(length, data, start)


def _read_text(data: bytes, place: int) -> tuple[str, int]:
    raw, end = _read_bytes(data, place)
    try:
        return raw.decode(), end
    except UnicodeDecodeError:
        raise NotCanonical("a text is not UTF-8") from None
