"""Asking the bridges how transfers stand: due ones are claimed, asked about, and what was said is kept as evidence.

A claim is a later time to ask again, written in the moment of claiming: several workers never ask about the same
transfer at once, and one that dies leaves its claims to run out. Each bridge has a queue of its own, is asked about few
transfers at a time, and not before the end of the rest that it asked for.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.adapter import Bridge
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable, UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.tracking import TransactionRecord, TransferTerms
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, unavailable
from rhumbline.tracking.chain_types import Deposits
from rhumbline.tracking.deliveries import Deliveries
from rhumbline.tracking.proofs import names_of
from rhumbline.tracking.settling import Settling
from rhumbline.tracking.store import read_records, transactions
from rhumbline.tracking.topics import adapter_of
from rhumbline.tracking.transfers import transfer_of

_CLAIM = timedelta(seconds=120)
_CALL_TIMEOUT_S = 20.0
_LEFT_OF_CLAIM = timedelta(seconds=60)
"""What must be left of a claim when its transfer is asked about, so that it is written before somebody else asks."""
_WRITERS = 3
_GONE = ""

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PollingSettings:
    """``first_pause_s`` between two questions about a young transfer; it grows with the age to two minutes.

    ``batch`` transfers of a bridge are claimed at a time, of which it is asked about ``at_once``, and about
    ``per_second`` of its key at the most, where that is given.
    """

    first_pause_s: float = 5.0
    batch: int = 20
    at_once: int = 4
    per_second: Mapping[str, float] = field(default_factory=dict)


class StatusWorker:
    """Asks about all transfers that are due, whatever their chains; each bridge has a queue of its own."""

    __slots__ = ("_bridges", "_clock", "_deliveries", "_deposits", "_engine", "_metrics", "_next", "_places", "_rests",
                 "_settings", "_settling", "_writers")  # fmt: skip

    def __init__(
        self,
        bridges: Mapping[str, Bridge[Any]],
        engine: AsyncEngine,
        deliveries: Deliveries,
        deposits: Mapping[ChainType, Deposits],
        clock: Clock,
        settings: PollingSettings | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """``bridges`` are those that can be asked, by adapter key; ``deliveries`` reads what a destination tells.

        ``deposits`` looks by chain type what a bridge took on an origin.
        """
        self._bridges = bridges
        self._engine = engine
        self._deliveries = deliveries
        self._clock = clock
        self._settings = settings or PollingSettings()
        self._metrics: Metrics = metrics or NoMetrics()
        self._places = {key: asyncio.Semaphore(self._settings.at_once) for key in bridges}
        # Queues share the store's few connections with everybody else.
        self._writers = asyncio.Semaphore(_WRITERS)
        first_pause = timedelta(seconds=self._settings.first_pause_s)
        self._settling = Settling(engine, clock, first_pause, self._writers)
        self._deposits = deposits
        self._next: dict[str, float] = {}
        self._rests: dict[str, datetime] = {}

    @property
    def queues(self) -> tuple[str, ...]:
        """The keys of the bridges, and an empty one for transfers of bridges that are not configured any more."""
        return (*self._bridges, _GONE)

    async def poll(self, queue: str) -> bool:
        """Ask about the transfers of a queue that are due, at most a batch. Tell whether there may be more.

        Raise a database error only, and after all were asked about.
        """
        records = await self._claim(queue)
        ends = await asyncio.gather(*(self._check(record) for record in records), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end
        return len(records) == self._settings.batch

    async def due_in_s(self, queue: str) -> float:
        """Return the seconds until the next transfer of a queue is due: 0 when one is, infinity when there is none."""
        row = transactions.c
        query = (
            select(row.next_bridge_check_at)
            .where(row.next_bridge_check_at.is_not(None), row.terms.is_not(None), self._own(queue))
            .order_by(row.next_bridge_check_at)
            .limit(1)
        )
        async with self._engine.connect() as connection:
            due = (await connection.execute(query)).scalar_one_or_none()
        return float("inf") if due is None else max((due - self._clock()).total_seconds(), 0.0)

    def concerns(self, queue: str, topic: str) -> bool:
        """Tell whether a notice is of transfers in this queue."""
        adapter = adapter_of(topic)
        return adapter is not None and (adapter == queue or (queue == _GONE and adapter not in self._bridges))

    def _own(self, queue: str) -> ColumnElement[bool]:
        protocol = transactions.c.protocol
        return protocol.not_in(list(self._bridges)) if queue == _GONE else protocol == queue

    async def _claim(self, queue: str) -> Sequence[TransactionRecord]:
        now, row = self._clock(), transactions.c
        due = (
            select(row.id)
            .where(row.next_bridge_check_at <= now, row.terms.is_not(None), self._own(queue))
            .order_by(row.next_bridge_check_at)
            .limit(self._settings.batch)
            .with_for_update(skip_locked=True)
        )
        claimed = (
            update(transactions)
            .where(row.id.in_(due.scalar_subquery()))
            .values(next_bridge_check_at=now + _CLAIM)
            .returning(transactions)
        )
        async with self._writers, self._engine.begin() as connection:
            return await read_records(connection, claimed)

    async def _check(self, record: TransactionRecord) -> None:
        """Ask about one transfer. Whatever is odd about it is its own affair; only the store's failures are raised."""
        try:
            await self._asked(record)
        except Exception as error:
            if isinstance(error, DATABASE_ERRORS) and unavailable(error):
                raise
            _log.exception("transfer not followed", record=record.id, tx=record.origin_tx_hash)
            await self._settling.put_off(record, "failed unexpectedly")

    async def _asked(self, record: TransactionRecord) -> None:
        transfer = transfer_of(record)
        bridge = self._bridges.get(transfer.adapter)
        if bridge is None:
            await self._settling.put_off(record, "is not configured any more")
            return
        if not await self._is_deposited(record, transfer):
            return
        async with self._places[transfer.adapter]:
            await self._pace(transfer.adapter)
            now, rest = self._clock(), self._rests.get(transfer.adapter)
            if record.next_bridge_check_at is None or now > record.next_bridge_check_at - _LEFT_OF_CLAIM:
                # It waited for its turn for too long: whoever claims it next will ask.
                return
            if rest is not None and now < rest:
                await self._settling.put_off(record, "wants to be left alone for a while", rest)
                return
            started = asyncio.get_running_loop().time()
            outcome, status = await self._ask(bridge, transfer)
            seconds = asyncio.get_running_loop().time() - started
            self._metrics.called(transfer.adapter, "status", outcome, seconds)
        line = {"adapter": transfer.adapter, "call": "status", "outcome": outcome, "ms": round(seconds * 1000)}
        _log.debug("adapter_called", **line, tx=transfer.tx_hash)
        if status is None:
            await self._settling.put_off(record, outcome)
        else:
            vendor = bridge.info.vendor or transfer.adapter
            names = names_of(vendor, transfer, status)
            await self._settling.settle(record, status, await self._deliveries.read(transfer, status), names)

    async def _is_deposited(self, record: TransactionRecord, transfer: Transfer) -> bool:
        """Tell whether the bridge took what the record claims; looked for once, and later where no node tells now."""
        terms = record.terms
        if not isinstance(terms, TransferTerms) or terms.deposit is None:
            return True
        origin = self._deliveries.chains.by_id(transfer.origin_chain_id)
        deposits = None if origin is None else self._deposits.get(origin.type)
        there = None
        if deposits is not None:
            there = await deposits.is_there(transfer, terms.deposit, record.origin_block_hash)
        if there is None:
            await self._settling.put_off(record, "cannot be looked up on its chain", self._clock())
        elif there:
            await self._settling.believe(record, terms)
        else:
            await self._settling.disown(record)
        return there is True

    async def _pace(self, adapter: str) -> None:
        """Wait for this bridge's next turn."""
        rate = self._settings.per_second.get(adapter)
        if rate is None:
            return
        now = asyncio.get_running_loop().time()
        turn = max(now, self._next.get(adapter, now))
        self._next[adapter] = turn + 1 / rate
        await asyncio.sleep(turn - now)

    async def _ask(self, bridge: Bridge[Any], transfer: Transfer) -> tuple[str, TransferStatus | None]:
        try:
            async with asyncio.timeout(_CALL_TIMEOUT_S):
                return "answered", await bridge.status(transfer)
        except AdapterError as error:
            if isinstance(error, UpstreamFailed) and error.retry_after_s:
                self._rests[transfer.adapter] = self._clock() + timedelta(seconds=error.retry_after_s)
            _log.info("bridge not asked", adapter=transfer.adapter, tx=transfer.tx_hash, reason=error.reason)
            return error.kind, None
        except (NodeRefused, NodeUnavailable) as error:
            _log.info("bridge not asked", adapter=transfer.adapter, tx=transfer.tx_hash, reason=str(error))
            return UpstreamFailed.kind, None
        except TimeoutError:
            return "late", None
        except Exception:
            _log.exception("bridge broke", adapter=transfer.adapter, tx=transfer.tx_hash)
            return "failed", None
