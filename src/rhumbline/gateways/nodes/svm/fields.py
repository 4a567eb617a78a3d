"""Types of the fields that nodes of Solana answer, for msgspec, which refuses what is not in its form."""

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")
_LONGEST_LOG_LINE = 10_000

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A slot, a height, lamports: u64 on chain, and none of them is beyond the largest integer of the store."""
Index = Annotated[int, msgspec.Meta(ge=0, le=255)]
"""A place in a message, or another number of one byte."""
UnixTime = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799)]
"""A second before the year 10,000."""
Commitment: TypeAlias = Literal["processed", "confirmed", "finalized"]
Base64: TypeAlias = tuple[bytes, Literal["base64"]]
"""Bytes, written as a pair of their text and the word base64."""


class Shape(msgspec.Struct, rename="camel", frozen=True):
    """A part of an answer as nodes write it; fields that are not named are passed over.

    ``__post_init__`` raises ValueError for what a type cannot say.
    """


class Context(Shape, frozen=True):
    """Of which slot an answer is."""

    slot: Count


class At(Shape, Generic[T], frozen=True):
    """An answer with its slot."""

    context: Context
    value: T


def log_lines(lines: list[str] | None) -> tuple[str, ...]:
    """Return lines of a log; what a program logs is its own, so that a long line is cut, not refused."""
    return tuple(line[:_LONGEST_LOG_LINE] for line in lines or ())
