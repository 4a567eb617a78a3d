"""Lies about addresses and about the shape of calldata."""

import random

from eth_utils.crypto import keccak

from attack.facts import STRANGER, Facts, Hired, addresses_in, leaves, nested, replace_address
from attack.tree import Answer, Call, Group, Key, Leaf, Node, Words, copied, inner_types

_SHARES = (10_000, 10_000, 9_900, 5_000, 200, 50)


def _addresses(answer: Answer) -> list[str]:
    return sorted({address for _, leaf in leaves(answer.spots()) for address in addresses_in(leaf)})


def _replaced(rng: random.Random, answer: Answer, old: str, new: str) -> bool:
    """Everywhere, in calldata alone, or in one place."""
    found = [(spot, leaf) for spot, leaf in leaves(answer.spots()) if old in addresses_in(leaf)]
    inner = leaves(nested(answer, (spot for spot, _ in found)))
    way = rng.randrange(4)
    chosen = [rng.choice(found)] if way == 0 and found else inner
    if way == 1 or not chosen:
        return sum(replace_address(leaf, old, new) for _, leaf in leaves(answer.spots())) > 0
    return sum(replace_address(leaf, old, new) for _, leaf in chosen) > 0


def replace_friend(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Put a stranger in place of the wallet, the receiver, the Executor or any other address."""
    present = [address for address in _addresses(answer) if address not in facts.tokens]
    friends = [address for address in present if address in facts.friends]
    pool = friends if friends and rng.random() < 0.7 else present
    return bool(pool) and _replaced(rng, answer, rng.choice(pool), STRANGER)


def replace_refunded(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Put a stranger in place of who is named for refunds."""
    return facts.refunded in _addresses(answer) and _replaced(rng, answer, str(facts.refunded), STRANGER)


def exchange_token(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Put another token in place of one, or one that only pretends to move."""
    present = [address for address in _addresses(answer) if address in facts.tokens]
    if not present:
        return False
    old = rng.choice(present)
    others = sorted(facts.tokens - {old})
    new = _hire(facts, old, rng.choice((-1, -2)), 0) if rng.random() < 0.4 else rng.choice(others)
    return _replaced(rng, answer, old, new)


def hire_turncoat(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Put a contract that is honest until it can steal in place of a genuine one."""
    present = [address for address in _addresses(answer) if address in facts.coded and address not in facts.tokens]
    if not present:
        return False
    old = rng.choice(present)
    new = _hire(facts, old, rng.randrange(6), rng.choice(_SHARES))
    return _replaced(rng, answer, old, new)


def _hire(facts: Facts, genuine: str, mode: int, share: int) -> str:
    address = "0x" + keccak(text=f"{genuine} {mode} {share}")[12:].hex()
    hired = Hired(address, genuine, mode, share)
    if hired not in facts.hired:
        facts.hired.append(hired)
    return address


def change_array(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """A list has one more, one less, or another order."""
    groups = [
        node
        for spot in answer.spots()
        if isinstance(node := spot.node, Group) and (node.type == "list" or node.type.endswith("[]")) and node.parts
    ]
    inner = [group for group in groups if group.type != "list"]
    pool = inner if inner and rng.random() < 0.6 else groups
    if not pool:
        return False
    group, way = rng.choice(pool), rng.randrange(3)
    parts = list(group.parts.values())
    if way == 0 or len(parts) < 2:
        parts.append(copied(rng.choice(parts)))
    elif way == 1:
        parts.pop(rng.randrange(len(parts)))
    else:
        parts.reverse()
    put_parts(group, parts)
    return True


def put_parts(group: Group, parts: list[Node]) -> None:
    """Give a list or an array other parts."""
    group.parts = dict(enumerate(parts))


def append_bytes(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Append something to a call, or remove a mark after it."""
    calls = [spot.node for spot in answer.spots() if isinstance(spot.node, Call)]
    raw = [leaf for _, leaf in leaves(answer.spots()) if leaf.type == "bytes" and isinstance(leaf.value, bytes)]
    extra = rng.choice((b"\x00", bytes(32), rng.randbytes(4), rng.randbytes(32), bytes.fromhex(STRANGER[2:])))
    if raw and (rng.random() < 0.4 or not calls):
        leaf = rng.choice(raw)
        leaf.value = leaf.value + extra
        return True
    if not calls:
        return False
    call = rng.choice(calls)
    call.tail = b"" if call.tail and rng.random() < 0.5 else call.tail + extra
    return True


def exchange_selector(rng: random.Random, answer: Answer, facts: Facts) -> bool:
    """Another function of the same contract is called, with what fits of the arguments."""
    calls = [spot.node for spot in answer.spots() if isinstance(spot.node, Call)]
    pool = [call for call in calls if facts.compiled.siblings.get(call.function.signature)]
    if not pool:
        return False
    call = rng.choice(pool)
    siblings = facts.compiled.siblings[call.function.signature]
    alike = [each for each in siblings if each.types == call.function.types]
    function = rng.choice(alike or list(siblings))
    spare = [copied(part) for part in call.arguments.parts.values()]
    parts: dict[Key, Node] = {}
    for place, kind in enumerate(function.types):
        fitting = next((part for part in spare if part_type(part) == kind), None)
        if fitting is not None:
            spare.remove(fitting)
        parts[place] = fitting or invented(kind, facts)
    call.function, call.arguments = function, Group("tuple", parts)
    return True


def part_type(node: Node) -> str:
    """The ABI type of an argument."""
    return "bytes" if isinstance(node, Call | Words) else node.type


def invented(kind: str, facts: Facts) -> Node:
    """A value of a type, as a thief would have it."""
    inner = inner_types(kind)
    if inner is not None:
        return Group(kind, {place: invented(each, facts) for place, each in enumerate(inner(1))})
    if kind == "address":
        return Leaf(kind, STRANGER)
    if kind.startswith(("uint", "int")):
        bits = int(kind.lstrip("uint") or 256)
        return Leaf(kind, facts.amount if facts.amount.bit_length() < bits else 0)
    if kind == "bool":
        return Leaf(kind, True)
    if kind == "string":
        return Leaf(kind, "")
    return Leaf(kind, b"" if kind == "bytes" else bytes(int(kind.removeprefix("bytes"))))
