"""What the story asks of a chain and of a wallet on it, whatever their type."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class TransactionFailed(Exception):
    """A transaction that was executed and failed, or was not executed in time."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a transaction: ``cost`` is what its execution cost, in raw units of the native asset."""

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
        """Sign and send what an answer of the service hands out, and wait for it; raise TransactionFailed."""
        ...


class ChainClient(Protocol):
    """One chain as a wallet's software reaches it."""

    def wallet(self, private_key: str) -> Wallet:
        """Return the wallet of a key, written as the sandbox's file does."""
        ...

    async def balance_of(self, token: str, owner: str) -> int:
        """Return what ``owner`` has of ``token`` (the native marker for the native asset), in raw units."""
        ...
