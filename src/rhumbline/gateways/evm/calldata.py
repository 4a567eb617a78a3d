"""Decodes a call by its function signature, strictly, so that nothing is hidden between the arguments."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_args, selector
from rhumbline.gateways.evm.canonical import NotCanonical, members, read_canonical

_SELECTOR = 4
_ARGUMENTS = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\((.*)\)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Function:
    """A function by its canonical signature, e.g. ``transfer(address,uint256)``."""

    signature: str

    @property
    def selector(self) -> bytes:
        return selector(self.signature)

    @property
    def types(self) -> tuple[str, ...]:
        return _types(self.signature)

    def encode(self, *values: object) -> bytes:
        """Return a call; a value out of range raises eth-abi's EncodingError."""
        return self.selector + encode_args(self.types, values)

    def decode(self, data: bytes) -> tuple[Any, ...]:
        """Return a call's arguments, of the types in the signature: integers, booleans, bytes, texts, tuples.

        Addresses are texts in lower case, arrays and structs tuples. Raise MalformedAnswer for another function, and
        for data that is not exactly the encoding of its arguments: trailing bytes and unusual offsets may hide a second
        meaning. Use ``decode_loosely`` for an upstream that is known to encode otherwise, ``decode_first`` for one that
        is known to append a mark.
        """
        values, rest = self.decode_first(data)
        if rest:
            raise MalformedAnswer(f"a call of {self.signature} that goes on after its arguments")
        return values

    def decode_first(self, data: bytes) -> tuple[tuple[Any, ...], bytes]:
        """Return a call's arguments, and what follows; MalformedAnswer for another function or another encoding."""
        self._check_selector(data)
        try:
            values, end = read_canonical(self.types, data, _SELECTOR)
        except NotCanonical:
            raise MalformedAnswer(f"a call of {self.signature} that is not canonically encoded") from None
        return values, data[end:]

    def decode_loosely(self, data: bytes) -> tuple[Any, ...]:
        """Return the arguments of a call whatever follows them; raise MalformedAnswer for another function."""
        self._check_selector(data)
        return decode_args(self.types, data[_SELECTOR:])

    def _check_selector(self, data: bytes) -> None:
        if data[:_SELECTOR] != self.selector:
            raise MalformedAnswer(f"not a call of {self.signature}")


@lru_cache(maxsize=512)
def _types(signature: str) -> tuple[str, ...]:
    match = _ARGUMENTS.match(signature)
    if match is None:
        raise ValueError(f"{signature!r} is no function signature")
    return members(match[1])
