"""Whole pools read by a contract that is never deployed: what took a request for every tick is one call.

A node either runs the lens' code at an address where nothing is (``eth_call`` with an override), or its constructor,
which reverts with what was read. Which of the two it can is found by trying; a node that can neither is read through
Multicall3. The packed form of questions and answers is told in contracts/src/Lens.sol.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.nodes.evm.deployment import artifact
from rhumbline.gateways.nodes.evm.rpc import Call, EvmRpc, RpcError, hex_bytes
from rhumbline.liquidity.block_reads import Head, calls_at
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.kind import Now, PlainKind, StateRead, TickedKind
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.registry import KINDS

PLACE = "0x0000000000005268756d626c696e65206c656e73"
"""Where the override puts the lens."""
TRY_AGAIN_S = 600.0
MOST_POOLS = 2_000
GAS_A_CALL = 10_000_000
_GAS_A_WORD, _GAS_A_TICK, _GAS_A_POOL, _GAS_A_READ = 3_000, 10_500, 15_000, 15_000
_USUAL_TICKS = 20
_HEAD_SIZE, _TICK_SIZE = 53, 19


@dataclass(frozen=True, slots=True)
class PoolRead:
    """A pool, and words of its ticks: ``first`` to ``last`` if the price is there, and ``reach`` around it."""

    pool: Pool
    first: int = 1
    last: int = 0
    reach: int = 0
    ticks: int = _USUAL_TICKS
    """About how many initialised ticks these words have."""

    @property
    def gas(self) -> int:
        kind = KINDS[self.pool.kind]
        if isinstance(kind, PlainKind):
            return _GAS_A_READ * len(kind.reads(self.pool))
        words = max(self.last - self.first + 1, 2 * self.reach + 1)
        return _GAS_A_POOL + _GAS_A_WORD * words + _GAS_A_TICK * self.ticks

    def packed(self) -> bytes:
        """Write the record that contracts/src/Lens.sol reads."""
        kind = KINDS[self.pool.kind]
        if isinstance(kind, PlainKind):
            reads = kind.reads(self.pool)
            return bytes([0, len(reads)]) + b"".join(map(_packed_read, reads))
        numbers = (self.pool.spacing, 3), (self.reach, 2), (self.first, 2), (self.last, 2)
        return kind.lens_record(self.pool) + b"".join(number.to_bytes(size, signed=True) for number, size in numbers)


def _packed_read(read: StateRead) -> bytes:
    return bytes.fromhex(read.to[2:]) + bytes([read.words, len(read.data)]) + read.data


class Lens:
    """Reads one chain's pools. States that did not change are the same objects again, with their curves."""

    def __init__(self, rpc: EvmRpc, deployment: Deployment, seconds: Callable[[], float]) -> None:
        self._rpc, self._deployment, self._seconds = rpc, deployment, seconds
        self._forms = [_by_override, _by_revert]
        self._refused: dict[int, float] = {}
        self._known: dict[str, tuple[bytes, PoolState | None]] = {}

    async def read(self, head: Head, reads: Sequence[PoolRead]) -> Mapping[str, PoolState | None] | None:
        """Read pools at a block; None for one that does not answer as its kind, and for all if the node cannot read.

        Raise HeadGone or NodeUnavailable.
        """
        parts = _parts(reads)
        for number, form in enumerate(self._forms):
            if self._seconds() - self._refused.get(number, -TRY_AGAIN_S) < TRY_AGAIN_S:
                continue
            calls = [form(b"".join(each.packed() for each in part), hex(head.number)) for part in parts]
            answers = [_data(answer) for answer in await calls_at(self._rpc, head, calls)]
            try:
                read = [self._parse(part, data) for part, data in zip(parts, answers, strict=True)]
            except (IndexError, ValueError):
                self._refused[number] = self._seconds()
                continue
            return {address: state for states in read for address, state in states.items()}
        return None

    def _parse(self, reads: Sequence[PoolRead], data: bytes) -> dict[str, PoolState | None]:
        """Read an answer; raise IndexError or ValueError where it is none."""
        states: dict[str, PoolState | None] = {}
        place = 0
        for each in reads:
            pool, kind = each.pool, KINDS[each.pool.kind]
            if not data[place]:
                # It does not answer as its kind does.
                states[pool.key] = None
                place += 1
                continue
            size = _plain_size(kind, pool) if isinstance(kind, PlainKind) else _ticked_size(data, place)
            raw = data[place : place + size]
            if len(raw) != size:
                raise ValueError("the answer ends early")
            place += size
            if len(self._known) > MOST_POOLS:
                self._known.clear()
            if (known := self._known.get(pool.key)) is None or known[0] != raw:
                known = self._known[pool.key] = raw, _state(kind, pool, raw)
            states[pool.key] = known[1]
        if place != len(data):
            raise ValueError("the answer goes on")
        return states


def _state(kind: PlainKind | TickedKind, pool: Pool, raw: bytes) -> PoolState | None:
    if isinstance(kind, PlainKind):
        return kind.state(pool, _plain_answers(kind, pool, raw))
    price, tick = int.from_bytes(raw[1:21]), int.from_bytes(raw[21:24], signed=True)
    numbers = int.from_bytes(raw[41:44]), int.from_bytes(raw[44:47])
    first, last = int.from_bytes(raw[47:49], signed=True), int.from_bytes(raw[49:51], signed=True)
    nets = {
        int.from_bytes(raw[i : i + 3], signed=True): int.from_bytes(raw[i + 3 : i + 19], signed=True)
        for i in range(_HEAD_SIZE, len(raw), _TICK_SIZE)
    }
    now = Now(price, tick, int.from_bytes(raw[24:40]), bool(raw[40]), *numbers)
    return kind.ticked_state(pool, now, nets, first, last)


def _plain_answers(kind: PlainKind, pool: Pool, raw: bytes) -> list[bytes]:
    answers, place = [], 1
    for read in kind.reads(pool):
        answers.append(raw[place : place + 32 * read.words])
        place += 32 * read.words
    return answers


def _plain_size(kind: PlainKind, pool: Pool) -> int:
    return 1 + 32 * sum(read.words for read in kind.reads(pool))


def _ticked_size(data: bytes, place: int) -> int:
    return _HEAD_SIZE + _TICK_SIZE * int.from_bytes(data[place + _HEAD_SIZE - 2 : place + _HEAD_SIZE])


def _parts(reads: Sequence[PoolRead]) -> list[list[PoolRead]]:
    """Divide pools so that no call needs more than ``GAS_A_CALL``, unless one alone does."""
    parts: list[list[PoolRead]] = []
    gas = GAS_A_CALL
    for each in reads:
        if gas + each.gas > GAS_A_CALL:
            parts.append([])
            gas = 0
        parts[-1].append(each)
        gas += each.gas
    return parts


def _by_override(calldata: bytes, block: str) -> Call:
    code = {PLACE: {"code": "0x" + artifact("Lens").runtime_code.hex()}}
    return "eth_call", [{"to": PLACE, "data": "0x" + calldata.hex()}, block, code]


def _by_revert(calldata: bytes, block: str) -> Call:
    return "eth_call", [
        {"data": "0x" + (artifact("Lens").creation_code + encode_args(["bytes"], [calldata])).hex()},
        block,
    ]


def _data(answer: object) -> bytes:
    return answer.data if isinstance(answer, RpcError) else hex_bytes(answer)
