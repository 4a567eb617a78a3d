"""Decodes an instruction of DFlow's program: its actions in order, and the terms after them.

The arguments are a list of actions, each a tag and a layout of its own, the quoted output (64 bits), the slippage and
the share for a platform in bps (16 bits each). The program fails unless the output is the quote less the slippage. It
ignores any further bytes, which could imitate other terms, so none are accepted.

Source: the IDL that the vendor keeps on the chain (account Cp2dCjxCWdktak2JiSrh87X6sz31EnDVKoTGtsHJvhYq, version
0.1.0), as read by others on 2026-09-20 and 2026-09-27, who agree; a genuine order of 2026-08-22 decodes so to the last
byte.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from rhumbline.domain.amount import BASIS_POINTS, less_bps
from rhumbline.domain.errors import NoRoute, UpstreamFailed

MOST_ACTIONS = 64
RECORD_ID, RECORD_ID_2, WRAP, UNWRAP, DYNAMIC, DELEGATED = 37, 38, 51, 52, 31, 57
SPONSORED = frozenset({50, 78})
"""A sponsor, who also signs, pays what the wallet would pay."""
UNKNOWN = "has only a route with a step that is not known here"
_CANDIDATES = (0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 0, 1)

_VENUES: Mapping[int, int] = MappingProxyType(
    {
        tag: size
        for size, tags in (
            (9, (2, 3, 8, 9, *range(11, 22), *range(26, 31), 32, 33, 34, 39, 40, 46, 47, *range(53, 57), 58, 59, 62)),
            (9, (65, 66, 67, 68, 70, 71, 74)),
            (10, (0, 1, 4, 5, 6, 7, 10, 22, 24, 25, 69, 76)),
            (13, (72, 73)),
            (17, (23,)),
            (19, (41,)),
            (25, (44,)),
            (82, (75,)),
        )
        for tag in tags
    }
)
"""Swaps at one venue, by the number of bytes after the tag; the first eight are the amount."""
_ASIDE: Mapping[int, int] = MappingProxyType({RECORD_ID: 76, RECORD_ID_2: 4, 45: 0, 60: 0, 61: 2})
"""Marks, named accounts, created accounts, and the input that may be left."""
_LISTS: Mapping[int, int] = MappingProxyType({48: 8, 49: 9})
"""Minimums of single legs, by the bytes of one."""


class Form(Enum):
    """A variant of the swap instruction, by its first eight bytes, and how it names the receiver.

    The program's other variants, such as those that give away any output above the quote, are never requested.
    """

    OWN = bytes.fromhex("f8c69e91e17587c8")
    TO_ACCOUNT = bytes.fromhex("a8ac184dc59c8765")
    TO_WALLET = bytes.fromhex("cd4d7f6cf120c4c3")


@dataclass(frozen=True, slots=True)
class Swap:
    """A decoded instruction: ``legs`` are the amounts for each venue, ``wrapped`` the lamports wrapped before.

    ``unwrapped`` is how often wrapped SOL is unwrapped. Amounts in raw units.
    """

    form: Form
    legs: tuple[int, ...]
    wrapped: tuple[int, ...]
    unwrapped: int
    sponsored: bool
    quoted: int
    slippage_bps: int
    platform_fee_bps: int

    @property
    def minimum(self) -> int:
        """The least that comes out, or the program fails; rounded down, so at most one unit below its own."""
        return less_bps(self.quoted, self.slippage_bps)


@dataclass(slots=True)
class _Cursor:
    data: bytes
    at: int = 0

    def take(self, count: int) -> bytes:
        """Return the next bytes; raise UpstreamFailed where they end."""
        if self.at + count > len(self.data):
            raise UpstreamFailed("answered a swap whose arguments are cut off")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def count(self) -> int:
        """Return the length of a list; raise UpstreamFailed if it is implausible."""
        found = self.number(4)
        if found > MOST_ACTIONS:
            raise UpstreamFailed("answered a swap with too long a list")
        return found


@dataclass(slots=True)
class _Actions:
    legs: list[int] = field(default_factory=list)
    wrapped: list[int] = field(default_factory=list)
    unwrapped: int = 0
    sponsored: bool = False

    def read(self, cursor: _Cursor) -> None:
        """Take one action; raise NoRoute for one whose meaning is not known here."""
        tag = cursor.number(1)
        if tag in _VENUES:
            self._leg(cursor.take(_VENUES[tag]))
        elif tag in _ASIDE:
            cursor.take(_ASIDE[tag])
        elif tag in _LISTS:
            cursor.take(cursor.count() * _LISTS[tag])
        elif tag == DYNAMIC:
            for _ in range(cursor.count()):
                cursor.take(_candidate(cursor.number(1)))
            self._leg(cursor.take(9))
        elif tag == DELEGATED:
            cursor.take(cursor.count() * 2)
            self._leg(cursor.take(13))
        elif tag == WRAP:
            self.wrapped.append(cursor.number(8))
        elif tag == UNWRAP:
            self.unwrapped += 1
        elif tag in SPONSORED:
            self.sponsored = True
        else:
            raise NoRoute(UNKNOWN)

    def _leg(self, data: bytes) -> None:
        self.legs.append(int.from_bytes(data[:8], "little"))


def _candidate(kind: int) -> int:
    if kind >= len(_CANDIDATES):
        raise NoRoute(UNKNOWN)
    return _CANDIDATES[kind]


def read_swap(data: bytes) -> Swap:
    """Read the data of an instruction; raise UpstreamFailed for another, NoRoute for an action that is not known."""
    try:
        form = Form(data[:8])
    except ValueError:
        raise UpstreamFailed("answered an instruction that is no swap") from None
    cursor, actions = _Cursor(data, 8), _Actions()
    for _ in range(cursor.count()):
        actions.read(cursor)
    quoted, slippage, fee = cursor.number(8), cursor.number(2), cursor.number(2)
    if cursor.at != len(data) or slippage > BASIS_POINTS:
        raise UpstreamFailed("answered a swap whose terms cannot be read")
    return Swap(
        form, tuple(actions.legs), tuple(actions.wrapped), actions.unwrapped, actions.sponsored, quoted, slippage, fee
    )
