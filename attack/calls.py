"""Lies in calls: one more in a list, one that is split between the wallet and a thief, parts of another answer."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

from attack.facts import (
    STRANGER,
    Facts,
    addresses_in,
    has_amount,
    is_data,
    is_list_of_calls,
    leaves_below,
    number,
    replace_address,
    rescale,
)
from attack.numbers import loosen_below, loosen_minimum
from attack.proxy import UpstreamAnswer
from attack.shapes import invented, put_parts
from attack.tree import Answer, Call, Group, Key, Leaf, Node, Words, copied, encoded, read
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.calldata import Function

_TRANSFER = Function("transfer(address,uint256)")
_STOLEN = tuple(Fraction(each) for each in ("0.0001", "0.001", "0.005", "0.02", "0.5", "0.99", "0.9999", "0.999999"))


def _lists(answer: Answer) -> list[Group]:
    return [spot.node for spot in answer.spots() if isinstance(spot.node, Group) and is_list_of_calls(spot.node)]


def add_call(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Put a transfer to a stranger before the other calls, which then work with the rest."""
    lists = _lists(answer)
    if not lists:
        return False
    # The calls that spend the inputs are in the outermost list.
    group = lists[0] if rng.random() < 0.7 else rng.choice(lists)
    stolen = max(int(facts.amount * rng.choice(_STOLEN)), 1)
    if rng.random() < 0.8:
        rescale(group, facts.amount, facts.amount - stolen)
    if rng.random() < 0.7:
        loosen_below(group, facts, 1 - Fraction(stolen, facts.amount))
    if rng.random() < 0.2:
        loosen_minimum(rng, answer, facts)
    added = _added(rng, next(iter(group.parts.values())), facts, stolen)
    parts = list(group.parts.values())
    parts.insert(0 if rng.random() < 0.8 else len(parts), added)
    put_parts(group, parts)
    return True


def _added(rng: random.Random, model: Node, facts: Facts, stolen: int) -> Node:
    native = facts.origin_token == NATIVE_EVM.lower()
    transfer = Leaf("bytes", b"" if native else _TRANSFER.encode(STRANGER, stolen))
    if not isinstance(model, Group):
        siblings = facts.compiled.siblings.get(model.function.signature, ()) if isinstance(model, Call) else ()
        if not siblings:
            return transfer
        function = rng.choice(siblings)
        parts: dict[Key, Node] = {place: invented(kind, facts) for place, kind in enumerate(function.types)}
        # The first address of a function that pays out is the token's.
        first = next((part for part in parts.values() if isinstance(part, Leaf) and part.type == "address"), None)
        if first is not None and sum(kind == "address" for kind in function.types) > 1:
            first.value = facts.origin_token
        return Call(function, Group("tuple", parts))
    new = copied(model)
    assert isinstance(new, Group)
    target, named = STRANGER if native else facts.origin_token, False
    for key, part in new.parts.items():
        if is_data(part):
            new.parts[key] = transfer
        elif isinstance(part, Leaf) and part.type == "address":
            part.value, named = target, True
        elif isinstance(part, Leaf) and part.type.startswith("uint"):
            aim = not named and "address" not in model.type
            part.value = int(target, 16) if aim else stolen if native else 0
            named = named or aim
    return new


