"""Plans of hops as the Executor runs them, pool by pool: the packed form of contracts/src/Pools.sol."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.liquidity.kinds.kind import HopKind
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.liquidity.market import Hop

MOST_TOKENS = 255
_ADDRESS = 20
PLACE_SIZES: Mapping[HopKind, int] = MappingProxyType(
    {
        HopKind.PAIR: 22,
        HopKind.STABLE_PAIR: 20,
        HopKind.CONCENTRATED: 20,
        HopKind.V4: 46,
        HopKind.EXCHANGE: 22,
        HopKind.WRAP: 0,
        HopKind.UNWRAP: 0,
        HopKind.DEPOSIT: 0,
        HopKind.REDEEM: 0,
        HopKind.WRAP_STAKED: 0,
        HopKind.UNWRAP_STAKED: 0,
        HopKind.CRYPTO_EXCHANGE: 22,
    }
)
"""The size in bytes of what ``Kind.place`` writes, for a hop of each kind."""


@dataclass(frozen=True, slots=True)
class PlannedHop:
    """One hop of a plan: ``share`` of 2^32, rounded down, of the balance of ``sold`` at that moment; 0 is all of it.

    ``place`` is the description of its pool, by the hop's kind.
    """

    kind: HopKind
    share: int
    sold: str
    bought: str
    place: bytes = b""


def planned(hops: Sequence[Hop], wrapped: str, *, native_in: bool, native_out: bool) -> tuple[PlannedHop, ...]:
    """Return the hops of a plan in their order, with those that wrap and unwrap the native asset.

    To the engine native and wrapped native are one token. A pool that holds native itself is paid in it and pays in it;
    when native is sold, such pools take their shares before the rest is wrapped, because no hop may buy what the plan
    began with. So hops through them come first (``find_plan`` ensures it).
    """
    found: list[PlannedHop] = []
    still_native = native_in
    for hop in hops:
        kind, share, sells_native = KINDS[hop.pool.kind], hop.share, hop.pool.native and hop.token_in == wrapped
        if hop.token_in == wrapped and still_native and not sells_native:
            found.append(PlannedHop(HopKind.WRAP, 0, NATIVE_EVM, wrapped))
            still_native = False
        elif sells_native and not still_native:
            found.append(PlannedHop(HopKind.UNWRAP, share, wrapped, NATIVE_EVM))
            share = 0
        buys_native = hop.pool.native and hop.token_out == wrapped
        sold, bought = (NATIVE_EVM if sells_native else hop.token_in), (NATIVE_EVM if buys_native else hop.token_out)
        found.append(
            PlannedHop(kind.hop_in(hop.pool, hop.token_in), share, sold, bought, kind.place(hop.pool, hop.token_in))
        )
        if buys_native and not native_out:
            found.append(PlannedHop(HopKind.WRAP, 0, NATIVE_EVM, wrapped))
    if native_out and any(hop.bought == wrapped for hop in found):
        found.append(PlannedHop(HopKind.UNWRAP, 0, wrapped, NATIVE_EVM))
    return tuple(found)


def tokens_of(hops: Sequence[PlannedHop]) -> tuple[str, ...]:
    """Return the tokens of a plan: the input first, the output, which the last hop buys, last."""
    output = hops[-1].bought
    tokens = dict.fromkeys(token for hop in hops for token in (hop.sold, hop.bought) if token != output)
    return (*tokens, output)


def encode(hops: Sequence[PlannedHop]) -> bytes:
    """Pack a plan; raise ValueError for one that the Executor refuses, or a share that does not fit."""
    tokens = tokens_of(hops) if hops else ()
    if not 2 <= len(tokens) <= MOST_TOKENS:
        raise ValueError("a plan has 2 to 255 tokens")
    if any(hop.bought == tokens[0] or hop.sold == tokens[-1] for hop in hops):
        raise ValueError("no hop of a plan buys its input or sells its output")
    number = {token: index for index, token in enumerate(tokens)}
    parts = [bytes([len(tokens)]), *(bytes.fromhex(token[2:]) for token in tokens)]
    for hop in hops:
        if not 0 <= hop.share < 1 << 32:
            raise ValueError("a share is below 2^32")
        parts += [bytes([hop.kind]), hop.share.to_bytes(4), bytes([number[hop.sold], number[hop.bought]])]
        parts.append(hop.place)
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
        yield PlannedHop(kind, share, sold, bought, reader.take(PLACE_SIZES[kind]))
