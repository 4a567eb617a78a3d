"""The description of a pool in the sandbox's file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool on a chain, tokens in its order; `kind` is `uniswap_v2`, `uniswap_v3`, `curve`, …; `fee` in millionths."""

    kind: str
    address: str
    tokens: tuple[str, str]
    fee: int
