"""Polls bridges about transfers: claims due ones, asks, and stores the answers as evidence.

A claim is a later time to ask again, written in the moment of claiming: several workers never ask about the same
transfer at once. It names its process, and once that is gone, by its own lease, another one frees the claim. Each
bridge has a queue of its own and is asked about few transfers at a time, when its host has a turn for such questions
(`gateways/upstreams/guard/guard.py`).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.adapter import Bridge
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.spans import NO_SPAN, SpanKind, Tracing
from rhumbline.domain.tracking import TransactionRecord, TransferTerms
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, unavailable
from rhumbline.gateways.postgres.lease_table import has_ended
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.gateways.upstreams.guard.budget import Purpose, Spared
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.tracking.chain_types import Deposits
from rhumbline.tracking.deliveries import Deliveries, Delivery
from rhumbline.tracking.proofs import names_of
from rhumbline.tracking.raw_status import printable_word
from rhumbline.tracking.resolution import TERMINAL
from rhumbline.tracking.status_call import CALL_TIMEOUT_S, timed_status
from rhumbline.tracking.status_writer import StatusWriter
from rhumbline.tracking.store import read_records, transactions
from rhumbline.tracking.topics import adapter_of
from rhumbline.tracking.transfer_times import Route, TransferTimes
from rhumbline.tracking.transfers import transfer_of
from rhumbline.tracking.waiting_counts import waiting_transfers

_CLAIM = timedelta(seconds=120)
_LEFT_OF_CLAIM = timedelta(seconds=60)
"""The time that must be left of a claim when its bridge is asked, so that the answer is written in time."""
_CONSIDERED = 2_000
"""How many due transfers are considered, the longest due first; those most likely to have ended are claimed."""
_WRITERS = 3
_GONE = ""
_NOT_CONFIGURED = "not asked: its bridge is not configured any more"
_NOT_DEPOSITED = "not asked: no node shows that its bridge took the tokens"
_NO_TURN = "not asked: the bridge's budget is used up; try again in a minute"

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PollingSettings:
    """``first_pause_s`` is the interval between polls about a young transfer; it grows with age to two minutes.

    ``batch`` transfers of a bridge are claimed at a time, of which it is asked about ``at_once``.
    """

    first_pause_s: float = 5.0
    batch: int = 20
    at_once: int = 4


@dataclass(slots=True, eq=False)
class StatusWorker:
    """Polls all due transfers of all chains; each bridge has its own queue.

    ``bridges`` are those that can be asked, by adapter key; ``deposits`` looks at origins, by chain type. ``process``
    is the name by which this process holds leases: None where it is alone, and nobody frees its claims.
    """

    bridges: Mapping[str, Bridge[Any]]
    engine: AsyncEngine
    deliveries: Deliveries
    deposits: Mapping[ChainType, Deposits]
    clock: Clock
    settings: PollingSettings = field(default_factory=PollingSettings)
    metrics: Metrics = field(default_factory=NoMetrics)
    process: str | None = None
    tracing: Tracing | None = None
    # Queues share the store's few connections with everybody else.
    _writers: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_WRITERS), init=False)
    _places: Mapping[str, asyncio.Semaphore] = field(init=False)
    _times: TransferTimes = field(default_factory=TransferTimes, init=False)
    _status_writer: StatusWriter = field(init=False)

    def __post_init__(self) -> None:
        self._places = {key: asyncio.Semaphore(self.settings.at_once) for key in self.bridges}
        first_pause = timedelta(seconds=self.settings.first_pause_s)
        self._status_writer = StatusWriter(self.engine, self.clock, first_pause, self._writers)

    async def ask_again(self, record: TransactionRecord) -> str:
        """Ask about one transfer now, due or not; return in words how that ended. Raise a database error.

        A record that is final changes only where the evidence, with what is said now, has another result: an unknown
        one may get any status, an end gives way to a proof of a chain alone (``resolve``).
        """
        if not isinstance(record.terms, TransferTerms):
            return "not asked: no bridge is asked about it"
        if record.next_bridge_check_at is None:
            return await self._ask_about_final(record, record.terms)
        claimed = await self._status_writer.claim(record, _CLAIM)
        return "not asked: its record is gone, or final since" if claimed is None else await self._asked(claimed)

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

    async def free_ended(self) -> int:
        """Free what processes that are gone had claimed; return how many claims that were. Raise a database error."""
        freed = await self._free(has_ended(transactions.c.claimed_by))
        if freed:
            _log.warning("claims taken over", count=freed)
        return freed

    async def free_own(self) -> None:
        """Free what this process has claimed, when it asks no more. Raise a database error."""
        await self._free(transactions.c.claimed_by == self.process)

    async def _free(self, whose: ColumnElement[bool]) -> int:
        row = transactions.c
        free = select(row.id).where(row.claimed_by.is_not(None), whose).with_for_update(skip_locked=True)
        async with self.engine.begin() as connection:
            freed = update(transactions).where(row.id.in_(free.scalar_subquery()))
            done = await connection.execute(freed.values(next_bridge_check_at=self.clock(), claimed_by=None))
        return done.rowcount

    async def count(self) -> None:
        """Report the number of pending transfers to the metrics, by adapter. Raise a database error."""
        async with self.engine.connect() as connection:
            found = await waiting_transfers(connection)
        self.metrics.awaited({**dict.fromkeys(self.bridges, 0), **found})

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
            free = select(row.id).where(one_of(row.id, chosen), row.next_bridge_check_at <= now)
            claimed = (
                update(transactions)
                .where(row.id.in_(free.with_for_update(skip_locked=True).scalar_subquery()))
                .values(next_bridge_check_at=now + _CLAIM, claimed_by=self.process)
                .returning(transactions)
            )
            records = await read_records(connection, claimed) if chosen else []
        return sorted(records, key=lambda record: chosen.index(record.id))

    async def _check(self, record: TransactionRecord) -> None:
        """Ask about one transfer. Whatever is odd about it is its own affair; only the store's failures are raised."""
        try:
            kind, tracing = SpanKind.INTERNAL, self.tracing
            with NO_SPAN if tracing is None else tracing.trace(f"follow {record.protocol}", kind):
                await self._asked(record)
        except Exception as error:
            if isinstance(error, DATABASE_ERRORS) and unavailable(error):
                raise
            _log.exception("transfer not followed", record=record.id, tx=record.origin_tx_hash)
            await self._status_writer.put_off(record, "failed unexpectedly")

    async def _asked(self, record: TransactionRecord) -> str:
        transfer = transfer_of(record)
        bridge = self.bridges.get(transfer.adapter)
        if bridge is None:
            await self._status_writer.put_off(record, "is not configured any more")
            return _NOT_CONFIGURED
        if not await self._is_deposited(record, transfer):
            return _NOT_DEPOSITED
        async with self._places[transfer.adapter]:
            if record.next_bridge_check_at is None:
                return _NO_TURN
            left_s = (record.next_bridge_check_at - _LEFT_OF_CLAIM - self.clock()).total_seconds()
            if left_s < 0:
                # It waited for its turn for too long: whoever claims it next will ask.
                return _NO_TURN
            call = UpstreamCall(Purpose.STATUS, left_s)
            outcome, status, retry_after_s = await timed_status(bridge, transfer, call, self.metrics)
        if status is None and call.spared is Spared.USED_UP:
            # The same: its host had no turn for it while the claim held.
            return _NO_TURN
        if status is None:
            rest = timedelta(seconds=max(retry_after_s, self.settings.first_pause_s))
            await self._status_writer.put_off(record, outcome, None if call.spared is None else self.clock() + rest)
            return f"{transfer.adapter} did not answer: {outcome}"
        delivery = await self.deliveries.read(transfer, status)
        self._learn(record, status, delivery)
        await self._status_writer.settle(record, status, delivery, _names(bridge, transfer, status))
        return _reply_in_words(transfer, status)

    async def _ask_about_final(self, record: TransactionRecord, terms: TransferTerms) -> str:
        transfer = transfer_of(record)
        bridge = self.bridges.get(transfer.adapter)
        if bridge is None:
            return _NOT_CONFIGURED
        if terms.deposit is not None and not await self._finds_deposit(record, transfer, terms.deposit):
            return _NOT_DEPOSITED
        call = UpstreamCall(Purpose.STATUS, CALL_TIMEOUT_S)
        outcome, status, _ = await timed_status(bridge, transfer, call, self.metrics)
        if status is None:
            return _NO_TURN if call.spared is Spared.USED_UP else f"{transfer.adapter} did not answer: {outcome}"
        delivery = await self.deliveries.read(transfer, status)
        await self._status_writer.reconsider(record, status, delivery, _names(bridge, transfer, status))
        return _reply_in_words(transfer, status)

    def _learn(self, record: TransactionRecord, status: TransferStatus, delivery: Delivery) -> None:
        """Record how long a transfer took, or how long it has been pending."""
        route = Route(record.protocol, record.origin_chain_id, record.destination_chain_id)
        if delivery.time is not None:
            self._times.arrived(route, (delivery.time - record.origin_time).total_seconds())
        elif status.state not in TERMINAL:
            self._times.note_unfinished(route, (self.clock() - record.origin_time).total_seconds())

    async def _is_deposited(self, record: TransactionRecord, transfer: Transfer) -> bool:
        """Return whether the bridge took what the record claims; looked for once, and later where no node tells now."""
        terms = record.terms
        if not isinstance(terms, TransferTerms) or terms.deposit is None:
            return True
        there = await self._finds_deposit(record, transfer, terms.deposit)
        if there is None:
            await self._status_writer.put_off(record, "cannot be looked up on its chain", self.clock())
        elif there:
            await self._status_writer.note_deposit(record, terms)
        else:
            await self._status_writer.disown(record)
        return there is True

    async def _finds_deposit(
        self, record: TransactionRecord, transfer: Transfer, deposit: BridgeDeposit
    ) -> bool | None:
        """Return whether the deposit is in the transfer's transaction; None where no node tells."""
        origin = self.deliveries.chains.by_id.get(transfer.origin_chain_id)
        deposits = None if origin is None else self.deposits.get(origin.type)
        return None if deposits is None else await deposits.is_there(transfer, deposit, record.origin_block_hash)


def _names(bridge: Bridge[Any], transfer: Transfer, status: TransferStatus) -> Sequence[str]:
    return names_of(bridge.info.vendor or transfer.adapter, transfer, status)


def _reply_in_words(transfer: Transfer, status: TransferStatus) -> str:
    word = printable_word(status.substatus)
    return f"{transfer.adapter} answered: {status.state.value}{'' if word is None else f' ({word})'}"
