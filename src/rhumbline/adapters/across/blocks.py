"""Finds events in a bounded stretch of a chain: times to block numbers first, then page by page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rhumbline.adapters.across.logs import Log, read_logs
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity

T = TypeVar("T")

PROBES = 31
"""How many blocks are read per request while searching for a time."""
FIRST_LEAP, LEAPS_GROW = 256, 16
"""How many blocks back the search for a time begins, and the growth factor of its steps."""
FIRST_PAGE = 256
LARGEST_PAGE = 8192
SMALLEST_PAGE = 8
MOST_PAGES = 48
"""The most log requests in one search; later events are not found."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block's number and its time in Unix seconds."""

    number: int
    time: int


async def read_block(rpc: EvmRpc, number: int | str) -> Block:
    """Read a block by number or name; raise NodeUnavailable when the node does not have it."""
    try:
        return _block(await rpc.call("eth_getBlockByNumber", [_name(number), False]))
    except RpcError as error:
        raise NodeUnavailable(f"{rpc.name}: the node refuses to give a block") from error


async def confirmed_head(rpc: EvmRpc, confirmations: int) -> Block:
    """Return the newest block that has ``confirmations`` blocks above it; raise NodeUnavailable."""
    head = await read_block(rpc, "latest")
    return await read_block(rpc, max(0, head.number - confirmations)) if confirmations else head


async def first_block_at(rpc: EvmRpc, time: int, head: Block) -> int:
    """Return the number of the first block whose time is ``time`` or later, ``head``'s if there is none before it.

    The block is recent, and nodes may have dropped old blocks, so the search leaps back before it bisects. Raise
    NodeUnavailable.
    """
    low, high, leap = 0, head.number, FIRST_LEAP
    while leap < head.number:
        block = await read_block(rpc, head.number - leap)
        if block.time < time:
            low = block.number + 1
            break
        high, leap = block.number, leap * LEAPS_GROW
    while low < high:
        places = sorted({low + (high - low) * step // (PROBES + 1) for step in range(PROBES + 1)})
        answers = await rpc.batch([("eth_getBlockByNumber", [_name(place), False]) for place in places])
        for answer in answers:
            if isinstance(answer, RpcError):
                raise NodeUnavailable(f"{rpc.name}: the node refuses to give a block") from answer
        earlier = [block.number for block in map(_block, answers) if block.time < time]
        low, high = _between(places, earlier, low, high)
    return low


def _between(places: Sequence[int], earlier: Sequence[int], low: int, high: int) -> tuple[int, int]:
    """Narrow the range: the block is after the last that is too early, and at most the first that is late enough."""
    last = max(earlier, default=None)
    late = [place for place in places if last is None or place > last]
    return (low if last is None else last + 1), (late[0] if late else high)


async def find_log(
    rpc: EvmRpc,
    address: str,
    topics: Sequence[str | None],
    first: int,
    last: int,
    read: Callable[[Log], T | None],
) -> T | None:
    """Return what ``read`` makes of the first matching log from block ``first`` on; None if there is none.

    The pages grow while nothing is found and shrink when the node refuses one. The search ends at ``last``, or after
    ``MOST_PAGES`` requests. Raise NodeUnavailable.
    """
    size, begin = FIRST_PAGE, first
    for _ in range(MOST_PAGES):
        if begin > last:
            return None
        end = min(last, begin + size - 1)
        query = {"address": address, "topics": list(topics), "fromBlock": _name(begin), "toBlock": _name(end)}
        try:
            logs = read_logs(await rpc.call("eth_getLogs", [query]))
        except RpcError:
            if size <= SMALLEST_PAGE:
                return None
            size = max(SMALLEST_PAGE, size // 4)
            continue
        # A node that answers for other contracts than it was asked for proves nothing.
        for log in logs:
            if log.address == address and (found := read(log)) is not None:
                return found
        begin, size = end + 1, min(LARGEST_PAGE, size * 2)
    return None


def _name(number: int | str) -> str:
    return hex(number) if isinstance(number, int) else number


def _block(answer: object) -> Block:
    if not isinstance(answer, dict):
        raise NodeUnavailable("the node does not have a block that it should have")
    return Block(quantity(answer.get("number")), quantity(answer.get("timestamp")))
