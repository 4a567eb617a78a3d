"""Ed25519 signatures (RFC 8032) whose keys and signatures are written in base58, as Solana and NEAR write them."""

from solders.pubkey import Pubkey
from solders.signature import Signature


def verifies(key: str, message: bytes, signature: str) -> bool:
    """Tell whether the holder of ``key`` signed ``message``; anything that is not base58 of the right length is no."""
    try:
        return Signature.from_string(signature).verify(Pubkey.from_string(key), message)
    except ValueError:
        return False


def base58_of_32(data: bytes) -> str:
    """Write 32 bytes, a key or a digest, in base58; ValueError for any other length."""
    # Told otherwise, the library panics, which no `except Exception` stops.
    if len(data) != 32:
        raise ValueError("not 32 bytes")
    return str(Pubkey.from_bytes(data))
