"""The Bloom filter in a block's header, over the addresses and topics of all its logs.

Source: Ethereum's yellow paper, 4.3.1 (M3:2048). A filter that lacks an entry shows that no log has it; one that has
the entry's bits may have them from others.
"""

from collections.abc import Collection
from functools import lru_cache

from eth_utils.crypto import keccak

SIZE = 256
"""Bytes of a filter."""
_FULLEST = 1536
"""Of 2,048 bits: with three quarters set, a third of all blocks seem to have a log of ours."""


@lru_cache(maxsize=1024)
def bits(entry: bytes) -> int:
    """Return the three bits of an address or a topic: 11 bits each of the first three pairs of bytes of its keccak."""
    digest, found = keccak(entry), 0
    for place in (0, 2, 4):
        found |= 1 << (int.from_bytes(digest[place : place + 2]) & 0x7FF)
    return found


def may_hold(bloom: bytes, address: bytes, topics: Collection[bytes]) -> bool:
    """Return whether a filter may contain a log of this address with one of these topics.

    Chains that make no filters give zeros, ones or nothing; those, and one that is too full to tell, speak for none.
    """
    held = int.from_bytes(bloom)
    if len(bloom) != SIZE or held.bit_count() > _FULLEST:
        return False
    return _holds(held, address) and any(_holds(held, each) for each in topics)


def _holds(held: int, entry: bytes) -> bool:
    wanted = bits(entry)
    return held & wanted == wanted
