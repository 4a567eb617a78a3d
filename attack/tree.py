"""An upstream's answer as a tree whose calldata is taken apart too, however deep it is nested, and put together again.

A call is known by its selector (see ``abis``). Data that no ABI explains stays one leaf of bytes, in which words and
addresses are found by their look.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rhumbline.gateways.evm.abi import MalformedAnswer, encode_args
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.evm.canonical import members

Key = str | int


@dataclass
class Leaf:
    """A value that is not taken apart. ``type`` is an ABI type, or ``json`` outside of calldata."""

    type: str
    value: Any


@dataclass
class Group:
    """Values by key or in their order: an object or a list of JSON, a tuple or an array of the ABI.

    ``type`` is the ABI type, ``object`` or ``list`` outside of calldata.
    """

    type: str
    parts: "dict[Key, Node]"


@dataclass
class Call:
    """A call of a known function, and what follows its arguments. ``text`` tells hex digits from an ABI ``bytes``."""

    function: Function
    arguments: Group
    tail: bytes = b""
    text: bool = False


@dataclass
class Words:
    """Data that no ABI explains, but that is a row of words, perhaps behind a selector (``head``)."""

    head: bytes
    arguments: Group


Node = Leaf | Group | Call | Words
Known = Mapping[bytes, tuple[Function, ...]]


@dataclass(frozen=True)
class Spot:
    """The position of a node: its group, its key; ``path`` are the keys from the top."""

    group: Group
    key: Key
    path: tuple[Key, ...]
    call: Call | Words | None = None

    @property
    def node(self) -> Node:
        """The present node there."""
        return self.group.parts[self.key]

    def put(self, node: Node) -> None:
        """Put something else there."""
        self.group.parts[self.key] = node

    @property
    def name(self) -> str:
        """The last key that is a word, in lower case."""
        return next((str(key).lower() for key in reversed(self.path) if isinstance(key, str)), "")


@dataclass
class Answer:
    """A whole answer; ``root`` has it under the key 0."""

    root: Group = field(default_factory=lambda: Group("list", {}))

    def spots(self) -> Iterator[Spot]:
        """All places in it, outer ones first."""
        yield from _spots(self.root, (), None)

    def document(self) -> Any:
        """The answer as JSON again."""
        return _plain(self.root.parts[0])


def read(document: Any, known: Known) -> Answer:
    """Take an answer apart."""
    return Answer(Group("list", {0: _read(document, known)}))


def _spots(group: Group, path: tuple[Key, ...], call: Call | Words | None) -> Iterator[Spot]:
    for key in list(group.parts):
        if key not in group.parts:
            continue
        spot = Spot(group, key, (*path, key), call)
        yield spot
        node = spot.node
        if isinstance(node, Group):
            yield from _spots(node, spot.path, call)
        elif isinstance(node, Call | Words):
            yield from _spots(node.arguments, spot.path, node)


def inside(node: Node) -> Iterator[Spot]:
    """All places below a node."""
    if isinstance(node, Group):
        yield from _spots(node, (), None)
    elif isinstance(node, Call | Words):
        yield from _spots(node.arguments, (), node)


def copied(node: Node) -> Node:
    """A copy that shares nothing with it."""
    if isinstance(node, Leaf):
        return Leaf(node.type, node.value)
    if isinstance(node, Group):
        return Group(node.type, {key: copied(part) for key, part in node.parts.items()})
    arguments = copied(node.arguments)
    assert isinstance(arguments, Group)
    if isinstance(node, Words):
        return Words(node.head, arguments)
    return Call(node.function, arguments, node.tail, node.text)


def _read(value: Any, known: Known) -> Node:
    if isinstance(value, dict):
        return Group("object", {key: _read(part, known) for key, part in value.items()})
    if isinstance(value, list):
        return Group("list", {place: _read(part, known) for place, part in enumerate(value)})
    if isinstance(value, str) and len(value) >= 10 and value.startswith("0x"):
        try:
            call = read_call(bytes.fromhex(value[2:]), known)
        except ValueError:
            call = None
        if call is not None:
            call.text = True
            return call
    return Leaf("json", value)


def read_call(data: bytes, known: Known) -> Call | None:
    """Take a call apart; None where no known function explains it."""
    for function in known.get(data[:4], ()):
        try:
            values, tail = function.decode_first(data)
        except MalformedAnswer:
            continue
        parts: dict[Key, Node] = {
            place: _abi(kind, value, known)
            for place, (kind, value) in enumerate(zip(function.types, values, strict=True))
        }
        return Call(function, Group("tuple", parts), tail)
    return None


def _abi(kind: str, value: Any, known: Known) -> Node:
    inner = inner_types(kind)
    if inner is not None:
        types = inner(len(value))
        parts: dict[Key, Node] = {
            place: _abi(each, part, known) for place, (each, part) in enumerate(zip(types, value, strict=True))
        }
        return Group(kind, parts)
    if kind == "bytes" and len(value) >= 4:
        return read_call(value, known) or _words(value) or Leaf(kind, value)
    return Leaf(kind, value)


def _words(data: bytes) -> Words | None:
    head = data[: len(data) % 32]
    if len(head) not in (0, 4) or len(data) < 32:
        return None
    words = [data[at : at + 32] for at in range(len(head), len(data), 32)]
    return Words(
        head, Group("tuple", {place: Leaf("uint256", int.from_bytes(word)) for place, word in enumerate(words)})
    )


def inner_types(kind: str) -> Callable[[int], tuple[str, ...]] | None:
    """Return what gives the types inside of a tuple or array of so many parts; None for a plain type."""
    if kind.endswith("]"):
        item = kind[: kind.rindex("[")]
        return lambda count: (item,) * count
    if kind.startswith("("):
        return lambda _: members(kind[1:-1])
    return None


def _plain(node: Node) -> Any:
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Words):
        return node.head + b"".join(int(word).to_bytes(32) for word in _plain(node.arguments))
    if isinstance(node, Call):
        data = encoded(node)
        return "0x" + data.hex() if node.text else data
    parts = [_plain(part) for part in node.parts.values()]
    return dict(zip(node.parts, parts, strict=True)) if node.type == "object" else parts


def encoded(call: Call) -> bytes:
    """Put a call together. Whatever cannot be encoded raises ValueError or an error of eth-abi's."""
    function = call.function
    return function.selector + encode_args(function.types, _plain(call.arguments)) + call.tail


def text_of(document: Any) -> str:
    """A JSON document, always the same for the same content."""
    return json.dumps(document, separators=(",", ":"))
