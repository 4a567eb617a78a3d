"""A pool of the sandbox's, as others find it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool on a chain; `kind` is `uniswap_v2` or `uniswap_v3`, `fee` in millionths, tokens in the pool's order."""

    kind: str
    address: str
    tokens: tuple[str, str]
    fee: int
