"""Reads the Diamond's events of a range of blocks, with evidence that the node left out none.

Nothing in an answer of ``eth_getLogs`` tells that it is whole: a node that has no index of logs, or is behind, answers
an empty list. In a short range the headers are read in the same request; where a header's Bloom filter speaks for an
event of ours and the answer has none of that block, the block is asked for in another way. Where filters tell nothing
there is the second look.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.tracking import BridgeSighting, Sighting
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.evm.rpc import Call, EvmRpc, RpcError
from rhumbline.tracking.evm.blocks import (
    HEADERS_AT_ONCE,
    Block,
    batch_below,
    block_of,
    header_call,
    read_block,
    read_blocks,
)
from rhumbline.tracking.evm.log_bloom import may_hold
from rhumbline.tracking.evm.logs import EvmLog, decode_logs, event_topics, read_logs
from rhumbline.tracking.evm.positions import Checkpoint

SHORT = 4
"""Ranges up to this many blocks are read with all their headers: at the head, while it is polled often."""
_TOPICS = tuple(bytes.fromhex(each[2:]) for each in event_topics())
_log = structlog.stdlib.get_logger(__name__)


class RangeRefused(Exception):
    """The node refused a range of more than one block, or was late: a smaller range must be tried."""


@dataclass(frozen=True, slots=True)
class LogRange:
    """The events of a range in the chain's order, and headers: its last block's, and that of each block with an event.

    All of them are of one branch, and continue the checkpoint that was given.
    """

    logs: tuple[EvmLog, ...]
    headers: Mapping[int, Block]


@dataclass(frozen=True, slots=True)
class LogReader:
    """Reads one chain; without a Diamond only headers."""

    chain: Chain
    rpc: EvmRpc
    metrics: Metrics = field(default_factory=NoMetrics)

    async def read(self, first: int, last: int, below: Checkpoint | None) -> LogRange:
        """Read a range that was not read before and continues ``below``, where that is the block before.

        Raise RangeRefused, NodeUnavailable where the answers do not fit together, or RpcError.
        """
        parent = below if below is not None and below.number == first - 1 else None
        if self.chain.diamond is None:
            return LogRange((), {last: await read_block(self.rpc, last)})
        if last - first < SHORT:
            return await self._read_short(first, last, parent)
        return await self._read_long(first, last, parent)

    async def again(self, rpc: EvmRpc, first: int, last: int, top: Checkpoint) -> tuple[tuple[EvmLog, ...], datetime]:
        """Read the events of a range once more, from any node that has ``top``, at or above it; and its last time.

        The ``headers`` are to be read before they count. Raise as ``read`` does.
        """
        if self.chain.diamond is None:
            return (), top.time
        end = [header_call(last)] if last < top.number else []
        try:
            found, *ends = await batch_below(rpc, top, [self._logs_call(first, last), *end])
            logs, time = _read(found), block_of(rpc.name, last, ends[0]).time if ends else top.time
        except (RpcError, NodeUnavailable) as error:
            raise _refused(error, first, last) from error
        self._agree(all(first <= log.block_number <= last for log in logs), last)
        return logs, time

    async def headers(self, rpc: EvmRpc, logs: Sequence[EvmLog], top: Checkpoint) -> Mapping[int, Block]:
        """Read the headers of events that ``again`` returned; raise NodeUnavailable where they do not fit together."""
        numbers = sorted({log.block_number for log in logs})
        headers: dict[int, Block] = {}
        for start in range(0, len(numbers), HEADERS_AT_ONCE):
            part = numbers[start : start + HEADERS_AT_ONCE]
            answers = await batch_below(rpc, top, [header_call(number) for number in part])
            headers |= {n: block_of(rpc.name, n, answer) for n, answer in zip(part, answers, strict=True)}
        self._agree(all(headers[log.block_number].hash == log.block_hash for log in logs), top.number)
        return headers

    def decoded(self, logs: Sequence[EvmLog], headers: Mapping[int, Block]) -> Sequence[Sighting | BridgeSighting]:
        """Return the decoded events; unreadable ones are logged and left out."""
        if not logs or self.chain.diamond is None:
            return ()
        times = {block.hash: block.time for block in headers.values()}
        decoded = decode_logs(self.chain.id, self.chain.diamond, logs, times)
        for log in decoded.skipped:
            _log.info("event skipped", chain=self.chain.key, tx=log.tx_hash, log=log.log_index, reason=log.reason)
        return (*decoded.sightings, *decoded.bridges)

    def noted_gap(self, count: int, first: int, last: int) -> None:
        """Report that a node left out so many events."""
        self.metrics.found_gap(self.chain.key, count)
        _log.warning("events had been left out", chain=self.chain.key, count=count, first=first, last=last)

    async def _read_short(self, first: int, last: int, parent: Checkpoint | None) -> LogRange:
        """Read a range with all its headers, in one request; ask again for blocks whose filters say more."""
        numbers = range(first, last + 1)
        calls = [self._logs_call(first, last), *map(header_call, numbers)]
        with reading() as asked:
            try:
                found, *answers = await self.rpc.batch(calls)
                logs = _read(found)
                headers = {n: block_of(self.rpc.name, n, each) for n, each in zip(numbers, answers, strict=True)}
            except (RpcError, NodeUnavailable) as error:
                raise _refused(error, first, last) from error
            above = None if parent is None else parent.hash
            for block in headers.values():
                self._agree(above in (None, block.parent_hash), block.number)
                above = block.hash
            self._fits(logs, headers, first, last)
            told = {log.block_number for log in logs}
            doubted = [block for n, block in headers.items() if n not in told and self._may_hold(block)]
            if doubted:
                left_out = await self._otherwise(doubted, self.rpc.other_than(asked.names(self.rpc.name)[:1]))
                self._fits(left_out, headers, first, last)
                if left_out:
                    self.noted_gap(len(left_out), first, last)
                logs = tuple(sorted((*logs, *left_out), key=lambda log: (log.block_number, log.log_index)))
        return LogRange(logs, headers)

    async def _read_long(self, first: int, last: int, parent: Checkpoint | None) -> LogRange:
        """Read a range: its last header before and with the events, and where there are any after them, with theirs."""
        edges = await read_blocks(self.rpc, [first, last])
        self._agree(parent is None or edges[first].parent_hash == parent.hash, first)
        try:
            # The header in the same batch is of the same node: one that is behind has no events of blocks it has not.
            found, answer = await self.rpc.batch([self._logs_call(first, last), header_call(last)])
            logs, top = _read(found), block_of(self.rpc.name, last, answer)
        except (RpcError, NodeUnavailable) as error:
            raise _refused(error, first, last) from error
        numbers = {last, *(log.block_number for log in logs)}
        headers = await read_blocks(self.rpc, numbers) if logs else edges
        self._agree(edges[last].hash == top.hash == headers[last].hash, last)
        self._fits(logs, headers, first, last)
        return LogRange(logs, headers)

    async def _otherwise(self, blocks: Sequence[Block], others: EvmRpc | None) -> tuple[EvmLog, ...]:
        """Ask for the events of blocks by another endpoint, or where that fails by another method; () without either.

        Raise NodeUnavailable.
        """
        by_hash = [self._block_call(block) for block in blocks]
        if others is not None:
            try:
                return tuple(log for each in await others.batch(by_hash) for log in _read(each))
            except (RpcError, NodeUnavailable) as error:
                _log.info("another endpoint does not tell", chain=self.chain.key, reason=str(error))
        try:
            receipts = await self.rpc.batch([("eth_getBlockReceipts", [hex(block.number)]) for block in blocks])
            return tuple(log for each in receipts for log in self._of_receipts(each))
        except RpcError as error:
            _log.debug("receipts not told", chain=self.chain.key, reason=str(error))
        try:
            return tuple(log for each in await self.rpc.batch(by_hash) for log in _read(each))
        except RpcError:
            return ()

    def _of_receipts(self, answer: object) -> Sequence[EvmLog]:
        """Return our events of a block's receipts."""
        if isinstance(answer, RpcError):
            raise answer
        if not isinstance(answer, list) or not all(isinstance(each, dict) for each in answer):
            raise NodeUnavailable(f"{self.rpc.name}: the node answered a block's receipts with something else")
        logs = [log for each in answer for log in read_logs(each.get("logs"))]
        diamond = str(self.chain.diamond).lower()
        return [log for log in logs if log.address == diamond and log.topics[:1] and log.topics[0] in _TOPICS]

    def _may_hold(self, block: Block) -> bool:
        return self.chain.diamond is not None and may_hold(block.bloom, bytes.fromhex(self.chain.diamond[2:]), _TOPICS)

    def _fits(self, logs: Sequence[EvmLog], headers: Mapping[int, Block], first: int, last: int) -> None:
        for log in logs:
            self._agree(first <= log.block_number <= last and headers[log.block_number].hash == log.block_hash, last)

    def _agree(self, agrees: bool, block: int) -> None:
        if not agrees:
            raise NodeUnavailable(f"{self.chain.key}: the node's answers about block {block} contradict each other")

    def _logs_call(self, first: int, last: int) -> Call:
        return "eth_getLogs", [{**self._wanted, "fromBlock": hex(first), "toBlock": hex(last)}]

    def _block_call(self, block: Block) -> Call:
        return "eth_getLogs", [{**self._wanted, "blockHash": block.hash}]

    @property
    def _wanted(self) -> Mapping[str, object]:
        return {"address": self.chain.diamond, "topics": [list(event_topics())]}


def _read(answer: object) -> tuple[EvmLog, ...]:
    if isinstance(answer, RpcError):
        raise answer
    return read_logs(answer)


def _refused(error: Exception, first: int, last: int) -> Exception:
    """Return the error for a range that could not be read: a single block cannot be reduced further."""
    return error if first == last else RangeRefused(str(error))
