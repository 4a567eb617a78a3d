"""What the demo uses of a chain and its wallets, for every chain type."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class TransactionFailed(Exception):
    """A transaction was executed and failed, or was not executed in time."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a transaction: ``cost`` is its network fee, in raw units of the native asset."""

    tx_hash: str
    block: int
    cost: int


class Wallet(Protocol):
    """One account on one chain, with its key."""

    @property
    def address(self) -> str:
        """The account's address in canonical form."""
        ...

    async def approve(self, token: str, spender: str, amount: int) -> Receipt:
        """Allow ``spender`` to take ``amount`` raw units of ``token``."""
        ...

    async def execute(self, quote: Mapping[str, Any]) -> Receipt:
        """Sign and send a transaction that the service answered, and wait for it; raise TransactionFailed."""
        ...


class ChainClient(Protocol):
    """One chain, as a wallet's software accesses it."""

    def wallet(self, private_key: str) -> Wallet:
        """Return the wallet of a key, in the format of the sandbox's file."""
        ...

    async def balance_of(self, token: str, owner: str) -> int:
        """Return the balance of ``owner`` in raw units of ``token`` (the native marker for the native asset)."""
        ...
