"""Which cluster a node is on, by the hash of its first block."""

from collections.abc import Callable, Mapping
from time import monotonic
from types import MappingProxyType

from rhumbline.gateways.nodes.identity import Identity

MAINNET_GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
CLUSTERS: Mapping[str, str] = MappingProxyType({
    MAINNET_GENESIS: "mainnet-beta",
    "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG": "devnet",
    "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
})  # fmt: skip
"""The public clusters by the hash of their first block; solana.com/docs/references/clusters, read 2026-11-22."""
SURE_FOR_S = 60.0


class Cluster(Identity[str]):
    """The cluster of a chain. ``genesis`` is the hash of its first block; None: any but mainnet-beta's."""

    def __init__(self, genesis: str | None, now: Callable[[], float] = monotonic) -> None:
        super().__init__(SURE_FOR_S, now)
        self._genesis = genesis

    def other(self, genesis: str) -> str | None:
        """Return in words what else a node of this first block is on; None when it is on this cluster."""
        right = genesis != MAINNET_GENESIS if self._genesis is None else genesis == self._genesis
        return None if right else CLUSTERS.get(genesis) or f"an unknown cluster (first block {genesis})"
