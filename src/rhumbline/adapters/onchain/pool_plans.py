"""Plans of hops as the Executor runs them, pool by pool: the packed form of contracts/src/Pools.sol."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.liquidity.market import Hop
from rhumbline.liquidity.pools import Version

MOST_TOKENS = 255
KEPT_OF = 10_000
"""Of a pair's input so many parts are told of which the fee is not taken: 9970 for 0.3 %."""
_ADDRESS = 20


class HopKind(IntEnum):
    """What a hop trades with, by its number in the plan; the pools that the engine knows, and the wrapped native."""

    PAIR = 0
    CONCENTRATED = 2
    WRAP = 5
    UNWRAP = 6


@dataclass(frozen=True, slots=True)
class PlannedHop:
    """One hop of a plan: ``share`` of 2^32, rounded down, of what there is of ``sold`` at that moment; 0 is all of it.

    ``pool`` is None where native is wrapped or unwrapped; ``kept`` is a pair's, in 1/10,000.
    """

    kind: HopKind
    share: int
    sold: str
    bought: str
    pool: str | None = None
    kept: int | None = None


def planned(
    hops: Sequence[Hop], wrapped: str, kept: int, *, native_in: bool, native_out: bool
) -> tuple[PlannedHop, ...]:
    """Return the hops of a plan in their order; ``kept`` is that of the chain's pairs, in 1/10,000."""
    found = [PlannedHop(HopKind.WRAP, 0, NATIVE_EVM, wrapped)] if native_in else []
    for hop in hops:
        pair = hop.pool.version is Version.V2
        kind = HopKind.PAIR if pair else HopKind.CONCENTRATED
        found.append(PlannedHop(kind, hop.share, hop.token_in, hop.token_out, hop.pool.address, kept if pair else None))
    if native_out:
        found.append(PlannedHop(HopKind.UNWRAP, 0, wrapped, NATIVE_EVM))
    return tuple(found)


def tokens_of(hops: Sequence[PlannedHop]) -> tuple[str, ...]:
    """Return the tokens of a plan, the input first."""
    return tuple(dict.fromkeys(token for hop in hops for token in (hop.sold, hop.bought)))


def encode(hops: Sequence[PlannedHop]) -> bytes:
    """Pack a plan; raise ValueError for one of more than 255 tokens, or of a share that does not fit."""
    tokens = tokens_of(hops)
    if not hops or len(tokens) > MOST_TOKENS:
        raise ValueError("a plan has 1 to 255 tokens")
    number = {token: index for index, token in enumerate(tokens)}
    parts = [bytes([len(tokens)]), *(bytes.fromhex(token[2:]) for token in tokens)]
    for hop in hops:
        if not 0 <= hop.share < 1 << 32:
            raise ValueError("a share is below 2^32")
        parts += [bytes([hop.kind]), hop.share.to_bytes(4), bytes([number[hop.sold], number[hop.bought]])]
        parts += [bytes.fromhex(hop.pool[2:])] if hop.pool is not None else []
        parts += [hop.kept.to_bytes(2)] if hop.kept is not None else []
    return b"".join(parts)


def decode(plan: bytes) -> tuple[PlannedHop, ...]:
    """Read a plan back; raise MalformedAnswer where it is none that ``encode`` writes."""
    reader = _Reader(plan)
    tokens = [checksummed(reader.take(_ADDRESS)) for _ in range(reader.number(1))]
    tokens = [NATIVE_EVM if token == checksummed(bytes(_ADDRESS)) else token for token in tokens]
    return tuple(_hops(reader, tokens))


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    @property
    def is_at_end(self) -> bool:
        return self._place == len(self._data)

    def take(self, size: int) -> bytes:
        part = self._data[self._place : self._place + size]
        if len(part) != size:
            raise MalformedAnswer("a plan ends within a hop")
        self._place += size
        return part

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size))


def _hops(reader: _Reader, tokens: Sequence[str]) -> Iterator[PlannedHop]:
    while not reader.is_at_end:
        try:
            kind, share = HopKind(reader.number(1)), reader.number(4)
            sold, bought = tokens[reader.number(1)], tokens[reader.number(1)]
        except (ValueError, IndexError) as error:
            raise MalformedAnswer("a plan has a hop of no kind, or of no token") from error
        pool = checksummed(reader.take(_ADDRESS)) if kind in (HopKind.PAIR, HopKind.CONCENTRATED) else None
        kept = reader.number(2) if kind is HopKind.PAIR else None
        yield PlannedHop(kind, share, sold, bought, pool, kept)
