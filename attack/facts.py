"""What a liar knows of a question, and how it recognises it in an answer: amounts, addresses, times."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from attack.abis import Compiled
from attack.proxy import UpstreamAnswer
from attack.tree import Answer, Call, Group, Leaf, Node, Spot, Words, inside
from rhumbline.gateways.evm.address import checksummed

STRANGER = "0x00000000000000000000000000000000005712a9"
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}\Z")
_INTEGER = re.compile(r"-?[0-9]{1,80}\Z")
_DECIMAL = re.compile(r"[0-9]{1,40}\.[0-9]{1,40}\Z")
_NEAR = Fraction(1, 500)
_LOOSEST = Fraction(1, 2)
_A_YEAR_S = 31_536_000


@dataclass(frozen=True)
class Hired:
    """A hostile contract that a lie puts in place of a genuine one. ``mode`` and ``share`` as in its source.

    ``mode`` is negative for a false token: -1 emits transfer events, -2 does not.
    """

    address: str
    genuine: str
    mode: int
    share: int


@dataclass
class Facts:
    """One question as the liar sees it. Addresses are in lower case.

    ``friends`` are the wallet, the receiver and the service's contracts; ``coded`` the addresses in the honest answers
    at which the origin has code; ``others`` the answers to other questions. ``hired`` are the contracts that have been
    put to use. ``refunded`` is named for refunds, None: nobody.
    """

    compiled: Compiled
    amount: int
    output: int
    decimals: tuple[int, int]
    origin_token: str
    friends: tuple[str, ...]
    tokens: frozenset[str]
    chain_ids: tuple[int, ...]
    now: int
    coded: tuple[str, ...] = ()
    others: Mapping[str, tuple[UpstreamAnswer, ...]] = field(default_factory=dict)
    hired: list[Hired] = field(default_factory=list)
    refunded: str | None = None


def number(leaf: Node) -> Fraction | None:
    """The number that a leaf is, None where it is none."""
    if not isinstance(leaf, Leaf) or isinstance(leaf.value, bool):
        return None
    value = leaf.value
    if isinstance(value, int | float):
        return Fraction(value)
    if leaf.type == "json" and isinstance(value, str) and (_INTEGER.match(value) or _DECIMAL.match(value)):
        return Fraction(Decimal(value))
    return None


def is_whole(leaf: Leaf) -> bool:
    """Tell whether its number is written without a point."""
    return isinstance(leaf.value, int) or (isinstance(leaf.value, str) and "." not in leaf.value)


def put_number(leaf: Leaf, value: Fraction) -> bool:
    """Write another number as the old one was written; tell whether that changed anything."""
    new: object
    if is_whole(leaf):
        new = type(leaf.value)(max(int(value), 0))
    elif isinstance(leaf.value, float):
        new = float(value)
    else:
        places = len(str(leaf.value).partition(".")[2])
        new = str(Decimal(int(value * 10**places)).scaleb(-places))
    changed = bool(new != leaf.value)
    leaf.value = new
    return changed


def meaning(leaf: Leaf, facts: Facts) -> str:
    """The probable meaning of a number: amount, output, minimum, chain, time, small, other; empty for none."""
    value = number(leaf)
    if value is None:
        return ""
    if is_whole(leaf):
        return _meaning_of_raw(value, facts)
    for name, raw, decimals in zip(("amount", "output"), (facts.amount, facts.output), facts.decimals, strict=True):
        near = _near(value * 10**decimals, raw)
        if near:
            return name if near == "output" else near
    return "other"


def _meaning_of_raw(value: Fraction, facts: Facts) -> str:
    if value == facts.amount:
        return "amount"
    if value in facts.chain_ids:
        return "chain"
    if 0 <= value <= 10_000:
        return "small"
    if abs(value - facts.now) < _A_YEAR_S or abs(value / 1000 - facts.now) < _A_YEAR_S:
        return "time"
    return _near(value, facts.output) or ("output" if _near(value, facts.amount) == "output" else "other")


def _near(value: Fraction, raw: int) -> str:
    if raw == 0:
        return ""
    if abs(value / raw - 1) <= _NEAR:
        return "output"
    return "minimum" if _LOOSEST <= value / raw < 1 else ""


def addresses_in(leaf: Leaf) -> set[str]:
    """The addresses that a leaf holds as a whole, whatever its type."""
    value = leaf.value
    if isinstance(value, str) and _ADDRESS.match(value):
        return {value.lower()}
    if leaf.type == "uint256" and isinstance(value, int) and value.bit_length() > 120:
        return {f"0x{value % 2**160:040x}"} if value % 2**160 >> 120 else set()
    if leaf.type == "bytes32" and isinstance(value, bytes) and not any(value[:12]) and any(value[12:20]):
        return {"0x" + value[12:].hex()}
    if isinstance(value, bytes) and len(value) > 32:
        words = (value[at : at + 32] for start in (0, 4) for at in range(start, len(value) - 31, 32))
        return {"0x" + word[12:].hex() for word in words if not any(word[:12]) and any(word[12:20])}
    return set()


def replace_address(leaf: Leaf, old: str, new: str) -> bool:
    """Put another address in place of one, in packed data too; tell whether it was there."""
    value, digits = leaf.value, old[2:]
    if isinstance(value, str):
        if digits not in value.lower():
            return False
        exact = len(value) == 42
        leaf.value = checksummed(new) if exact and leaf.type == "json" else value.lower().replace(digits, new[2:])
        return True
    if isinstance(value, bytes) and len(value) >= 20 and bytes.fromhex(digits) in value:
        leaf.value = value.replace(bytes.fromhex(digits), bytes.fromhex(new[2:]))
        return True
    if leaf.type == "uint256" and isinstance(value, int) and value % 2**160 == int(old, 16):
        leaf.value = value - value % 2**160 + int(new, 16)
        return True
    return False


def leaves(spots: Iterable[Spot]) -> list[tuple[Spot, Leaf]]:
    """The leaves among places."""
    return [(spot, spot.node) for spot in spots if isinstance(spot.node, Leaf)]


def leaves_below(node: Node) -> list[Leaf]:
    """The leaves of a node, itself included."""
    if isinstance(node, Leaf):
        return [node]
    return [spot.node for spot in inside(node) if isinstance(spot.node, Leaf)]


def nested(answer: Answer, spots: Iterable[Spot]) -> list[Spot]:
    """Those places that are inside of a call that is inside of another: where entries are read no more."""
    outermost = [id(spot.node) for spot in answer.spots() if spot.call is None and isinstance(spot.node, Call)]
    return [spot for spot in spots if spot.call is not None and id(spot.call) not in outermost]


def all_addresses(answer: Answer) -> set[str]:
    """Every address in an answer."""
    return {address for _, leaf in leaves(answer.spots()) for address in addresses_in(leaf)}


def rescale(node: Node, old: int, new: int) -> bool:
    """Put another raw amount in place of one, everywhere below, in words of unexplained data too."""
    changed = False
    for leaf in leaves_below(node):
        if isinstance(leaf.value, int) and not isinstance(leaf.value, bool) and leaf.value == old:
            leaf.value, changed = new, True
        elif isinstance(leaf.value, str) and leaf.type == "json" and leaf.value == str(old):
            leaf.value, changed = str(new), True
        elif isinstance(leaf.value, bytes) and old.to_bytes(32) in leaf.value:
            leaf.value, changed = leaf.value.replace(old.to_bytes(32), new.to_bytes(32)), True
    return changed


def has_amount(node: Node, amount: int) -> bool:
    """Tell whether a raw amount is somewhere below."""
    word = amount.to_bytes(32)
    return any(
        (isinstance(leaf.value, int) and leaf.value == amount) or (isinstance(leaf.value, bytes) and word in leaf.value)
        for leaf in leaves_below(node)
    )


def calls_below(node: Node) -> list[Call]:
    """The calls of a node, itself included."""
    own = [node] if isinstance(node, Call) else []
    return own + [spot.node for spot in inside(node) if isinstance(spot.node, Call)]


def is_list_of_calls(node: Node) -> bool:
    """Tell whether a node is an array of the ABI that may hold calls: of bytes, or of tuples with bytes among them."""
    if not isinstance(node, Group) or not node.type.endswith("[]") or not node.parts:
        return False
    first = next(iter(node.parts.values()))
    if isinstance(first, Group):
        return any(is_data(part) for part in first.parts.values())
    return is_data(first)


def is_data(node: Node) -> bool:
    """Tell whether a node of calldata is data of any kind."""
    return isinstance(node, Call | Words) or node.type == "bytes"
