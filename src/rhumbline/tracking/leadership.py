"""Which process follows a chain: one lease per chain and loop. A stuck leader is replaced.

A lease is renewed while its loop makes progress, and every write of the loop is fenced by it (``gateways/postgres``).
"""

from enum import StrEnum
from time import monotonic
from typing import Protocol

from rhumbline.gateways.postgres.lease_table import PROCESS, STALLED_S
from rhumbline.gateways.postgres.leases import Leases

BUILDS = "builds"
"""The lease for deleting old issued transactions."""
WEBHOOKS = "webhooks"
"""The lease for delivering events to endpoints."""
ASK_EVERY_S = 10.0
"""How often another process asks its own node about a chain whose leader has no new head."""


def process_lease(holder: str) -> str:
    """Return the name of a process's own lease: what it has claimed is free once that is over."""
    return PROCESS + holder


class Loop(StrEnum):
    """A loop of work for a chain, done by one process."""

    EVENTS = "events"
    COMPLETION = "completion"
    WALLET_CALLS = "wallet calls"


def lease_name(chain_id: int, loop: Loop) -> str:
    return f"{chain_id} {loop}"


class Latest(Protocol):
    """Returns a chain's newest block, or slot."""

    async def latest(self) -> int:
        """Ask the node. Raise NodeRefused or NodeUnavailable."""


class Challenge:
    """Takes over from a running process without a new head, if this process's node has had one for a while.

    A node may be stuck while its process is well. On a chain without new blocks nobody sees a higher head.
    """

    __slots__ = ("_asked_at", "_lease", "_leases", "_node", "_seen")

    def __init__(self, leases: Leases, lease: str, node: Latest) -> None:
        self._leases = leases
        self._lease = lease
        self._node = node
        self._asked_at = 0.0
        self._seen: int | None = None

    async def is_won(self) -> bool:
        """Return whether the lease was taken. Raise NodeRefused, NodeUnavailable or a database error."""
        state = self._leases.states().get(self._lease)
        if state is None or state.head is None or state.still_s < STALLED_S:
            self._seen = None
            return False
        if monotonic() - self._asked_at < ASK_EVERY_S:
            return False
        # What was there ten seconds ago its leader must have seen by now.
        before, self._asked_at = self._seen, monotonic()
        self._seen = await self._node.latest()
        return before is not None and before > state.head and await self._leases.take(self._lease, beyond=before)
