"""Why a call reverted, in words: errors of our contracts by name and arguments, Solidity's own, and common tokens'."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.deployment import artifact

_ERROR = selector("Error(string)")
_PANIC = selector("Panic(uint256)")
_MAX_TEXT = 120
_MAX_DEPTH = 4
# OpenZeppelin 5's (draft-IERC6093) and the routers' that say nothing but their selector.
_KNOWN = (
    "ERC20InsufficientBalance(address,uint256,uint256)",
    "ERC20InsufficientAllowance(address,uint256,uint256)",
    "ERC20InvalidSender(address)",
    "ERC20InvalidReceiver(address)",
    "ERC20InvalidApprover(address)",
    "ERC20InvalidSpender(address)",
    "SafeERC20FailedOperation(address)",
    "ReentrancyGuardReentrantCall()",
)
_PANICS: Mapping[int, str] = MappingProxyType(
    {0x01: "assertion", 0x11: "arithmetic overflow", 0x12: "division by zero", 0x32: "index out of bounds"}
)


@dataclass(frozen=True, slots=True)
class Revert:
    """A decoded revert: the error's name (empty when it is not known), its arguments, and a text to show.

    ``inner`` is what an operation of ours failed with, when the error carries it.
    """

    name: str
    arguments: tuple[object, ...]
    text: str
    inner: "Revert | None" = None

    def layers(self) -> "Iterator[Revert]":
        """Yield this revert and those inside it, outermost first."""
        yield self
        if self.inner is not None:
            yield from self.inner.layers()


def read_revert(data: bytes, depth: int = 0) -> Revert:
    """Decode revert data; unknown data becomes a revert without a name."""
    if not data:
        return Revert("", (), "reverted without a reason")
    head, body = data[:4], data[4:]
    try:
        if head == _ERROR:
            (message,) = decode_args(["string"], body)
            return Revert("Error", (message,), _printable(str(message)) or "reverted with an empty reason")
        if head == _PANIC:
            (code,) = decode_args(["uint256"], body)
            words = _PANICS.get(code, f"code {code:#x}") if isinstance(code, int) else str(code)
            return Revert("Panic", (code,), f"panic: {words}")
        name, types = _errors().get(head, ("", ()))
        if name:
            return _named(name, types, decode_args(types, body), depth)
    except MalformedAnswer:
        pass
    text = _printable(data.decode("ascii", "ignore")) if data.isascii() else ""
    return Revert("", (), text or f"reverted with 0x{data[:36].hex()}")


def _named(name: str, types: tuple[str, ...], values: tuple[object, ...], depth: int) -> Revert:
    if name == "OperationFailed" and depth < _MAX_DEPTH and isinstance(values[1], bytes):
        inner = read_revert(values[1], depth + 1)
        return Revert(name, values, f"operation {values[0]} failed: {inner.text}", inner)
    shown = ", ".join(_shown(kind, value) for kind, value in zip(types, values, strict=True))
    return Revert(name, values, f"{name}({shown})")


def _shown(kind: str, value: object) -> str:
    if kind == "address":
        return checksummed(str(value))
    if isinstance(value, bytes):
        return "0x" + value[:36].hex()
    return _printable(str(value))


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable()).strip()[:_MAX_TEXT]


@cache
def _errors() -> Mapping[bytes, tuple[str, tuple[str, ...]]]:
    """Index by selector the errors of our contracts, as compiled, and the known ones."""
    found: dict[bytes, tuple[str, tuple[str, ...]]] = {}
    for signature in (*_KNOWN, *_own_errors()):
        name, _, inner = signature.partition("(")
        found[selector(signature)] = (name, tuple(kind for kind in inner.removesuffix(")").split(",") if kind))
    return MappingProxyType(found)


def _own_errors() -> Iterator[str]:
    for contract in ("Diamond", "Executor", "Receiver"):
        for entry in artifact(contract).abi:
            inputs = entry.get("inputs")
            if entry.get("type") == "error" and isinstance(inputs, list):
                yield f"{entry['name']}({','.join(item['type'] for item in inputs)})"
