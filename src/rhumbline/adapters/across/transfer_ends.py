"""Both ends of a transfer, and what nodes of ours may see there, whatever the chain."""

from dataclasses import dataclass
from typing import Protocol

from rhumbline.adapters.across.blocks import Block
from rhumbline.adapters.across.deployments import Deployment
from rhumbline.adapters.across.logs import Deposited, Filled, Log, Refunds
from rhumbline.domain.chain import Chain
from rhumbline.domain.transfer import Transfer

SLOW_FILL_REQUESTED, FILLED = 1, 2
"""What a pool says of a relay; 0 is nothing."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Both ends of a transfer: chains, Across's places on them."""

    origin: Chain
    destination: Chain
    from_pool: Deployment
    to_pool: Deployment


@dataclass(frozen=True, slots=True)
class Found:
    """A deposit that is the transfer's, and the block it is in."""

    deposited: Deposited
    block: Block


@dataclass(frozen=True, slots=True)
class FillState:
    """What a pool knows of a relay at ``head``, which is when it was looked at."""

    status: int
    head: Block


class Origin(Protocol):
    """Where deposits are made; all of it raises NodeUnavailable."""

    async def deposit(self, transfer: Transfer) -> Found | None:
        """Find the transfer's deposit in its transaction; None when none of its is the one."""
        ...

    async def refund(self, found: Found, named_in: str | None) -> Refunds | None:
        """Look for a deposit's refund in the transaction named, or by itself where none is; None without one."""
        ...


class Destination(Protocol):
    """Where deposits are filled; all of it raises NodeUnavailable."""

    async def look(self, found: Found) -> FillState | None:
        """Ask what the pool knows of exactly this relay; None where that cannot be told."""
        ...

    async def fill(self, found: Found, head: Block) -> Filled | None:
        """Search for the fill; None where the node does not give what is old."""
        ...

    async def fill_in(self, found: Found, tx_hash: str) -> Filled | None:
        """Look for the fill in one transaction."""
        ...

    async def brought(self, found: Found, fill: Filled) -> tuple[Log, ...] | None:
        """Return what the fill's transaction logged from it on, up to the next fill; None where nobody tells."""
        ...
