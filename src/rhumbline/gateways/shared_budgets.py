"""Budgets and rests that several processes share; while their store is gone each process goes by its own."""

from collections.abc import Callable
from time import monotonic
from typing import Protocol

import structlog

from rhumbline.domain.rate import CountersUnavailable
from rhumbline.gateways.call_budgets import Spending, Turn

PAUSE_S = 1.0


class BudgetStore(Protocol):
    """Keeps budgets for several processes, each spending atomically; raises CountersUnavailable."""

    async def spend(self, key: str, spending: Spending, /) -> Turn:
        """Take a turn or a call of the upstream ``key``, or note its rest."""
        ...


class SharedBudgets:
    """A store that may be gone: it is asked again once a second, and its absence is logged once."""

    __slots__ = ("_lost", "_now", "_retry_at", "_store")

    def __init__(self, store: BudgetStore, now: Callable[[], float] = monotonic) -> None:
        """Ask ``store``; ``now`` (seconds) tells when to ask it again after a failure."""
        self._store = store
        self._now = now
        self._lost = False
        self._retry_at = 0.0

    async def spend(self, key: str, spending: Spending) -> Turn | None:
        """Return the store's answer; None while it is gone."""
        if self._lost:
            if self._now() < self._retry_at:
                return None
            # One call tries; those that come meanwhile do not wait for it.
            self._retry_at = self._now() + PAUSE_S
        try:
            turn = await self._store.spend(key, spending)
        except CountersUnavailable as error:
            if not self._lost:
                structlog.get_logger().warning("budgets of upstreams are kept in this process", reason=str(error))
            self._lost = True
            self._retry_at = self._now() + PAUSE_S
            return None
        if self._lost:
            self._lost = False
            structlog.get_logger().info("budgets of upstreams are shared again")
        return turn
