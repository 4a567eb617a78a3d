"""Lies about fees, and numbers at the end of their type: in instructions, the compute budget's too, and in JSON."""

import random
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

from attack.extremes import largest
from attack.svm.documents import numbers
from attack.svm.facts import SvmFacts
from attack.svm.written import pieces

_WIDTHS = (1, 2, 4, 8)
"""Of numbers in instructions, in bytes."""
_IN_DATA = 0.7
_FEES = re.compile(r"fee|bps|cost|relayer|gas|tip|lamports|price|limit", re.IGNORECASE)
_SHARES = tuple(Fraction(each) for each in ("0.002", "0.01", "0.05", "0.2", "0.5", "0.9"))


def raise_fee(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Raise a fee by a part of the amount, in raw units or in whole tokens, or double it."""
    found = [each for each in numbers(document) if _FEES.search(str(each[1]))]
    if not found:
        return False
    group, key, value = rng.choice(found)
    fee, part = Fraction(str(value)), rng.choice(_SHARES) * facts.amount
    if isinstance(value, float) or "." in str(value):
        _, decimals = facts.mints.get(facts.sold, ("", 9))
        raised = rng.choice((2 * fee, fee + part / 10**decimals))
        group[key] = float(raised) if isinstance(value, float) else f"{float(raised):.9f}"
    else:
        group[key] = type(value)(int(rng.choice((2 * fee, fee + part))))
    return True


def raise_to_largest(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Put the largest of its type in place of one number: of an instruction, else of the answer beside it."""
    return (rng.random() < _IN_DATA and _in_data(rng, document, facts)) or _in_json(rng, document)


def _in_data(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    found = [
        (piece, place)
        for piece in pieces(document, facts.tables)
        for place, each in enumerate(piece.instructions)
        if len(each.data) > 1
    ]
    if not found:
        return False
    piece, place = rng.choice(found)
    changed = list(piece.instructions)
    data = bytearray(changed[place].data)
    width = rng.choice([each for each in _WIDTHS if each < len(data)])
    # At least the first byte identifies the instruction.
    at = rng.randrange(1, len(data) - width + 1)
    data[at : at + width] = b"\xff" * width
    changed[place] = replace(changed[place], data=bytes(data))
    piece.write(changed)
    return True


def _in_json(rng: random.Random, document: Any) -> bool:
    found = numbers(document)
    if not found:
        return False
    group, key, value = rng.choice(found)
    new = 0 if rng.random() < 0.15 else largest(rng)
    group[key] = str(new) if isinstance(value, str) else float(new) if isinstance(value, float) else new
    return True
