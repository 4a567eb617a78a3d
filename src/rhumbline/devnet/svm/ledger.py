"""What has been executed: by signature, and by address, the latest first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from solders.transaction import VersionedTransaction

KEPT = 20_000
"""Transactions that are remembered; older ones are forgotten, as nodes do."""


@dataclass(frozen=True, slots=True)
class Executed:
    """A transaction that was executed, and failed where ``error`` (as nodes write it) is not None.

    ``accounts`` are all that it names, looked up ones included; ``meta`` is the answer's part of that name.
    """

    signature: str
    slot: int
    block_time: int
    transaction: VersionedTransaction
    accounts: tuple[str, ...]
    error: object
    meta: Mapping[str, object]


@dataclass
class Ledger:
    """Remembers executed transactions in their order."""

    _records: list[Executed] = field(default_factory=list)
    _by_signature: dict[str, Executed] = field(default_factory=dict)
    _by_address: dict[str, list[Executed]] = field(default_factory=dict)

    def add(self, executed: Executed) -> None:
        """Remember one more; the oldest quarter goes when there are too many."""
        if len(self._records) >= KEPT:
            self.reset(self._records[KEPT // 4 :])
        self._records.append(executed)
        self._by_signature[executed.signature] = executed
        for address in dict.fromkeys(executed.accounts):
            self._by_address.setdefault(address, []).append(executed)

    def find(self, signature: str) -> Executed | None:
        """Return a transaction, None when it is not known."""
        return self._by_signature.get(signature)

    def of(self, address: str) -> Iterator[Executed]:
        """Give the transactions that name an address, the latest first."""
        return reversed(self._by_address.get(address, ()))

    def count(self) -> int:
        """Tell how many are remembered."""
        return len(self._records)

    def records(self) -> tuple[Executed, ...]:
        """Return all, the oldest first."""
        return tuple(self._records)

    def reset(self, records: Iterable[Executed]) -> None:
        """Remember these and nothing else."""
        kept = tuple(records)
        self._records, self._by_signature, self._by_address = [], {}, {}
        for each in kept:
            self.add(each)
