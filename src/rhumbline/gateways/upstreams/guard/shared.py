"""Budgets and pauses that several processes share; while Redis is down each process uses its own."""

from collections.abc import Callable
from time import monotonic
from typing import Protocol

import structlog

from rhumbline.domain.rate import CountersUnavailable
from rhumbline.gateways.upstreams.guard.budget import Spending, Turn

PAUSE_S = 1.0


class BudgetStore(Protocol):
    """Keeps budgets for several processes, each spending atomically; raises CountersUnavailable."""

    async def spend(self, key: str, spending: Spending, /) -> Turn: ...


class SharedBudgets:
    """A shared store that may be down: it is tried once a second, and its failure is logged once."""

    def __init__(self, store: BudgetStore, now: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._now = now
        self._retry_at: float | None = None

    async def spend(self, key: str, spending: Spending) -> Turn | None:
        """Return the store's answer; None while it is unavailable."""
        if self._retry_at is not None:
            if self._now() < self._retry_at:
                return None
            # One call tries; those that come meanwhile do not wait for it.
            self._retry_at = self._now() + PAUSE_S
        try:
            turn = await self._store.spend(key, spending)
        except CountersUnavailable as error:
            if self._retry_at is None:
                structlog.get_logger().warning("budgets of upstreams are kept in this process", reason=str(error))
            self._retry_at = self._now() + PAUSE_S
            return None
        if self._retry_at is not None:
            self._retry_at = None
            structlog.get_logger().info("budgets of upstreams are shared again")
        return turn
