"""How a run of a transaction shows that a bridge took over the tokens of one order, and of no other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

BURNT = "0x0000000000000000000000000000000000000000"
"""As a holder: what the bridge burns is gained by nobody."""


@dataclass(frozen=True, slots=True)
class LogPattern:
    """One log that a pinned contract must write exactly once in a run, and no other with the same first topic.

    ``emitter`` is the contract's address. ``topics`` begin with the event's; None stands for any value. ``words`` are
    32-byte words of the data by their number; ``amount_at`` is the number of the word that holds the amount in raw
    units, None where the event does not tell it.
    """

    emitter: str
    topics: tuple[bytes | None, ...]
    words: Mapping[int, bytes] = field(default_factory=lambda: MappingProxyType({}))
    amount_at: int | None = None


@dataclass(frozen=True, slots=True)
class BridgeDeposit:
    """What an adapter's transaction hands to its bridge, and how that is seen.

    ``token`` is what the bridge gains on the origin: the native marker where it keeps the native asset, the wrapped
    token where it is given the native asset and wraps it, one to one. ``least`` is how many raw units of it pinned
    contracts enforce under this order's ID: with less the transaction reverts. ``holders`` are the
    addresses whose gain of ``token`` is the bridge's, ``BURNT`` for what it burns. ``log`` names the order, its
    depositor and its amount; None where a bridge is just paid, at an address made for this order. ``swapped`` tells
    that the upstream trades the input for ``token`` in calls that nobody of ours has read.

    On Solana ``token`` is a mint or the native marker, ``holders`` are accounts (token accounts of that mint, or
    wallets for lamports), ``BURNT`` what its supply loses, and ``log`` is None: the adapter has read the instruction
    that names the order, and what it takes is fixed by it.
    """

    token: str
    least: int
    holders: tuple[str, ...]
    log: LogPattern | None = None
    swapped: bool = False
