"""Slots and their time: how the chain advances, and which blockhashes a transaction may name."""

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from solders.clock import Clock
from solders.hash import Hash

SLOT_MS = 400
"""The default length of a slot, as on public clusters until 2026."""
LIFETIME = 150
"""The number of blocks for which a blockhash is valid."""
REMEMBERED = 512
"""The slots whose hashes the sysvar `SlotHashes` has for programs."""
EPOCH = 432_000
FIRST = 435_888_000
# As on a public cluster some slots were skipped, so code that confuses slot and block height fails.
_SKIPPED = 21_600_000
_CONFIRMED_AFTER, _FINALIZED_AFTER = 1, 32
_BEHIND = {"processed": 0, "confirmed": _CONFIRMED_AFTER, "finalized": _FINALIZED_AFTER}.get
_SEED = b"rhumbline sandbox"


@dataclass(frozen=True)
class Slots:
    """The chain's position. ``started`` is the time of its first slot, in Unix seconds; each lasts ``slot_ms``.

    ``branches`` are pairs of a first slot and a number that is in the hashes from there on, in the slots' order: after
    a restore the hashes differ from those that were undone.
    """

    started: int
    slot: int = FIRST
    branches: tuple[tuple[int, int], ...] = ((0, 0),)
    slot_ms: int = SLOT_MS

    def advanced(self, count: int) -> "Slots":
        """Return the position some slots later."""
        return replace(self, slot=self.slot + count)

    def time(self, slot: int) -> int:
        """Return the time of a slot, in Unix seconds."""
        return self.started + (slot - FIRST) * self.slot_ms // 1000

    def branched(self, number: int) -> "Slots":
        """Return the same position, with another number in all later hashes."""
        kept = self.branches[: bisect_right(self._begun, self.slot)]
        return replace(self, branches=(*kept, (self.slot + 1, number)))

    @property
    def clock(self) -> Clock:
        """The sysvar `Clock` that programs read."""
        epoch = self.slot // EPOCH
        begun = self.time(max(epoch * EPOCH, FIRST))
        return Clock(self.slot, begun, epoch, epoch + 1, self.time(self.slot))

    def blockhash(self, slot: int) -> Hash:
        """Return a slot's hash, which never changes."""
        _, branch = self.branches[bisect_right(self._begun, slot) - 1]
        return _hash(branch, slot)

    @property
    def genesis(self) -> Hash:
        """The hash of the first block, by which clients identify the cluster."""
        return self.blockhash(0)

    @cached_property
    def _begun(self) -> tuple[int, ...]:
        return tuple(begun for begun, _ in self.branches)

    @cached_property
    def hashes(self) -> dict[str, int]:
        """The last 512 slots, this one included, by their hashes."""
        return {str(self.blockhash(slot)): slot for slot in range(self.slot, self.slot - REMEMBERED, -1)}

    def is_valid(self, blockhash: Hash) -> bool:
        """Return whether a transaction with this blockhash can still be executed."""
        slot = self.hashes.get(str(blockhash))
        return slot is not None and self.slot - slot <= LIFETIME

    def at(self, commitment: str) -> int:
        """Return the latest slot of a commitment; raise KeyError for an unknown one."""
        behind = _BEHIND(commitment)
        if behind is None:
            raise KeyError(commitment)
        return self.slot - behind

    def commitment(self, slot: int) -> str:
        """Return the commitment that a slot has reached."""
        age = self.slot - slot
        if age >= _FINALIZED_AFTER:
            return "finalized"
        return "confirmed" if age >= _CONFIRMED_AFTER else "processed"


# Every slot needs the hashes of all stored slots, and a test has a few chains.
@lru_cache(maxsize=8 * REMEMBERED)
def _hash(branch: int, slot: int) -> Hash:
    return Hash(hashlib.sha256(_SEED + branch.to_bytes(8) + slot.to_bytes(8)).digest())


def height(slot: int) -> int:
    """Return a slot's block height, which is less than the slot."""
    return slot - _SKIPPED
