"""Delivers events to endpoints: one process at a time, which holds the lease; whoever takes it over goes on.

Each event of a transaction is delivered after the one before was taken, or given up. A receiver has ten seconds and
four deliveries at once, an integrator eight, so one that hangs holds up nobody else.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from rhumbline.domain.clock import Clock
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.record_event import RecordEvent
from rhumbline.domain.webhook import TEST, Attempt
from rhumbline.gateways.http.receiver import NotAnswered, Receivers
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS
from rhumbline.gateways.postgres.leases import LeaseLost, Leases
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.leadership import WEBHOOKS
from rhumbline.tracking.loops import bell_of, doubted, keep_on, longest_rest_s, ringing
from rhumbline.tracking.topics import EVENTS
from rhumbline.tracking.webhooks.queue import AT_ONCE, MOST_ATTEMPTS, DeliveryQueue, DueDelivery, pause_s
from rhumbline.tracking.webhooks.signature import signed

AT_ONCE_OF_INTEGRATOR, AT_ONCE_IN_ALL = 8, 200
_LOOK_FOR_LEAD_S = 1.0
_AGAIN_S = 1.0
_LEAST_REST_S = 0.1
"""What is due and has no room waits for one that is under way, whose end rings."""
_TIDY_EVERY_S = 3600.0
Render = Callable[[RecordEvent], bytes]
"""Writes what is sent of an event whose record is there."""
_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Dispatcher:
    """Delivers while its process has the lease. ``clock`` is the store's; attempts are counted by ``metrics``."""

    queue: DeliveryQueue
    receivers: Receivers
    render: Render
    clock: Clock
    metrics: Metrics = field(default_factory=NoMetrics)
    _flying: dict[int, DueDelivery] = field(default_factory=dict, init=False)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set, init=False)
    _tidied_at: float | None = field(default=None, init=False)

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set; what is under way then is delivered again by whoever goes on."""
        bell = bell_of(notices, lambda topic: topic == EVENTS)

        async def work() -> float:
            if not await leases.take(WEBHOOKS):
                return _LOOK_FOR_LEAD_S
            rest_s = await self._step(bell, longest_rest_s(notices, _AGAIN_S))
            leases.vouch(WEBHOOKS, rest_s)
            return rest_s

        try:
            await keep_on(doubted(leases, WEBHOOKS, work), stop, ringing(bell), "webhooks not delivered")
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _step(self, bell: asyncio.Event, longest_s: float) -> float:
        while not (fill_s := await self.queue.fill()):
            pass
        for delivery in await self.queue.due(self._flying):
            if self._has_room(delivery):
                self._start(delivery, bell)
        await self._tidy()
        left_s = await self.queue.due_in_s(self._flying)
        return min(max(left_s, _LEAST_REST_S), fill_s, longest_s)

    def _has_room(self, delivery: DueDelivery) -> bool:
        owners = Counter(each.integrator for each in self._flying.values())
        endpoints = Counter(each.webhook for each in self._flying.values())
        return (
            len(self._flying) < AT_ONCE_IN_ALL
            and owners[delivery.integrator] < AT_ONCE_OF_INTEGRATOR
            and endpoints[delivery.webhook] < (1 if delivery.is_failing else AT_ONCE)
        )

    def _start(self, delivery: DueDelivery, bell: asyncio.Event) -> None:
        self._flying[delivery.id] = delivery

        def over(task: "asyncio.Task[None]") -> None:
            self._tasks.discard(task)
            self._flying.pop(delivery.id, None)
            bell.set()

        task = asyncio.create_task(self._deliver(delivery), name=f"webhook-{delivery.id}")
        self._tasks.add(task)
        task.add_done_callback(over)

    async def _deliver(self, delivery: DueDelivery) -> None:
        # Where a result cannot be written, whoever goes on delivers once more.
        with suppress(LeaseLost, *DATABASE_ERRORS):
            body = await self._body(delivery)
            if body is None:
                await self.queue.skip(delivery, Attempt(self.clock(), None, "withdrawn since", 0))
                self.metrics.pushed("skipped")
                return
            attempt = await self._attempt(delivery, body)
            if attempt.status is not None and 200 <= attempt.status < 300:
                await self.queue.succeed(delivery, attempt)
                self.metrics.pushed("delivered")
                return
            reason = await self.queue.fail(delivery, attempt, pause_s(delivery.attempts + 1))
            is_over = delivery.attempts + 1 >= MOST_ATTEMPTS or attempt.status == 410
            self.metrics.pushed("given_up" if is_over else "not_taken")
            about = {"webhook": delivery.webhook, "integrator": delivery.integrator}
            if reason is not None:
                remedy = "its owner switches it on again once it works"
                _log.warning("webhook switched off", **about, reason=reason, remedy=remedy)
            else:
                _log.info("webhook not taken", **about, status=attempt.status, error=attempt.error)

    async def _body(self, delivery: DueDelivery) -> bytes | None:
        if delivery.number is None:
            at = delivery.created_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            return json.dumps({"type": TEST, "timestamp": at, "data": {"webhook": delivery.webhook}}).encode()
        event = await self.queue.event(delivery.number)
        if event is None or event.record is None or event.record.integrator != delivery.integrator:
            return None
        return self.render(event)

    async def _attempt(self, delivery: DueDelivery, body: bytes) -> Attempt:
        at, began = self.clock(), time.monotonic()
        signature = signed(delivery.message, int(at.timestamp()), body, delivery.secrets)
        status, error = None, None
        try:
            status = await self.receivers.post(delivery.url, signature, body)
        except NotAnswered as failure:
            error = str(failure)
        return Attempt(at, status, error, round(1000 * (time.monotonic() - began)))

    async def _tidy(self) -> None:
        if self._tidied_at is None or time.monotonic() - self._tidied_at > _TIDY_EVERY_S:
            while await self.queue.forget():
                pass
            self._tidied_at = time.monotonic()
