"""Slots and their time: how the chain goes on, and which blockhashes a transaction may name."""

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from solders.clock import Clock
from solders.hash import Hash

SLOT_MS = 400
"""How long a slot lasts unless a chain is told otherwise, as on clusters until 2026."""
LIFETIME = 150
"""Blocks for which a blockhash serves."""
REMEMBERED = 512
"""Slots whose hashes the runtime tells programs, by the sysvar `SlotHashes`."""
EPOCH = 432_000
FIRST = 435_888_000
# On a public cluster slots were skipped, so that nobody can take a slot for a height and not notice.
_SKIPPED = 21_600_000
_CONFIRMED_AFTER, _FINALIZED_AFTER = 1, 32
_BEHIND = {"processed": 0, "confirmed": _CONFIRMED_AFTER, "finalized": _FINALIZED_AFTER}.get
_SEED = b"rhumbline sandbox"


@dataclass(frozen=True)
class Slots:
    """Where the chain is. ``started`` is the time of its first slot, in Unix seconds; each lasts ``slot_ms``.

    ``branches`` say from which slot on which number is in the hashes, in the slots' order: what comes after the chain
    was set back has other hashes than what was undone.
    """

    started: int
    slot: int = FIRST
    branches: tuple[tuple[int, int], ...] = ((0, 0),)
    slot_ms: int = SLOT_MS

    def advanced(self, count: int) -> "Slots":
        """Return where the chain is some slots later."""
        return replace(self, slot=self.slot + count)

    def time(self, slot: int) -> int:
        """Return the time of a slot, in Unix seconds."""
        return self.started + (slot - FIRST) * self.slot_ms // 1000

    def branched(self, number: int) -> "Slots":
        """Return the same place, with another number in all later hashes."""
        kept = self.branches[: bisect_right(self._begun, self.slot)]
        return replace(self, branches=(*kept, (self.slot + 1, number)))

    @property
    def clock(self) -> Clock:
        """The sysvar that programs read."""
        epoch = self.slot // EPOCH
        begun = self.time(max(epoch * EPOCH, FIRST))
        return Clock(self.slot, begun, epoch, epoch + 1, self.time(self.slot))

    def blockhash(self, slot: int) -> Hash:
        """Return the hash of a slot, the same at all times."""
        _, branch = self.branches[bisect_right(self._begun, slot) - 1]
        return _hash(branch, slot)

    @property
    def genesis(self) -> Hash:
        """The hash of the first block of all, by which clients know the cluster."""
        return self.blockhash(0)

    @cached_property
    def _begun(self) -> tuple[int, ...]:
        return tuple(begun for begun, _ in self.branches)

    @cached_property
    def hashes(self) -> dict[str, int]:
        """The slots of the last 512, this one included, by their hashes."""
        return {str(self.blockhash(slot)): slot for slot in range(self.slot, self.slot - REMEMBERED, -1)}

    def is_valid(self, blockhash: Hash) -> bool:
        """Tell whether a transaction that names this blockhash can still be executed."""
        slot = self.hashes.get(str(blockhash))
        return slot is not None and self.slot - slot <= LIFETIME

    def at(self, commitment: str) -> int:
        """Return the latest slot of a commitment; KeyError for what is none."""
        behind = _BEHIND(commitment)
        if behind is None:
            raise KeyError(commitment)
        return self.slot - behind

    def commitment(self, slot: int) -> str:
        """Return how far a slot is."""
        age = self.slot - slot
        if age >= _FINALIZED_AFTER:
            return "finalized"
        return "confirmed" if age >= _CONFIRMED_AFTER else "processed"


# Every slot asks for the hashes of all that are remembered, and a test has a few chains.
@lru_cache(maxsize=8 * REMEMBERED)
def _hash(branch: int, slot: int) -> Hash:
    return Hash(hashlib.sha256(_SEED + branch.to_bytes(8) + slot.to_bytes(8)).digest())


def height(slot: int) -> int:
    """Return the number of a slot's block: fewer than slots."""
    return slot - _SKIPPED
