"""Solana addresses: base58 of 32 bytes."""

from solders.pubkey import Pubkey


def is_address(text: str) -> bool:
    try:
        Pubkey.from_string(text)
    except ValueError:
        return False
    return True


def decode_address(text: str) -> bytes:
    """Return the 32 bytes of an address; ValueError when it is none."""
    return bytes(Pubkey.from_string(text))


def encode_address(raw: bytes) -> str:
    """Write 32 bytes as an address; ValueError for another number of bytes."""
    if len(raw) != 32:
        raise ValueError("an address has 32 bytes")
    return str(Pubkey.from_bytes(raw))
