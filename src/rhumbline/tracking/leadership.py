"""Who follows a chain, when several processes could: a lease for each chain and loop. Who is stuck is replaced.

A lease is renewed while its loop makes progress, and every write of the loop is fenced by it (``gateways/postgres``).
"""

from enum import StrEnum
from time import monotonic
from typing import Protocol

from rhumbline.gateways.postgres.lease_table import STALLED_S
from rhumbline.gateways.postgres.leases import Leases

BUILDS = "builds"
"""The lease of who forgets what was handed out long ago."""
ASK_EVERY_S = 10.0
"""How often another process asks its own node about a chain whose leader sees no new head."""


class Loop(StrEnum):
    """What is done for a chain, each by one process."""

    EVENTS = "events"
    COMPLETION = "completion"
    WALLET_CALLS = "wallet calls"


def lease_name(chain_id: int, loop: Loop) -> str:
    return f"{chain_id} {loop}"


class Latest(Protocol):
    """Tells a chain's newest block, or slot."""

    async def latest(self) -> int:
        """Ask the node. Raise NodeRefused or NodeUnavailable."""


class Challenge:
    """Takes the lead from a process that lives and sees no new head, where this one's node has had one for a while.

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
        """Tell whether the lease was taken. Raise NodeRefused, NodeUnavailable or a database error."""
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
