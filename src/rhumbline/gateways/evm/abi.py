"""ABI encoding of calls and decoding of answers, on eth-abi."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from eth_abi.codec import ABICodec
from eth_abi.encoding import AddressEncoder, TupleEncoder, UnsignedIntegerEncoder
from eth_abi.exceptions import DecodingError
from eth_abi.registry import ABIRegistry, BaseEquals, is_base_tuple, registry
from eth_utils.crypto import keccak

_WORD = 32
_CHECKED = AddressEncoder()


@lru_cache(maxsize=512)
def _address_word(address: str) -> bytes:
    return bytes(_CHECKED.encode(address))


class _Address(AddressEncoder):
    @classmethod
    def validate_value(cls, value: object) -> None:
        if type(value) is not str or not _address_word(value):
            _CHECKED.validate_value(value)

    def encode(self, value: object) -> bytes:
        return _address_word(value) if type(value) is str else bytes(_CHECKED.encode(value))


class _Unsigned(UnsignedIntegerEncoder):
    def encode(self: Any, value: object) -> bytes:
        if type(value) is int and 0 <= value < 1 << self.value_bit_size:
            return value.to_bytes(_WORD)
        return bytes(UnsignedIntegerEncoder.encode(self, value))


class _Struct(TupleEncoder):
    def validate_value(self: Any, value: object) -> None:
        """Check the shape alone: the members check themselves when they are encoded."""
        if not isinstance(value, list | tuple) or len(value) != len(self.encoders):
            TupleEncoder.validate_value(self, value)


def _faster_registry() -> ABIRegistry:
    """Return eth-abi's types that write the same in less time: a quote encodes some ten calls.

    A value is checked by the encoder that writes it, and not again by every struct around it. Addresses that were
    checked are remembered, for a quote writes the same few again and again (docs/decisions/0040 has the figures).
    """
    faster: ABIRegistry = registry.copy()
    for label, lookup, encoder in (
        ("address", BaseEquals("address"), _Address),
        ("uint", BaseEquals("uint"), _Unsigned),
        ("is_base_tuple", is_base_tuple, _Struct),
    ):
        faster.unregister_encoder(label)
        faster.register_encoder(lookup, encoder, label=label)
    return faster


_REGISTRY = _faster_registry()
_CODEC = ABICodec(_REGISTRY)


class MalformedAnswer(Exception):
    """Data that cannot be decoded by the ABI."""


@lru_cache(maxsize=512)
def selector(signature: str) -> bytes:
    """Return the four bytes of a function or error, e.g. ``balanceOf(address)``."""
    return keccak(text=signature)[:4]


@lru_cache(maxsize=128)
def topic(signature: str) -> bytes:
    """Return the 32 bytes under which logs carry an event."""
    return keccak(text=signature)


def encode_args(types: Sequence[str], values: Sequence[object]) -> bytes:
    """Encode values as a tuple of ABI types; a value out of range raises eth-abi's EncodingError."""
    return _encoder(tuple(types))(values)


@lru_cache(maxsize=512)
def _encoder(types: tuple[str, ...]) -> Callable[[Sequence[object]], bytes]:
    struct: Callable[..., Callable[[Sequence[object]], bytes]] = _Struct
    return struct(encoders=tuple(_REGISTRY.get_encoder(each) for each in types))


def encode_call(signature: str, types: Sequence[str], values: Sequence[object]) -> bytes:
    """Encode a call; ``signature`` is canonical, ``types`` its arguments' types."""
    return selector(signature) + encode_args(types, values)


def decode_args(types: Sequence[str], data: bytes) -> tuple[Any, ...]:
    """Decode data as values of those ABI types; raise MalformedAnswer when it does not fit."""
    try:
        return _CODEC.decode(list(types), data)
    except (DecodingError, OverflowError, ValueError, UnicodeDecodeError) as error:
        raise MalformedAnswer(f"cannot decode {len(data)} bytes as ({','.join(types)})") from error
