"""The parameters of an RPC call, each parsed strictly; an invalid one gets the node's own error code."""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.faults import INVALID_PARAMS, RpcFault, invalid
from rhumbline.gateways.svm import base58

PACKET = 1232
_LARGEST_V1, _V1 = 4096, b"\x81"
COMMITMENTS = ("processed", "confirmed", "finalized")
_NAMES = {
    "recent": "processed",
    "single": "confirmed",
    "singleGossip": "confirmed",
    "root": "finalized",
    "max": "finalized",
}.get
_U64 = 2**64 - 1
_TRANSACTION = "solana_transaction::versioned::VersionedTransaction"


@dataclass(frozen=True, slots=True)
class Options:
    """The options object at the end of a call; if absent it is empty, and options not given have their defaults."""

    values: Mapping[str, object]

    def commitment(self, name: str = "commitment", default: str = "finalized") -> str:
        """Return the requested commitment; deprecated names map to their present ones."""
        value = self.values.get(name)
        if value is None:
            return default
        found = _NAMES(value, value) if isinstance(value, str) else None
        if found not in COMMITMENTS:
            raise invalid(f"unknown variant `{value}`, expected one of `processed`, `confirmed`, `finalized`")
        return found

    def truth(self, name: str) -> bool:
        """Return a boolean option, False by default."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise invalid(f"{name}: expected a boolean")
        return bool(value)

    def number(self, name: str) -> int | None:
        value = self.values.get(name)
        return None if value is None else read_number(value, name)

    def text(self, name: str) -> str | None:
        """Return an option that is a string, None where it is left out; anything else is an error of the request."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise invalid(f"{name}: expected a string")
        return value

    def inner(self, name: str) -> "Options":
        return read_options(self.values.get(name))

    def items(self, name: str) -> Sequence[object]:
        """Return an option that is a list, empty where it is left out; anything else is an error of the request."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, list):
            raise invalid(f"{name}: expected a sequence")
        return value or []


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of one call."""

    values: Sequence[object]

    def at(self, place: int) -> object:
        """Return a required parameter; raise RpcFault if it is missing."""
        if place >= len(self.values):
            raise RpcFault(INVALID_PARAMS, f"`params` should have at least {place + 1} argument(s)")
        return self.values[place]

    def key(self, place: int) -> Pubkey:
        return read_key(self.at(place))

    def options(self, place: int) -> Options:
        return read_options(self.values[place] if place < len(self.values) else None)


def read_options(value: object) -> Options:
    """Read an object of options."""
    if value is None:
        return Options({})
    if not isinstance(value, dict):
        raise invalid("expected an object of options")
    return Options(value)


def read_number(value: object, what: str, largest: int = _U64) -> int:
    """Read a whole number without a sign."""
    if type(value) is not int or not 0 <= value <= largest:
        raise invalid(f"{what}: expected an unsigned integer of at most {largest}")
    return value


def read_key(value: object) -> Pubkey:
    """Read an address."""
    if not isinstance(value, str):
        raise invalid("expected a string")
    try:
        return Pubkey.from_string(value)
    except ValueError as error:
        words = "WrongSize" if "size" in str(error).lower() else "Invalid"
        raise RpcFault(INVALID_PARAMS, f"Invalid param: {words}") from None


def read_signature(value: object) -> str:
    """Read a signature."""
    try:
        if isinstance(value, str):
            return str(Signature.from_string(value))
    except ValueError:
        pass
    raise RpcFault(INVALID_PARAMS, "Invalid param: Invalid")


def read_bytes(text: object, encoding: str | None, largest: int = PACKET) -> bytes:
    """Read bytes in base58 (the default) or base64."""
    if not isinstance(text, str):
        raise invalid("expected a string")
    if len(text) > largest * 2:
        raise invalid(f"too large: {len(text)} characters (max: {largest} bytes)")
    try:
        if encoding in {None, "base58", "binary"}:
            raw = base58.decode(text)
        elif encoding == "base64":
            raw = b64decode(text, validate=True)
        else:
            raise invalid(f"unsupported encoding: {encoding}. Supported encodings: base58, base64")
    except ValueError as error:
        raise invalid(f"invalid {encoding or 'base58'} encoding: {error}") from None
    if len(raw) > largest:
        raise invalid(f"decoded {_TRANSACTION} too large: {len(raw)} bytes (max: {largest} bytes)")
    return raw


def read_transaction(text: object, encoding: str | None) -> VersionedTransaction:
    """Read a serialised transaction and check that its parts are consistent."""
    raw = read_bytes(text, encoding, _LARGEST_V1)
    if len(raw) > PACKET and raw[:1] != _V1:
        raise invalid(f"decoded {_TRANSACTION} too large: {len(raw)} bytes (max: {PACKET} bytes)")
    try:
        found = VersionedTransaction.from_bytes(raw)
        found.sanitize()
    except Exception as error:  # The library raises several exceptions without a common base.
        raise invalid(f"failed to deserialize {_TRANSACTION}: {error}") from None
    if bytes(found) != raw:
        raise invalid(f"failed to deserialize {_TRANSACTION}: trailing bytes")
    return found
