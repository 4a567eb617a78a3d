"""Deletes events that are older than they are kept, by one process at a time."""

import asyncio
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.loops import LONGEST_REST_S, doubted, keep_on, no_bell
from rhumbline.tracking.record_events.store import forget

EVENTS = "events"
"""The lease for deleting old events."""
_TIDY_EVERY_S = 3600.0


@dataclass(frozen=True, slots=True)
class EventRetention:
    """Looks every hour, by the store's clock."""

    engine: AsyncEngine

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set."""

        async def tidy() -> float:
            if not await leases.take(EVENTS):
                return LONGEST_REST_S
            rest_s = 0.0 if await forget(self.engine, leases.fence(EVENTS)) else _TIDY_EVERY_S
            leases.vouch(EVENTS, rest_s)
            return rest_s

        await keep_on(doubted(leases, EVENTS, tidy), stop, no_bell, "events not forgotten")
