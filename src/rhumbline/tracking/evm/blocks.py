"""Block headers of an EVM chain, read strictly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity
from rhumbline.tracking.evm.logs import read_hash
from rhumbline.tracking.evm.positions import Checkpoint

HEADERS_AT_ONCE = 50
"""Public nodes refuse larger batches."""


@dataclass(frozen=True, slots=True)
class Block:
    """The needed fields of a header; hashes in lower case, ``time`` in UTC, ``bloom`` empty if the node has none."""

    number: int
    hash: str
    parent_hash: str
    time: datetime
    bloom: bytes = b""


def header_call(number: int) -> tuple[str, Sequence[object]]:
    """Return the call that ``block_of`` reads the answer to."""
    return "eth_getBlockByNumber", [hex(number), False]


async def read_blocks(rpc: EvmRpc, numbers: Iterable[int]) -> dict[int, Block]:
    """Return headers by number. Raise NodeUnavailable where one is wanting or nonsense, RpcError for a refusal."""
    wanted = sorted(set(numbers))
    found: dict[int, Block] = {}
    for start in range(0, len(wanted), HEADERS_AT_ONCE):
        part = wanted[start : start + HEADERS_AT_ONCE]
        answers = await rpc.batch([header_call(number) for number in part])
        for number, answer in zip(part, answers, strict=True):
            found[number] = block_of(rpc.name, number, answer)
    return found


async def read_block(rpc: EvmRpc, number: int) -> Block:
    """Return one header; errors as of ``read_blocks``."""
    return block_of(rpc.name, number, await rpc.call(*header_call(number)))


async def batch_below(
    rpc: EvmRpc, top: Checkpoint, calls: Sequence[tuple[str, Sequence[object]]]
) -> list[object | RpcError]:
    """Make calls about blocks up to ``top`` to a node that has this very block; NodeUnavailable when it has not."""
    *answers, header = await rpc.batch([*calls, header_call(top.number)])
    if block_of(rpc.name, top.number, header).hash != top.hash:
        raise NodeUnavailable(f"{rpc.name}: the node is on another branch than the followed one")
    return answers


def block_of(name: str, number: int, answer: object) -> Block:
    """Read the answer to ``eth_getBlockByNumber`` of the node ``name``; errors as of ``read_blocks``."""
    if isinstance(answer, RpcError):
        raise answer
    if not isinstance(answer, dict):
        raise NodeUnavailable(f"{name}: the node has no block {number}")
    if quantity(answer.get("number")) != number:
        raise NodeUnavailable(f"{name}: the node answered another block than {number}")
    try:
        time = datetime.fromtimestamp(quantity(answer.get("timestamp")), UTC)
    except (OverflowError, ValueError, OSError) as error:
        raise NodeUnavailable(f"{name}: block {number} has an impossible time") from error
    bloom = hex_bytes(answer.get("logsBloom") or "0x")
    return Block(number, read_hash(answer.get("hash")), read_hash(answer.get("parentHash")), time, bloom)
