"""Both ends of a transfer as nodes of ours see them, whatever the chain."""

from dataclasses import dataclass
from typing import Protocol

from rhumbline.adapters.across.blocks import Block, confirmed_head
from rhumbline.adapters.across.logs import Filled, Log, Refunds
from rhumbline.adapters.across.proof import (
    Ends,
    Found,
    brought_by_fill,
    fill_in,
    fill_status,
    find_deposit,
    find_fill,
    find_refund,
    refund_in,
)
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.nodes.evm.rpc import EvmRpc


@dataclass(frozen=True, slots=True)
class Seen:
    """What a pool knows of a relay (``proof.fill_status``) at ``head``, which is when it was looked at."""

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

    async def look(self, found: Found) -> Seen | None:
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


@dataclass(frozen=True, slots=True)
class EvmOrigin:
    """An EVM chain of a deposit."""

    rpc: EvmRpc
    ends: Ends

    async def deposit(self, transfer: Transfer) -> Found | None:
        """Find it by the pool's log."""
        return await find_deposit(self.rpc, self.ends, transfer)

    async def refund(self, found: Found, named_in: str | None) -> Refunds | None:
        """Find it by the pool's log."""
        if named_in is not None:
            return await refund_in(self.rpc, self.ends, found, named_in)
        return await find_refund(
            self.rpc, self.ends, found, await confirmed_head(self.rpc, self.ends.origin.confirmations)
        )


@dataclass(frozen=True, slots=True)
class EvmDestination:
    """An EVM chain of a fill."""

    rpc: EvmRpc
    ends: Ends

    async def look(self, found: Found) -> Seen | None:
        """Call the pool at the newest block that has enough above it."""
        head = await confirmed_head(self.rpc, self.ends.destination.confirmations)
        status = await fill_status(self.rpc, self.ends.to_pool.spoke_pool, found.deposited, head)
        return None if status is None else Seen(status, head)

    async def fill(self, found: Found, head: Block) -> Filled | None:
        """Search the pool's logs."""
        return await find_fill(self.rpc, self.ends.to_pool.spoke_pool, found, head)

    async def fill_in(self, found: Found, tx_hash: str) -> Filled | None:
        """Read the transaction's logs."""
        return await fill_in(self.rpc, self.ends.to_pool.spoke_pool, found, tx_hash)

    async def brought(self, found: Found, fill: Filled) -> tuple[Log, ...] | None:
        """Read the transaction's logs."""
        return await brought_by_fill(self.rpc, self.ends.to_pool.spoke_pool, found, fill.tx_hash)
