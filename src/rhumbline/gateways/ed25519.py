"""Signing by an Ed25519 key (RFC 8032), by the library that signs on Solana."""

from solders.keypair import Keypair

SEED_BYTES = 32
PUBLIC_BYTES = 32


class SigningKey:
    """A private key; nothing that shows or copies an object shows its secret."""

    __slots__ = ("_keypair", "public")

    def __init__(self, seed: bytes) -> None:
        """Take the private key of RFC 8032: 32 bytes. Raise ValueError for another length."""
        if len(seed) != SEED_BYTES:
            # For other arguments the library panics, which no `except Exception` catches.
            raise ValueError(f"a private key has {SEED_BYTES} bytes")
        self._keypair = Keypair.from_seed(seed)
        self.public = bytes(self._keypair.pubkey())

    def sign(self, message: bytes) -> bytes:
        """Return the signature, 64 bytes."""
        return bytes(self._keypair.sign_message(message))

    def __repr__(self) -> str:
        return "SigningKey(…)"
