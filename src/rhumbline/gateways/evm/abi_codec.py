"""eth-abi that writes the same in less time: a quote encodes some ten calls.

A value is checked by the encoder that writes it, and not again by every struct around it. Addresses that were checked
are remembered, for a quote writes the same few again and again (docs/decisions/0040 has the figures).
"""

from functools import lru_cache
from typing import Any

from eth_abi.codec import ABICodec
from eth_abi.encoding import AddressEncoder, TupleEncoder, UnsignedIntegerEncoder
from eth_abi.registry import BaseEquals, is_base_tuple, registry

_WORD = 32
_CHECKED = AddressEncoder()


@lru_cache(maxsize=4096)
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


def _codec() -> ABICodec:
    faster = registry.copy()
    for label, lookup, encoder in (
        ("address", BaseEquals("address"), _Address),
        ("uint", BaseEquals("uint"), _Unsigned),
        ("is_base_tuple", is_base_tuple, _Struct),
    ):
        faster.unregister_encoder(label)
        faster.register_encoder(lookup, encoder, label=label)
    return ABICodec(faster)


CODEC = _codec()
