"""Rise's program on Solana, and the one that it calls.

Source: github.com/riserich/rise-docs, docs/PROGRAM.md of 2026-06-13. The program itself is not published, and no
transaction of it was seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: the program, the one behind it, the markets' dollar beside SOL, and the suffix of their tokens."""

    program: str
    mayflower: str
    dollar: str
    ending: str = "rise"


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {
        1000000001: Deployment(
            "RiseZSHaLdj7pfn1tisUoSdG2i3QcVz9sQKuaRG9rar",
            "AVMmmRzwc2kETQNhPiFVnyu62HrgsQXTD6D7SnSfEz7v",
            "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        )
    }
)
