"""Lies about numbers that go to the end of their type: the largest of 8 to 256 bits, signed or not, or nothing."""

import random
import re
from typing import Any

from attack.facts import Facts, leaves, number
from attack.tree import Answer, Leaf

SIZES = (8, 16, 32, 64, 128, 256)
"""Of numbers, in bits."""
_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,32}\Z")
_TYPE = re.compile(r"(u?)int([0-9]{1,3})\Z")
_DATA = re.compile(r"0x([0-9a-fA-F]{2}){33,}\Z")
_EVERYWHERE, _PACKED, _NOTHING = 0.2, 0.15, 0.15


def largest(rng: random.Random) -> int:
    """Return the largest number of some type, signed or not."""
    bits = rng.choice(SIZES)
    return int(2 ** (bits - rng.randrange(2)) - 1)


def raise_to_largest(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Put the largest of its type, or nothing, in place of one number; or of all of that name; or into packed data."""
    found = [(spot, leaf) for spot, leaf in leaves(answer.spots()) if _is_number(leaf)]
    packed = [leaf for _, leaf in leaves(answer.spots()) if _is_data(leaf)]
    if packed and (not found or rng.random() < _PACKED):
        return _fill(rng, rng.choice(packed))
    if not found:
        return False
    spot, chosen = rng.choice(found)
    value, nothing = largest(rng), rng.random() < _NOTHING
    everywhere = rng.random() < _EVERYWHERE
    alike = [leaf for other, leaf in found if everywhere and (other.name, leaf.type) == (spot.name, chosen.type)]
    return sum(_put(leaf, 0 if nothing else value) for leaf in alike or [chosen]) > 0


def _is_number(leaf: Leaf) -> bool:
    return number(leaf) is not None or _is_quantity(leaf)


def _is_quantity(leaf: Leaf) -> bool:
    return leaf.type == "json" and isinstance(leaf.value, str) and bool(_QUANTITY.match(leaf.value))


def _is_data(leaf: Leaf) -> bool:
    if isinstance(leaf.value, bytes):
        return leaf.type == "bytes" and bool(leaf.value)
    return leaf.type == "json" and isinstance(leaf.value, str) and bool(_DATA.match(leaf.value))


def _put(leaf: Leaf, value: int) -> bool:
    """Write it as the old number was written; in calldata it is the largest that the type holds."""
    new: Any = value
    kind = _TYPE.match(leaf.type)
    if kind is not None and value:
        new = 2 ** (int(kind[2]) - (not kind[1])) - 1
    elif _is_quantity(leaf):
        new = hex(value)
    elif isinstance(leaf.value, str | float):
        new = type(leaf.value)(value)
    changed = bool(new != leaf.value)
    leaf.value = new
    return changed


def _fill(rng: random.Random, leaf: Leaf) -> bool:
    """Fill as many bytes as some number has with ones, somewhere in data that nothing explains."""
    text = isinstance(leaf.value, str)
    data = bytearray(bytes.fromhex(leaf.value[2:]) if text else leaf.value)
    size = min(rng.choice(SIZES) // 8, len(data))
    at = rng.randrange(len(data) - size + 1)
    data[at : at + size] = b"\xff" * size
    leaf.value = "0x" + data.hex() if text else bytes(data)
    return True
