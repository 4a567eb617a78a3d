"""The address of DFlow's program on Solana.

Source: the vendor's genuine order of 2026-08-22 calls it, and the IDL that the vendor keeps on the chain is this
program's (read by others 2026-09-27).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: the program that swaps."""

    program: str


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {1000000001: Deployment("DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH")}
)
