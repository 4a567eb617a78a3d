"""Tokens."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """A token on one chain.

    ``address`` is canonical (EIP-55 or base58), the chain's native marker for the native asset. ``decimals`` is what
    one whole token counts in raw units, as a power of ten. ``listed`` is False when the token is on no list and its
    metadata was read from the chain.
    """

    chain_id: int
    address: str
    symbol: str
    decimals: int
    name: str
    coin_key: str | None = None
    logo_uri: str | None = None
    listed: bool = True
