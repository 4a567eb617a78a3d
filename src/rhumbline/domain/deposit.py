"""How a simulation shows that a bridge took the tokens of one order, and of no other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

BURNT = "0x0000000000000000000000000000000000000000"
"""As a holder: tokens that the bridge burns, which nobody gains."""


@dataclass(frozen=True, slots=True)
class LogPattern:
    """A log that a pinned contract must emit exactly once in a simulation, with no other of the same first topic.

    ``emitter`` is the contract's address. ``topics`` begin with the event's; None matches any value. ``words`` are
    32-byte words of the data by their number; ``amount_at`` is the number of the word that contains the amount in raw
    units, None if the event has none.
    """

    emitter: str
    topics: tuple[bytes | None, ...]
    words: Mapping[int, bytes] = field(default_factory=lambda: MappingProxyType({}))
    amount_at: int | None = None


@dataclass(frozen=True, slots=True)
class BridgeDeposit:
    """What an adapter's transaction transfers to its bridge, and how a simulation shows it.

    ``token`` is what the bridge gains on the origin: the native marker if it keeps the native asset, the wrapped token
    if it gets the native asset and wraps it, one to one. ``least`` is the least raw amount of it that pinned contracts
    enforce under this order's ID: with less the transaction reverts. ``holders`` are the addresses whose gain of
    ``token`` is the bridge's, ``BURNT`` for burnt amounts. ``log`` names the order, its depositor and its amount; None
    if the bridge is simply paid, at an address made for this order. ``swapped``: the upstream trades the input for
    ``token`` in calls that we do not decode.

    On Solana ``token`` is a mint or the native marker, ``holders`` are accounts (token accounts of that mint, or
    wallets for lamports), ``BURNT`` is the reduction of its supply, and ``log`` is None: the adapter has decoded the
    instruction that names the order, which determines what it takes.
    """

    token: str
    least: int
    holders: tuple[str, ...]
    log: LogPattern | None = None
    swapped: bool = False
