"""Types of the fields in Solana nodes' answers, for msgspec, which refuses other forms."""

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")
_LONGEST_LOG_LINE = 10_000

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A slot, a height or lamports: u64 on chain, and never above the largest integer of the store."""
Index = Annotated[int, msgspec.Meta(ge=0, le=255)]
"""An index in a message, or another number of one byte."""
UnixTime = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799)]
"""A second before the year 10,000."""
Commitment: TypeAlias = Literal["processed", "confirmed", "finalized"]
Base64: TypeAlias = tuple[bytes, Literal["base64"]]
"""Bytes, written as a pair of their text and the word base64."""


class Shape(msgspec.Struct, rename="camel", frozen=True):
    """A part of an answer as nodes write it; unnamed fields are ignored.

    ``__post_init__`` raises ValueError for what a type cannot say.
    """


class Context(Shape, frozen=True):
    """The slot of an answer."""

    slot: Count


class At(Shape, Generic[T], frozen=True):
    """An answer with its slot."""

    context: Context
    value: T


def log_lines(lines: list[str] | None) -> tuple[str, ...]:
    """Return lines of a log; what a program logs is its own, so that a long line is cut, not refused."""
    return tuple(line[:_LONGEST_LOG_LINE] for line in lines or ())
