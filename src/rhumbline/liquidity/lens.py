"""Whole pools read by a contract that is never deployed: what took a request for every tick is one call.

A node either runs the lens' code at an address where nothing is (``eth_call`` with an override), or its constructor,
which reverts with what was read. Which of the two it can is found by trying; a node that can neither is read through
Multicall3. The packed form of questions and answers is told in contracts/src/Lens.sol.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.nodes.evm.deployment import artifact
from rhumbline.gateways.nodes.evm.rpc import Call, EvmRpc, RpcError, hex_bytes
from rhumbline.liquidity.block_reads import Head, calls_at
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.pools import Pool, Version

PLACE = "0x0000000000005268756d626c696e65206c656e73"
"""Where the override puts the lens."""
TRY_AGAIN_S = 600.0
MOST_POOLS = 2_000
GAS_A_CALL = 10_000_000
_GAS_A_WORD, _GAS_A_TICK, _GAS_A_POOL = 3_000, 10_500, 10_000
_USUAL_TICKS = 20
_V2_SIZE, _V3_SIZE, _TICK_SIZE = 29, 47, 19


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pool, and of V3 which bitmap words: ``first`` to ``last`` if the price is there, and ``reach`` around it."""

    pool: Pool
    first: int = 1
    last: int = 0
    reach: int = 0
    ticks: int = _USUAL_TICKS
    """About how many initialised ticks these words have."""

    @property
    def gas(self) -> int:
        words = max(self.last - self.first + 1, 2 * self.reach + 1)
        return _GAS_A_POOL + _GAS_A_WORD * words + _GAS_A_TICK * self.ticks

    def packed(self) -> bytes:
        numbers = (self.pool.spacing, 3), (self.reach, 2), (self.first, 2), (self.last, 2)
        head = bytes.fromhex(self.pool.address[2:]) + bytes([self.pool.version.value])
        return head + b"".join(number.to_bytes(size, signed=True) for number, size in numbers)


class Lens:
    """Reads one chain's pools. States that did not change are the same objects again, with their curves."""

    def __init__(self, rpc: EvmRpc, deployment: Deployment, seconds: Callable[[], float]) -> None:
        self._rpc, self._deployment, self._seconds = rpc, deployment, seconds
        self._forms = [_by_override, _by_revert]
        self._refused: dict[int, float] = {}
        self._known: dict[str, tuple[bytes, PoolState | None]] = {}

    async def read(self, head: Head, wanted: Sequence[Wanted]) -> Mapping[str, PoolState | None] | None:
        """Read pools at a block, None where the node cannot; raise HeadGone or NodeUnavailable."""
        parts = _parts(wanted)
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

    def _parse(self, wanted: Sequence[Wanted], data: bytes) -> dict[str, PoolState | None]:
        """Read an answer; raise IndexError or ValueError where it is none."""
        states: dict[str, PoolState | None] = {}
        place = 0
        for each in wanted:
            address = each.pool.address
            if not data[place]:
                kind = f"Uniswap V{each.pool.version.value} pool"
                raise NodeUnavailable(f"{self._rpc.name}: {address} does not answer as a {kind}")
            size = _V2_SIZE if each.pool.version is Version.V2 else _V3_SIZE + _TICK_SIZE * _ticks_in(data, place)
            raw = data[place : place + size]
            if len(raw) != size:
                raise ValueError("the answer ends early")
            place += size
            if len(self._known) > MOST_POOLS:
                self._known.clear()
            if (known := self._known.get(address)) is None or known[0] != raw:
                known = self._known[address] = raw, self._state(each.pool, raw)
            states[address] = known[1]
        if place != len(data):
            raise ValueError("the answer goes on")
        return states

    def _state(self, pool: Pool, raw: bytes) -> PoolState | None:
        if pool.version is Version.V2:
            reserves = int.from_bytes(raw[1:15]), int.from_bytes(raw[15:29])
            return V2State(*reserves, self._deployment.v2_kept, self._deployment.v2_of)
        price, unlocked = int.from_bytes(raw[1:21]), raw[40]
        if not price or not unlocked:
            return None
        nets = {
            int.from_bytes(raw[i : i + 3], signed=True): int.from_bytes(raw[i + 3 : i + 19], signed=True)
            for i in range(_V3_SIZE, len(raw), _TICK_SIZE)
        }
        tick, liquidity = int.from_bytes(raw[21:24], signed=True), int.from_bytes(raw[24:40])
        first, last = int.from_bytes(raw[41:43], signed=True), int.from_bytes(raw[43:45], signed=True)
        return V3Pool(V3State(pool.fee, pool.spacing, price, tick, liquidity, nets, first, last))


def _ticks_in(data: bytes, place: int) -> int:
    return int.from_bytes(data[place + _V3_SIZE - 2 : place + _V3_SIZE])


def _parts(wanted: Sequence[Wanted]) -> list[list[Wanted]]:
    """Divide pools so that no call needs more than ``GAS_A_CALL``, unless one alone does."""
    parts: list[list[Wanted]] = []
    gas = GAS_A_CALL
    for each in wanted:
        if gas + each.gas > GAS_A_CALL:
            parts.append([])
            gas = 0
        parts[-1].append(each)
        gas += each.gas
    return parts


def _by_override(asked: bytes, block: str) -> Call:
    code = {PLACE: {"code": "0x" + artifact("Lens").runtime_code.hex()}}
    return "eth_call", [{"to": PLACE, "data": "0x" + asked.hex()}, block, code]


def _by_revert(asked: bytes, block: str) -> Call:
    return "eth_call", [
        {"data": "0x" + (artifact("Lens").creation_code + encode_args(["bytes"], [asked])).hex()},
        block,
    ]


def _data(answer: object) -> bytes:
    return answer.data if isinstance(answer, RpcError) else hex_bytes(answer)
