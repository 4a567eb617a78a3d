"""Lies about numbers: promises, minima, amounts, fees, times, flags, and what things are called."""

import random
from fractions import Fraction

from attack.facts import Facts, is_whole, leaves, meaning, nested, number, put_number
from attack.tree import Answer, Leaf, Node, Spot, inside

RAISED = tuple(Fraction(each) for each in ("1.0001", "1.0005", "1.001", "1.005", "1.01", "1.05", "1.2", "1.5", "2"))
_LOOSENED = tuple(Fraction(each) for each in ("0.999", "0.99", "0.95", "0.9", "0.5", "0.01", "0"))
_MOVED = tuple(Fraction(each) for each in ("0.9999", "0.999", "0.99", "0.9", "0.5", "0.001", "1.0001", "1.01", "2"))
_FEES = tuple(Fraction(each) for each in ("0.0001", "0.001", "0.005", "0.01", "0.05", "0.5", "0.9", "1.5"))
_TIMES = (-3600, -600, -60, 60, 600, 3600, 86_400, 10**7)


def _found(answer: Answer, facts: Facts, *meanings: str) -> list[tuple[Spot, Leaf]]:
    return [(spot, leaf) for spot, leaf in leaves(answer.spots()) if meaning(leaf, facts) in meanings]


def _some(rng: random.Random, answer: Answer, found: list[tuple[Spot, Leaf]]) -> list[tuple[Spot, Leaf]]:
    """All of them, those outside of calldata, those deep inside, or one."""
    if not found:
        return []
    way = rng.randrange(5)
    outside = [(spot, leaf) for spot, leaf in found if spot.call is None]
    inner = leaves(nested(answer, (spot for spot, _ in found)))
    if way == 0:
        return [rng.choice(inner or found)]
    if way < 3 and inner:
        return inner
    return outside if way == 3 and outside else found


def _scaled(found: list[tuple[Spot, Leaf]], factor: Fraction) -> bool:
    return sum(_put_scaled(leaf, factor) for _, leaf in found) > 0


def _put_scaled(leaf: Leaf, factor: Fraction) -> bool:
    """More is rounded up: a minimum that is raised with its promise must not fall below it."""
    value = (number(leaf) or Fraction(0)) * factor
    return put_number(
        leaf, Fraction(-(-value.numerator // value.denominator)) if factor > 1 and is_whole(leaf) else value
    )


def raise_promise(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """More is promised; half of the time the minimum goes along, as an honest higher promise would have it."""
    factor, along = rng.choice(RAISED), rng.random() < 0.5
    found = _found(answer, facts, "output", *(("minimum",) if along else ()))
    outside = [(spot, leaf) for spot, leaf in found if spot.call is None]
    return _scaled(found if along or not outside else outside, factor)


def loosen_minimum(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Less is guaranteed: what looks like a minimum, or is called one."""
    factor = rng.choice(_LOOSENED)
    named = [(spot, leaf) for spot, leaf in leaves(answer.spots()) if "min" in spot.name and number(leaf)]
    found = _found(answer, facts, "minimum") + _found(answer, facts, "output") * (rng.random() < 0.2)
    inner = [(spot, leaf) for spot, leaf in found if spot.call is not None]
    way = rng.randrange(3)
    chosen = inner if way == 0 and inner else named if way == 1 and named else _some(rng, answer, found + named)
    return _scaled(chosen, factor)


def loosen_below(node: Node, facts: Facts, factor: Fraction) -> bool:
    """The same below a node, everywhere."""
    found = [(spot, leaf) for spot, leaf in leaves(inside(node)) if meaning(leaf, facts) in ("minimum", "output")]
    return _scaled(found, factor)


def change_amount(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Another amount is taken, or a part of a call works with another one."""
    return _scaled(_some(rng, answer, _found(answer, facts, "amount")), rng.choice(_MOVED))


def raise_fee(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Raise a fee, or a number that may be a share of one."""
    named = [
        (spot, leaf)
        for spot, leaf in leaves(answer.spots())
        if number(leaf) is not None and any(word in spot.name for word in ("fee", "bps", "cost", "relayer", "gas"))
    ]
    inner = [(spot, leaf) for spot, leaf in _found(answer, facts, "small", "other") if spot.call is not None]
    pool = named if named and (rng.random() < 0.6 or not inner) else inner
    if not pool:
        return False
    _, leaf = rng.choice(pool)
    value, share = number(leaf) or Fraction(0), rng.choice(_FEES)
    if meaning(leaf, facts) == "small":
        return put_number(leaf, Fraction(rng.choice((1, 5, 10, 49, 50, 100, 499, 1000, 9_000))))
    raised = rng.choice((value * (1 + share), value * 2, value + facts.amount * share, value + facts.output * share))
    return put_number(leaf, raised)


def change_gas(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Other native on arrival is promised than was asked for, or none: in words, where the calldata is ours, or all."""
    named = [
        leaf
        for spot, leaf in leaves(answer.spots())
        if number(leaf) and any("gasdrop" in str(key).lower() or "topup" in str(key).lower() for key in spot.path)
    ]
    if not named:
        return False
    factor = rng.choice((*_MOVED, Fraction(0)))
    chosen = named if rng.random() < 0.5 else [rng.choice(named)]
    return sum(_put_scaled(leaf, factor) for leaf in chosen) > 0


def move_time(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """A deadline comes sooner or later."""
    found = _found(answer, facts, "time")
    named = [
        (spot, leaf)
        for spot, leaf in leaves(answer.spots())
        if number(leaf) is not None and any(word in spot.name for word in ("time", "deadline", "eta", "expir", "until"))
    ]
    chosen = _some(rng, answer, found or named)
    by = Fraction(rng.choice(_TIMES))
    return sum(put_number(leaf, (number(leaf) or Fraction(0)) + by) for _, leaf in chosen) > 0


def flip_flag(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """A yes becomes a no; a small number, a mode perhaps, another one."""
    flags = [leaf for _, leaf in leaves(answer.spots()) if isinstance(leaf.value, bool)]
    small = [leaf for _, leaf in _found(answer, facts, "small") if number(leaf) is not None]
    if flags and (rng.random() < 0.5 or not small):
        leaf = rng.choice(flags)
        leaf.value = not leaf.value
        return True
    if not small:
        return False
    leaf = rng.choice(small)
    return put_number(leaf, Fraction(rng.choice((0, 1, 2, 3, 4, 255))))


def change_identity(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Another chain, another order, another name of the transfer."""
    found = [leaf for _, leaf in leaves(answer.spots()) if _is_identity(leaf) or meaning(leaf, facts) == "chain"]
    if not found:
        return False
    old = rng.choice(found)
    everywhere = rng.random() < 0.5
    value = old.value
    if number(old) is not None:
        new: object = type(value)(next(chain for chain in facts.chain_ids if chain != number(old)))
    elif isinstance(value, bytes):
        new = rng.randbytes(32)
    else:
        new = "0x" + rng.randbytes(32).hex()
    for leaf in found if everywhere else [old]:
        if leaf.value == value:
            leaf.value = new
    return True


def _is_identity(leaf: Leaf) -> bool:
    value = leaf.value
    if leaf.type == "bytes32":
        return isinstance(value, bytes) and any(value[:12])
    return isinstance(value, str) and len(value) == 66 and value.startswith("0x")
