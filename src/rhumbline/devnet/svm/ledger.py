"""The executed transactions, by signature and by address, latest first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from solders.transaction import VersionedTransaction

KEPT = 20_000
"""Transactions that are stored; older ones are dropped, as nodes do."""


@dataclass(frozen=True, slots=True)
class Executed:
    """An executed transaction; ``error`` (in the nodes' form) is None for a success.

    ``accounts`` are all that it names, including those looked up in tables; ``meta`` is that part of the node's answer.
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
    """Stores executed transactions in order."""

    _records: list[Executed] = field(default_factory=list)
    _by_signature: dict[str, Executed] = field(default_factory=dict)
    _by_address: dict[str, list[Executed]] = field(default_factory=dict)

    def add(self, executed: Executed) -> None:
        """Add a transaction; when full, drop the oldest quarter."""
        if len(self._records) >= KEPT:
            self.reset(self._records[KEPT // 4 :])
        self._records.append(executed)
        self._by_signature[executed.signature] = executed
        for address in dict.fromkeys(executed.accounts):
            self._by_address.setdefault(address, []).append(executed)

    def find(self, signature: str) -> Executed | None:
        return self._by_signature.get(signature)

    def of(self, address: str) -> Iterator[Executed]:
        """Return the transactions that name an address, latest first."""
        return reversed(self._by_address.get(address, ()))

    def count(self) -> int:
        return len(self._records)

    def records(self) -> tuple[Executed, ...]:
        """Return all, oldest first."""
        return tuple(self._records)

    def reset(self, records: Iterable[Executed]) -> None:
        """Replace all transactions by these."""
        kept = tuple(records)
        self._records, self._by_signature, self._by_address = [], {}, {}
        for each in kept:
            self.add(each)
