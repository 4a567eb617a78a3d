"""Asking the bridges how transfers stand: due ones are claimed, asked about, and what was said is kept as evidence.

A claim is a later time to ask again, written in the moment of claiming: several workers never ask about the same
transfer at once, and one that dies leaves its claims to run out. Each bridge has a queue of its own and is asked about
few transfers at a time, when its host has a turn for such questions (`gateways/upstreams/guard/guard.py`).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

import structlog
from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.adapter import Bridge
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable, UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.tracking import TransactionRecord, TransferTerms
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, unavailable
from rhumbline.gateways.upstreams.guard.budget import Purpose, Spared
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.tracking.chain_types import Deposits
from rhumbline.tracking.deliveries import Deliveries, Delivery
from rhumbline.tracking.proofs import names_of
from rhumbline.tracking.resolution import TERMINAL
from rhumbline.tracking.status_writer import StatusWriter
from rhumbline.tracking.store import read_records, transactions
from rhumbline.tracking.topics import adapter_of
from rhumbline.tracking.transfer_times import Route, TransferTimes
from rhumbline.tracking.transfers import transfer_of

_CLAIM = timedelta(seconds=120)
_CALL_TIMEOUT_S = 20.0
_LEFT_OF_CLAIM = timedelta(seconds=60)
"""What must be left of a claim when its transfer is asked about, so that it is written before somebody else asks."""
_CONSIDERED = 2_000
"""Of so many that are due, the longest first, the likeliest to have ended are claimed."""
_WRITERS = 3
_GONE = ""

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PollingSettings:
    """``first_pause_s`` between two questions about a young transfer; it grows with the age to two minutes.

    ``batch`` transfers of a bridge are claimed at a time, of which it is asked about ``at_once``.
    """

    first_pause_s: float = 5.0
    batch: int = 20
    at_once: int = 4


@dataclass(slots=True, eq=False)
class StatusWorker:
    """Asks about all transfers that are due, whatever their chains; each bridge has a queue of its own.

    ``bridges`` are those that can be asked, by adapter key; ``deposits`` looks at origins, by chain type.
    """

    bridges: Mapping[str, Bridge[Any]]
    engine: AsyncEngine
    deliveries: Deliveries
    deposits: Mapping[ChainType, Deposits]
    clock: Clock
    settings: PollingSettings = field(default_factory=PollingSettings)
    metrics: Metrics = field(default_factory=NoMetrics)
    # Queues share the store's few connections with everybody else.
    _writers: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_WRITERS), init=False)
    _places: Mapping[str, asyncio.Semaphore] = field(init=False)
    _times: TransferTimes = field(default_factory=TransferTimes, init=False)
    _status_writer: StatusWriter = field(init=False)

    def __post_init__(self) -> None:
        self._places = {key: asyncio.Semaphore(self.settings.at_once) for key in self.bridges}
        first_pause = timedelta(seconds=self.settings.first_pause_s)
        self._status_writer = StatusWriter(self.engine, self.clock, first_pause, self._writers)

    @property
    def queues(self) -> tuple[str, ...]:
        """The keys of the bridges, and an empty one for transfers of bridges that are not configured any more."""
        return (*self.bridges, _GONE)

    async def poll(self, queue: str) -> bool:
        """Ask about a batch of due transfers; tell whether more may be due. Raise database errors only, at the end."""
        records = await self._claim(queue)
        ends = await asyncio.gather(*(self._check(record) for record in records), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end
        return len(records) == self.settings.batch

    async def due_in_s(self, queue: str) -> float:
        """Return the seconds until the next transfer of a queue is due: 0 when one is, infinity when there is none."""
        row = transactions.c
        query = (
            select(row.next_bridge_check_at)
            .where(row.next_bridge_check_at.is_not(None), row.terms.is_not(None), self._own(queue))
            .order_by(row.next_bridge_check_at)
            .limit(1)
        )
        async with self.engine.connect() as connection:
            due = (await connection.execute(query)).scalar_one_or_none()
        return float("inf") if due is None else max((due - self.clock()).total_seconds(), 0.0)

    async def count(self) -> None:
        """Tell the metrics how many transfers wait for their end, by adapter. Raise a database error."""
        row = transactions.c
        waiting = row.next_bridge_check_at.is_not(None), row.terms.is_not(None)
        query = select(row.protocol, func.count()).where(*waiting).group_by(row.protocol)
        async with self.engine.connect() as connection:
            found = (await connection.execute(query)).all()
        known = dict.fromkeys(self.bridges, 0)
        self.metrics.awaited(known | {str(protocol): int(number) for protocol, number in found})

    def concerns(self, queue: str, topic: str) -> bool:
        adapter = adapter_of(topic)
        return adapter is not None and (adapter == queue or (queue == _GONE and adapter not in self.bridges))

    def _own(self, queue: str) -> ColumnElement[bool]:
        protocol = transactions.c.protocol
        return protocol.not_in(list(self.bridges)) if queue == _GONE else protocol == queue

    async def _claim(self, queue: str) -> Sequence[TransactionRecord]:
        now, row = self.clock(), transactions.c
        asked_about = row.protocol, row.origin_chain_id, row.destination_chain_id
        due = (
            select(row.id, row.origin_time, row.last_bridge_checked_at, *asked_about)
            .where(row.next_bridge_check_at <= now, row.terms.is_not(None), self._own(queue))
            .order_by(row.next_bridge_check_at)
            .limit(_CONSIDERED)
        )
        async with self._writers, self.engine.begin() as connection:
            found = (await connection.execute(due)).all()
            likely = {
                identifier: self._times.likelihood(Route(*route), started, asked, now)
                for identifier, started, asked, *route in found
            }
            chosen = sorted(likely, key=lambda identifier: -likely[identifier])[: self.settings.batch]
            free = select(row.id).where(row.id.in_(chosen), row.next_bridge_check_at <= now)
            claimed = (
                update(transactions)
                .where(row.id.in_(free.with_for_update(skip_locked=True).scalar_subquery()))
                .values(next_bridge_check_at=now + _CLAIM)
                .returning(transactions)
            )
            records = await read_records(connection, claimed) if chosen else []
        return sorted(records, key=lambda record: chosen.index(record.id))

    async def _check(self, record: TransactionRecord) -> None:
        """Ask about one transfer. Whatever is odd about it is its own affair; only the store's failures are raised."""
        try:
            await self._asked(record)
        except Exception as error:
            if isinstance(error, DATABASE_ERRORS) and unavailable(error):
                raise
            _log.exception("transfer not followed", record=record.id, tx=record.origin_tx_hash)
            await self._status_writer.put_off(record, "failed unexpectedly")

    async def _asked(self, record: TransactionRecord) -> None:
        transfer = transfer_of(record)
        bridge = self.bridges.get(transfer.adapter)
        if bridge is None:
            await self._status_writer.put_off(record, "is not configured any more")
            return
        if not await self._is_deposited(record, transfer):
            return
        async with self._places[transfer.adapter]:
            if record.next_bridge_check_at is None:
                return
            left_s = (record.next_bridge_check_at - _LEFT_OF_CLAIM - self.clock()).total_seconds()
            if left_s < 0:
                # It waited for its turn for too long: whoever claims it next will ask.
                return
            call = UpstreamCall(Purpose.STATUS, left_s)
            started = asyncio.get_running_loop().time()
            outcome, status, retry_after_s = await self._ask(bridge, transfer, call)
            if status is None and call.spared is Spared.USED_UP:
                # The same: its host had no turn for it while the claim held.
                return
            seconds = asyncio.get_running_loop().time() - started - call.waited_s
            self.metrics.called(transfer.adapter, "status", outcome, seconds)
        line = {"adapter": transfer.adapter, "call": "status", "outcome": outcome, "ms": round(seconds * 1000)}
        _log.debug("adapter_called", **line, tx=transfer.tx_hash)
        if status is None:
            rest = timedelta(seconds=max(retry_after_s, self.settings.first_pause_s))
            await self._status_writer.put_off(record, outcome, None if call.spared is None else self.clock() + rest)
        else:
            vendor = bridge.info.vendor or transfer.adapter
            names = names_of(vendor, transfer, status)
            delivery = await self.deliveries.read(transfer, status)
            self._learn(record, status, delivery)
            await self._status_writer.settle(record, status, delivery, names)

    def _learn(self, record: TransactionRecord, status: TransferStatus, delivery: Delivery) -> None:
        """Take in how long a transfer took, or has been under way."""
        route = Route(record.protocol, record.origin_chain_id, record.destination_chain_id)
        if delivery.time is not None:
            self._times.arrived(route, (delivery.time - record.origin_time).total_seconds())
        elif status.state not in TERMINAL:
            self._times.under_way(route, (self.clock() - record.origin_time).total_seconds())

    async def _is_deposited(self, record: TransactionRecord, transfer: Transfer) -> bool:
        """Tell whether the bridge took what the record claims; looked for once, and later where no node tells now."""
        terms = record.terms
        if not isinstance(terms, TransferTerms) or terms.deposit is None:
            return True
        origin = self.deliveries.chains.by_id(transfer.origin_chain_id)
        deposits = None if origin is None else self.deposits.get(origin.type)
        there = None
        if deposits is not None:
            there = await deposits.is_there(transfer, terms.deposit, record.origin_block_hash)
        if there is None:
            await self._status_writer.put_off(record, "cannot be looked up on its chain", self.clock())
        elif there:
            await self._status_writer.believe(record, terms)
        else:
            await self._status_writer.disown(record)
        return there is True

    async def _ask(
        self, bridge: Bridge[Any], transfer: Transfer, call: UpstreamCall
    ) -> tuple[str, TransferStatus | None, float]:
        """Return how the call ended, what was said, and after how many seconds the bridge may be asked again."""
        try:
            return "answered", await call.run(partial(bridge.status, transfer), _CALL_TIMEOUT_S), 0.0
        except AdapterError as error:
            rest_s = error.retry_after_s if isinstance(error, UpstreamFailed) else None
            _log.info("bridge not asked", adapter=transfer.adapter, tx=transfer.tx_hash, reason=error.reason)
            return error.kind, None, rest_s or 0.0
        except (NodeRefused, NodeUnavailable) as error:
            _log.info("bridge not asked", adapter=transfer.adapter, tx=transfer.tx_hash, reason=str(error))
            return UpstreamFailed.kind, None, 0.0
        except TimeoutError:
            return "late", None, 0.0
        except Exception:
            _log.exception("bridge broke", adapter=transfer.adapter, tx=transfer.tx_hash)
            return "failed", None, 0.0
