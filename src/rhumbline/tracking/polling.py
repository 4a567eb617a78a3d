"""Asking the bridges how transfers stand: due ones are claimed, asked about, and what was said is kept as evidence.

A claim is a later time to ask again, written in the moment of claiming: several workers never ask about the same
transfer at once, and one that dies leaves its claims to run out. Each bridge is asked in a lane of its own, about few
transfers at a time, when its host has a turn for such questions (`gateways/upstream_guard.py`).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

import structlog
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.adapter import Bridge
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable, UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.call_budgets import Purpose, Spared
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, unavailable
from rhumbline.gateways.upstream_calls import UpstreamCall
from rhumbline.tracking.evm.deliveries import Arrivals
from rhumbline.tracking.evm.deposits import Deposits, read
from rhumbline.tracking.proofs import names_of
from rhumbline.tracking.settling import Record, Settling
from rhumbline.tracking.store import transactions
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

    ``batch`` transfers of a bridge are claimed at a time, of which it is asked about ``at_once``.
    """

    first_pause_s: float = 5.0
    batch: int = 20
    at_once: int = 4


class BridgePoller:
    """Asks about all transfers that are due, whatever their chains; each bridge has a lane of its own."""

    __slots__ = ("_arrivals", "_bridges", "_clock", "_deposits", "_engine", "_metrics", "_places", "_settings",
                 "_settling", "_writers")  # fmt: skip

    def __init__(
        self,
        bridges: Mapping[str, Bridge[Any]],
        engine: AsyncEngine,
        arrivals: Arrivals,
        clock: Clock,
        settings: PollingSettings | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """``bridges`` are those that can be asked, by adapter key; ``arrivals`` reads what a destination tells."""
        self._bridges = bridges
        self._engine = engine
        self._arrivals = arrivals
        self._clock = clock
        self._settings = settings or PollingSettings()
        self._metrics: Metrics = metrics or NoMetrics()
        self._places = {key: asyncio.Semaphore(self._settings.at_once) for key in bridges}
        # Lanes share the store's few connections with everybody else.
        self._writers = asyncio.Semaphore(_WRITERS)
        first_pause = timedelta(seconds=self._settings.first_pause_s)
        self._settling = Settling(engine, clock, first_pause, self._writers)
        self._deposits = Deposits(arrivals.chains, arrivals.rpcs)

    @property
    def lanes(self) -> tuple[str, ...]:
        """The keys of the bridges, and an empty one for transfers of bridges that are not configured any more."""
        return (*self._bridges, _GONE)

    async def poll(self, lane: str) -> bool:
        """Ask about the transfers of a lane that are due, at most a batch. Tell whether there may be more.

        Raise a database error only, and after all were asked about.
        """
        rows = await self._claim(lane)
        ends = await asyncio.gather(*(self._check(row) for row in rows), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end
        return len(rows) == self._settings.batch

    async def due_in_s(self, lane: str) -> float:
        """Return the seconds until the next transfer of a lane is due: 0 when one is, infinity when there is none."""
        row = transactions.c
        query = (
            select(row.next_bridge_check_at)
            .where(row.next_bridge_check_at.is_not(None), row.transfer.is_not(None), self._own(lane))
            .order_by(row.next_bridge_check_at)
            .limit(1)
        )
        async with self._engine.connect() as connection:
            due = (await connection.execute(query)).scalar_one_or_none()
        return float("inf") if due is None else max((due - self._clock()).total_seconds(), 0.0)

    def concerns(self, lane: str, topic: str) -> bool:
        """Tell whether a notice is of transfers in this lane."""
        adapter = adapter_of(topic)
        return adapter is not None and (adapter == lane or (lane == _GONE and adapter not in self._bridges))

    def _own(self, lane: str) -> ColumnElement[bool]:
        protocol = transactions.c.protocol
        return protocol.not_in(list(self._bridges)) if lane == _GONE else protocol == lane

    async def _claim(self, lane: str) -> Sequence[Record]:
        now, row = self._clock(), transactions.c
        due = (
            select(row.id)
            .where(row.next_bridge_check_at <= now, row.transfer.is_not(None), self._own(lane))
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
            return [dict(row) for row in (await connection.execute(claimed)).mappings()]

    async def _check(self, row: Record) -> None:
        """Ask about one transfer. Whatever is odd about it is its own affair; only the store's failures are raised."""
        try:
            await self._asked(row)
        except Exception as error:
            if isinstance(error, DATABASE_ERRORS) and unavailable(error):
                raise
            _log.exception("transfer not followed", record=row["id"], tx=row["source_tx_hash"])
            await self._settling.put_off(row, "failed unexpectedly")

    async def _asked(self, row: Record) -> None:
        transfer = transfer_of(row)
        bridge = self._bridges.get(transfer.adapter)
        if bridge is None:
            await self._settling.put_off(row, "is not configured any more")
            return
        if not await self._is_deposited(row, transfer):
            return
        async with self._places[transfer.adapter]:
            left_s = (row["next_bridge_check_at"] - _LEFT_OF_CLAIM - self._clock()).total_seconds()
            call = UpstreamCall(Purpose.STATUS, max(left_s, 0.0))
            if left_s < 0:
                # It waited for its turn for too long: whoever claims it next will ask.
                return
            started = asyncio.get_running_loop().time()
            outcome, status, retry_after_s = await self._ask(bridge, row, call)
            if status is None and call.spared is Spared.USED_UP:
                # The same: its host had no turn for it while the claim held.
                return
            seconds = asyncio.get_running_loop().time() - started - call.waited_s
            self._metrics.called(transfer.adapter, "status", outcome, seconds)
        line = {"adapter": transfer.adapter, "call": "status", "outcome": outcome, "ms": round(seconds * 1000)}
        _log.debug("adapter_called", **line, tx=transfer.tx_hash)
        if status is None:
            rest = timedelta(seconds=max(retry_after_s, self._settings.first_pause_s))
            await self._settling.put_off(row, outcome, None if call.spared is None else self._clock() + rest)
        else:
            vendor = bridge.info.vendor or transfer.adapter
            names = names_of(vendor, transfer, status)
            await self._settling.settle(row, status, await self._arrivals.read(transfer, status), names)

    async def _is_deposited(self, row: Record, transfer: Transfer) -> bool:
        """Tell whether the bridge took what the record claims; looked for once, and later where no node tells now."""
        kept = row["transfer"].get("deposit")
        if kept is None:
            return True
        there = await self._deposits.is_there(transfer, read(kept), row["source_block_hash"])
        if there is None:
            await self._settling.put_off(row, "cannot be looked up on its chain", self._clock())
        elif there:
            await self._settling.believe(row)
        else:
            await self._settling.disown(row)
        return there is True

    async def _ask(
        self, bridge: Bridge[Any], row: Record, call: UpstreamCall
    ) -> tuple[str, TransferStatus | None, float]:
        """Return how the call ended, what was said, and after how many seconds the bridge may be asked again."""
        transfer = transfer_of(row)
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
