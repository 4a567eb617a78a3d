"""Which cluster a node is on, by the hash of its first block.

Addresses, programs and transactions of all clusters look alike: what a node of another one says of a wallet is not
about that wallet. So it is made sure of beside the first call, again when the node was away (another may be behind the
URL then), and once a minute while it is asked anything.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from types import MappingProxyType
from typing import TypeVar

from rhumbline.domain.errors import NodeUnavailable

MAINNET_GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
CLUSTERS: Mapping[str, str] = MappingProxyType({
    MAINNET_GENESIS: "mainnet-beta",
    "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG": "devnet",
    "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
})  # fmt: skip
"""The public clusters by the hash of their first block; solana.com/docs/references/clusters, read 2026-11-22."""
SURE_FOR_S = 60.0
_WRONG_FOR_S = 2.0
_Answer = TypeVar("_Answer")


class OtherCluster(NodeUnavailable):
    """The node is on another cluster than its chain; ``found`` names that."""

    def __init__(self, name: str, found: str) -> None:
        """Name the chain, and what its node is on."""
        super().__init__(f"{name}: the node is on {found}, which is another chain")
        self.found = found


class Cluster:
    """The cluster that a chain is. ``genesis`` is the hash of its first block; None: any but mainnet-beta's.

    ``now`` is in seconds.
    """

    __slots__ = ("_found", "_genesis", "_looking", "_now", "_until")

    def __init__(self, genesis: str | None, now: Callable[[], float] = monotonic) -> None:
        self._genesis = genesis
        self._now = now
        self._until: float | None = None
        self._found: str | None = None
        self._looking = asyncio.Lock()

    def other(self, genesis: str) -> str | None:
        """Return in words what else a node of this first block is on; None when it is on this cluster."""
        right = genesis != MAINNET_GENESIS if self._genesis is None else genesis == self._genesis
        return None if right else CLUSTERS.get(genesis) or f"an unknown cluster (first block {genesis})"

    @property
    def is_sure(self) -> bool:
        """Tell whether the node was seen on it of late, and has not been away since."""
        return self._found is None and not self._is_due

    @property
    def _is_due(self) -> bool:
        return self._until is None or self._now() >= self._until

    def doubt(self) -> None:
        """Note that the node did not answer: what answers next may be another."""
        self._until = None

    async def make_sure(self, name: str, ask: Callable[[], Awaitable[str]]) -> None:
        """Ask for the first block, once for all who wait; raise OtherCluster, and what ``ask`` raises."""
        async with self._looking:
            if self._is_due:
                self._found = self.other(await ask())
                self._until = self._now() + (SURE_FOR_S if self._found is None else _WRONG_FOR_S)
        if self._found is not None:
            raise OtherCluster(name, self._found)

    async def vouched(self, name: str, ask: Callable[[], Awaitable[str]], asking: Awaitable[_Answer]) -> _Answer:
        """Return what a call answers; raise OtherCluster where the node is not on it, and what both raise."""
        try:
            return await (asking if self.is_sure else self._beside(self.make_sure(name, ask), asking))
        except OtherCluster:
            raise
        except NodeUnavailable:
            self.doubt()
            raise

    async def _beside(self, making_sure: Awaitable[None], asking: Awaitable[_Answer]) -> _Answer:
        """Make sure of it beside a call, so that nobody waits twice; its answer counts only then."""
        sure, answer = await asyncio.gather(making_sure, asking, return_exceptions=True)
        if isinstance(sure, BaseException):
            raise sure
        if isinstance(answer, BaseException):
            raise answer
        return answer
