"""Decodes the swap instructions of OKX's Solana programs.

The newest program (``proVF4pM…``): its interface description, as in OKX's own decoder for market makers and an indexer,
read 2026-11-22; its source is not published. The one before (``6m2CDdhR…``): DEX-Router-Solana-V1 at 3da3822
(2025-11-14). Both take ``amount_in`` from the payer's account. The older one fails unless the payer's output account
gains ``min_return``; the newest one's fields say that it does so with the expected output less the slippage. A route is
decoded to its end, because fees follow it: a commission on top of the input or out of the output, the platform's fee,
and the trim, a share of the excess over the expected output, at most a tenth of the whole output.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from struct import error, unpack_from
from types import MappingProxyType

from rhumbline.adapters.okx.deployments import OLDER
from rhumbline.domain.amount import BASIS_POINTS, less_bps
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.svm import SvmInstruction

SWAP_TOB, SWAP_TOC, SWAP = (
    bytes.fromhex(each) for each in ("aa2955b184501f35", "bbc9d433109bec3c", "f8c69e91e17587c8")
)
OLDER_TOB, OLDER_TOC = (bytes.fromhex(each) for each in ("0ebf2cf68ee1e09d", "f0e02621b01ff1af"))
MOST_TRIM = 100
"""In thousandths: the older program's own limit."""
_RATE = 2**30 - 1
_CLOSING = 2**30
_BODIES: Mapping[int, int] = MappingProxyType({
    64: 50, 74: 2, 75: 2, 81: 8, 82: 16, 100: 8, 103: 16, 104: 99, 118: 8, 120: 99, 121: 1, 125: 1, 132: 40, 134: 96,
    138: 1,
})  # fmt: skip
"""How many bytes follow an exchange's number, if any."""
_NEWER_BODIES: Mapping[int, int] = MappingProxyType({23: 1, 24: 1, 34: 1, 35: 1})
_UNREAD = frozenset({117, 119, 126, 133})
"""Exchanges of variable length, among them market makers' offers, which others sign."""
_LAST_KIND = 140
_MOST_PARTS = 64


@dataclass(frozen=True, slots=True)
class Route:
    """A decoded swap: addresses by their positions, amounts in raw units.

    ``slippage_bps`` is None if the minimum is stated. ``closes``: the program unwraps the output; ``trim`` is how many
    thousandths of the output OKX may take of the excess over ``expected``.
    """

    payer: str
    source: str
    destination: str
    mint_in: str
    mint_out: str
    programs: tuple[str, str] | None
    event_authority: str | None
    amount: int
    expected: int
    minimum: int
    slippage_bps: int | None
    commission: int = 0
    platform_fee: int = 0
    trim: int = 0
    closes: bool = False


@dataclass
class _Reader:
    data: bytes
    bodies: Mapping[int, int]
    at: int = 8

    def number(self, form: str) -> int:
        (value,) = unpack_from("<" + form, self.data, self.at)
        self.at += {"B": 1, "H": 2, "I": 4, "Q": 8}[form]
        return int(value)

    def count(self) -> int:
        number = self.number("I")
        if number > _MOST_PARTS:
            raise UpstreamFailed("answered a swap of too many parts")
        return number

    def skip(self, count: int) -> None:
        self.at += count

    def exchange(self) -> None:
        """Skip one exchange of the route, with its data."""
        kind = self.number("B")
        if kind in _UNREAD or kind > _LAST_KIND:
            raise NoRoute("has only a route that cannot be read")
        self.skip(self.bodies.get(kind, 0))

    def end(self) -> None:
        if self.at != len(self.data):
            raise UpstreamFailed("answered a swap with more than its arguments")


def read_route(instruction: SvmInstruction) -> Route:
    """Read a swap; raise UpstreamFailed for any other instruction, NoRoute for a route that cannot be read."""
    try:
        if is_swap(instruction):
            return _older(instruction) if instruction.program == OLDER else _newest(instruction)
    except (IndexError, error):
        pass
    raise UpstreamFailed("answered an instruction that is not a swap of its program")


def is_swap(instruction: SvmInstruction) -> bool:
    """Return whether an instruction of OKX's is one of its known swaps, by its first bytes."""
    known = {OLDER_TOB, OLDER_TOC} if instruction.program == OLDER else {SWAP_TOB, SWAP_TOC, SWAP}
    return instruction.data[:8] in known


def _newest(instruction: SvmInstruction) -> Route:
    kind = instruction.data[:8]
    read = _Reader(instruction.data, {**_BODIES, **_NEWER_BODIES})
    read.number("Q")
    amount, expected, slippage = read.number("Q"), read.number("Q"), read.number("H")
    if slippage > BASIS_POINTS:
        raise UpstreamFailed("answered a swap with more slippage than there is output")
    for _ in range(read.count()):
        read.exchange()
        read.number("H"), read.number("B")
    fees = () if kind == SWAP else (read.number("I"), read.number("H"), read.number("B") if kind == SWAP_TOB else 0)
    read.end()
    minimum = less_bps(expected, slippage)
    return _route(instruction, (amount, expected, minimum, slippage), fees, 5 if kind == SWAP else 14)


def _older(instruction: SvmInstruction) -> Route:
    kind = instruction.data[:8]
    read = _Reader(instruction.data, _BODIES)
    amount, expected, minimum = read.number("Q"), read.number("Q"), read.number("Q")
    read.skip(8 * read.count())
    for _ in range(read.count()):
        for _ in range(read.count()):
            for _ in range(read.count()):
                read.exchange()
            read.skip(read.count())
    commission = read.number("I")
    trim = read.number("B") if kind == OLDER_TOB else 0
    fees = commission, read.number("H"), trim
    read.number("Q")
    read.end()
    return _route(instruction, (amount, expected, minimum, None), fees, None)


def _route(
    instruction: SvmInstruction,
    amounts: tuple[int, int, int, int | None],
    fees: tuple[int, ...],
    events_at: int | None,
) -> Route:
    at = [role.address for role in instruction.accounts]
    commission, platform_fee, trim = fees or (0, 0, 0)
    programs = (at[10], at[11]) if fees else None
    events = None if events_at is None else at[events_at]
    return Route(
        at[0], at[1], at[2], at[3], at[4], programs, events, *amounts, commission & _RATE, platform_fee, trim,
        bool(commission & _CLOSING),
    )  # fmt: skip
