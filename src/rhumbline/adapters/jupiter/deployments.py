"""The address of Jupiter's program.

Source: the vendor's documents and printed answers of 2026-09, read 2026-11-22.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SOLANA = 1_000_000_001


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: Jupiter's aggregator (v6), whose interface has the second form of routes."""

    program: str = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType({SOLANA: Deployment()})