def split(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """What goes to one goes to two: by rows of receivers and amounts, or by a call that is made twice."""
    ways = [_split_rows, _split_call] if rng.random() < 0.5 else [_split_call, _split_rows]
    return any(way(rng, answer, facts) for way in ways)


def _split_rows(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Add a stranger to a list of addresses beside one of as many numbers, with a part of the amount."""
    groups = [spot.node for spot in answer.spots() if isinstance(spot.node, Group)]
    rows = [
        (addresses, amounts)
        for group in groups
        for addresses, amounts in pairwise(group.parts.values())
        if isinstance(addresses, Group) and addresses.type == "address[]"
        and isinstance(amounts, Group) and amounts.type == "uint256[]"
        and len(addresses.parts) == len(amounts.parts)
    ]  # fmt: skip
    if not rows:
        return False
    addresses, amounts = rng.choice(rows)
    whole = sum(int(number(leaf) or 0) for leaf in leaves_below(amounts)) or facts.amount
    stolen = max(int(whole * rng.choice(_STOLEN)), 1)
    if amounts.parts and rng.random() < 0.8:
        last = list(amounts.parts.values())[-1]
        rescale(last, int(number(last) or 0), max(int(number(last) or 0) - stolen, 0))
    put_parts(addresses, [*addresses.parts.values(), Leaf("address", STRANGER)])
    put_parts(amounts, [*amounts.parts.values(), Leaf("uint256", stolen)])
    return True


def _split_call(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """A call that works with the amount is made twice: for a thief with most or little of it, as asked with the rest.

    A deposit made twice is one under another's order.
    """
    choices = [
        (group, place, part)
        for group in _lists(answer)
        for place, part in enumerate(group.parts.values())
        if has_amount(part, facts.amount) and _strangers(part, facts)
    ]
    if not choices:
        return False
    group, place, part = rng.choice(choices)
    stolen = max(int(facts.amount * rng.choice(_STOLEN)), 1)
    other = copied(part)
    rescale(other, facts.amount, stolen)
    _divert(rng, other, facts)
    if rng.random() < 0.8:
        rescale(part, facts.amount, facts.amount - stolen)
    parts = list(group.parts.values())
    parts.insert(place, other)
    put_parts(group, parts)
    share = Fraction(stolen, facts.amount)
    if rng.random() < 0.8:
        loosen_below(group, facts, min(share, 1 - share))
    if rng.random() < 0.3:
        loosen_minimum(rng, answer, facts)
    return True


def _strangers(node: Node, facts: Facts) -> list[str]:
    inner = node.parts.values() if isinstance(node, Group) else [node]
    below = [leaf for part in inner if is_data(part) or isinstance(part, Group) for leaf in leaves_below(part)]
    return sorted({address for leaf in below for address in addresses_in(leaf)} - facts.tokens)


def _divert(rng: random.Random, node: Node, facts: Facts) -> None:
    found = _strangers(node, facts)
    chosen = set(found) if rng.random() < 0.3 else {rng.choice(found)}
    inner = node.parts.values() if isinstance(node, Group) else [node]
    for part in inner:
        if not is_data(part) and not isinstance(part, Group):
            continue
        for leaf in leaves_below(part):
            if leaf.type == "bytes32" and isinstance(leaf.value, bytes) and any(leaf.value[:12]):
                leaf.value = rng.randbytes(32)
            for address in chosen & addresses_in(leaf):
                replace_address(leaf, address, STRANGER)


def splice(
    rng: random.Random, answer: Answer, facts: Facts, upstream_answer: UpstreamAnswer, only: str | None = None
) -> bool:
    """Genuine parts of the answer to another question (``only`` this one): the whole, its calldata, or one part."""
    names = [
        name
        for name, others in facts.others.items()
        if only in (None, name) and any(other.path == upstream_answer.path for other in others)
    ]
    if not names:
        return False
    name = rng.choice(names)
    other = read(
        next(each.document for each in facts.others[name] if each.path == upstream_answer.path), facts.compiled.known
    )
    way = rng.randrange(4)
    if way == 0:
        answer.root.parts[0] = other.root.parts[0]
        return True
    mine = {spot.path: spot for spot in answer.spots() if spot.call is None}
    theirs = {spot.path: spot for spot in other.spots() if spot.call is None}
    differ = [path for path in mine if path in theirs and _plain(mine[path].node) != _plain(theirs[path].node)]
    calls = [path for path in differ if isinstance(mine[path].node, Call)]
    chosen = calls if way == 1 and calls else [rng.choice(differ)] if differ else []
    if way == 2 and differ:
        # The other answer with one part of this one: its promise, for example.
        kept = rng.choice(differ)
        theirs[kept].put(copied(mine[kept].node))
        answer.root.parts[0] = other.root.parts[0]
        return True
    for path in chosen:
        mine[path].put(copied(theirs[path].node))
    return bool(chosen)


def _plain(node: Node) -> Any:
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Call):
        return encoded(node)
    if isinstance(node, Words):
        return _plain(node.arguments)
    return {key: _plain(part) for key, part in node.parts.items()}
