"""Finds wallets' own calls of bridges, which have no event of ours, by reading blocks.

A bridge that a contract cannot call is called by the wallet with exactly the transaction that was handed out. While
such a transaction may be mined on a chain, and only then, blocks are looked through, behind the chain's events and at a
pace of their own: a node that refuses whole blocks, or is slow with them, holds up nothing else. Only blocks in which
one of the wallets in question sent something are read, where the node tells by their nonces.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.endpoint import Use
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking import store
from rhumbline.tracking.amounts import ListedAt, unlisted
from rhumbline.tracking.evm import positions
from rhumbline.tracking.evm.block_scan import Sent, match, read_sent, succeeded
from rhumbline.tracking.evm.blocks import Block, read_block
from rhumbline.tracking.evm.nonces import blocks_with
from rhumbline.tracking.evm.positions import Checkpoint
from rhumbline.tracking.issued_transactions import (
    EARLIEST,
    Window,
    oldest_wallet_call,
    wallet_call_senders,
    wallet_calls,
)
from rhumbline.tracking.transfers import ScanPages, WalletCall, wallet_call_record

WIDEST = 1000
"""How many blocks are searched at once, as long as nonces show which of them matter."""
BLOCKS_AT_ONCE = 20
"""Of whole blocks."""
SENDERS_AT_ONCE = 20
"""For more wallets, reading all blocks is cheaper than reading their nonces."""
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True, eq=False)
class WalletCalls:
    """Searches one chain's blocks. It remembers only the size of a piece."""

    chain: Chain
    rpc: EvmRpc
    engine: AsyncEngine
    clock: Clock
    pages: ScanPages
    listed_at: ListedAt = unlisted
    fence: Fence = unfenced
    _span: int = field(default=WIDEST, init=False)

    async def step(self) -> bool:
        """Search one piece of what the chain's events were read of. Return whether more is waiting.

        Raise NodeUnavailable, RpcError or a database error; nothing is half done then.
        """
        async with self.engine.connect() as connection:
            position = await positions.read_position(connection, self.chain.id)
            start = await positions.read_wallet_call_position(connection, self.chain.id)
            if start is None:
                start = await positions.first_checkpoint(connection, self.chain.id)
        if position is None or position.last is None or start is None or position.last.number < start:
            return False
        top = position.last
        first = await self._next(max(start, 1), top)
        if first is None:
            await self._move(start, top.number + 1, top, ())
            return False
        try:
            calls, until = await self._look(first, min(first.number + self._span - 1, top.number), top)
        except (RpcError, NodeUnavailable) as error:
            if self._span == 1:
                raise
            self._span = max(min(self._span, BLOCKS_AT_ONCE * 2) // 2, 1)
            _log.info("fewer blocks at once", chain=self.chain.key, blocks=self._span, reason=str(error))
            return True
        self._span = min(self._span + self._span // 4 + 1, WIDEST)
        await self._move(start, until + 1, top, calls)
        return until < top.number

    async def _next(self, start: int, top: Checkpoint) -> Block | None:
        """Return the first block, from ``start`` on, that may have a call; None if there is none up to ``top``."""
        async with self.engine.connect() as connection:
            below = await positions.read_checkpoints(connection, self.chain.id, highest=start, limit=1)
            since = below[0].time if below else _LONG_AGO
            oldest = await oldest_wallet_call(connection, Window(self.chain.id, since, top.time))
        if oldest is None:
            # Mostly no wallet calls a bridge itself; then the node is not asked at all.
            return None
        first = await read_block(self.rpc, min(start, top.number))
        low, high = first.number, top.number
        while first.time < oldest - EARLIEST and low < high:
            middle = (low + high) // 2
            block = await read_block(self.rpc, middle)
            if block.time < oldest - EARLIEST:
                low = middle + 1
            else:
                high = middle
            if low == high:
                first = await read_block(self.rpc, low)
        return first

    async def _look(self, first: Block, last: int, top: Checkpoint) -> tuple[Sequence[WalletCall], int]:
        """Return the calls from ``first`` on, and up to which block that is; at most up to ``last``.

        Raise NodeUnavailable or RpcError when not all of it could be read, or is not of one branch with ``top``.
        """
        window = Window(self.chain.id, first.time, (await read_block(self.rpc, last)).time)
        async with self.engine.connect() as connection:
            senders = await wallet_call_senders(connection, window, SENDERS_AT_ONCE + 1)
        if not senders:
            return (), last
        numbers, until = await self._numbers(senders, first.number, last, top)
        found: list[WalletCall] = []
        used: set[str] = set()
        for start in range(0, len(numbers), BLOCKS_AT_ONCE):
            for block, sent in await read_sent(self.rpc, numbers[start : start + BLOCKS_AT_ONCE], top):
                found += await self._matching(block, sent, window, used)
        return await succeeded(self.rpc, found), until

    async def _numbers(
        self, senders: frozenset[str], first: int, last: int, top: Checkpoint
    ) -> tuple[Sequence[int], int]:
        """Return which blocks must be read, and up to which block there are no others."""
        if len(senders) <= SENDERS_AT_ONCE:
            try:
                return sorted(await blocks_with(self.rpc.of(Use.ARCHIVE), senders, first, last, top)), last
            except RpcError as error:
                _log.debug("nonces not told", chain=self.chain.key, reason=str(error))
        last = min(last, first + BLOCKS_AT_ONCE - 1)
        return range(first, last + 1), last

    async def _matching(self, block: Block, sent: Sequence[Sent], window: Window, used: set[str]) -> list[WalletCall]:
        async with self.engine.connect() as connection:
            candidates = await wallet_calls(connection, window, (item.sender for item in sent))
            used |= await store.used_ids(connection, (each.transaction_id for each in candidates))
        found = []
        for item in sent if candidates else ():
            issued = match(item, candidates, used, block.time)
            if issued is not None:
                used.add(issued.transaction_id)
                found.append(WalletCall(issued, item.hash, block.number, block.hash, block.time))
        return found

    async def _move(self, start: int, next_block: int, top: Checkpoint, calls: Sequence[WalletCall]) -> None:
        """Write what was found, unless a reorganisation or another worker came in between."""
        now = self.clock()
        records = [wallet_call_record(call, self.pages, now, self.listed_at) for call in calls]
        async with self.engine.begin() as connection:
            await self.fence(connection)
            await positions.read_position(connection, self.chain.id, lock=True)
            position = await positions.read_wallet_call_position(connection, self.chain.id)
            if position not in (None, start) or not await positions.has_checkpoint(connection, self.chain.id, top):
                return
            await store.add_records(connection, records)
            await positions.move_wallet_calls(connection, self.chain.id, next_block)
        if records:
            _log.info("calls of wallets seen", chain=self.chain.key, count=len(records))
