"""ABI encoding of calls and decoding of answers, on eth-abi."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from eth_abi.exceptions import DecodingError
from eth_utils.crypto import keccak

from rhumbline.gateways.evm.abi_codec import CODEC


class MalformedAnswer(Exception):
    """Data that does not decode as the ABI says."""


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
    return CODEC.encode(list(types), list(values))


def encode_call(signature: str, types: Sequence[str], values: Sequence[object]) -> bytes:
    """Encode a call; ``signature`` is canonical, ``types`` its arguments' types."""
    return selector(signature) + encode_args(types, values)


def decode_args(types: Sequence[str], data: bytes) -> tuple[Any, ...]:
    """Decode data as values of those ABI types; raise MalformedAnswer when it does not fit."""
    try:
        return CODEC.decode(list(types), data)
    except (DecodingError, OverflowError, ValueError, UnicodeDecodeError) as error:
        raise MalformedAnswer(f"cannot decode {len(data)} bytes as ({','.join(types)})") from error
