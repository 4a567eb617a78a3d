"""How contracts store data of other chains in 32 bytes: addresses of any chain, and IDs of transfers."""

from binascii import unhexlify
from contextlib import suppress
from hashlib import sha256

from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.svm import address as svm


def address_word(chain: Chain, address: str) -> bytes:
    """Write an address of a chain: an EVM address right aligned, one of Solana as it is, its native asset as zero."""
    if chain.type is ChainType.SVM:
        return bytes(32) if address == NATIVE_SVM else svm.decode_address(address)
    return evm_word(address)


def evm_word(address: str) -> bytes:
    return bytes.fromhex(address[2:]).rjust(32, b"\x00")


def account_bytes(address: str) -> bytes:
    """Return the 20 bytes of an EVM address or the 32 of a Solana address; raise ValueError for any other text."""
    return bytes.fromhex(address[2:]) if is_address(address) else svm.decode_address(address)


def word_address(chain: Chain, word: bytes) -> str | None:
    """Read an address of a chain back, in canonical form; None when the word is none."""
    if chain.type is ChainType.SVM:
        return svm.encode_address(word)
    return None if any(word[:12]) else checksummed(word[12:])


def reference_word(reference: str | None) -> bytes:
    """Write a bridge's name for a transfer: hex of 32 bytes as it is, anything else by its SHA-256, none as zero.

    It serves to recognise a reference that is known, not to read it.
    """
    if reference is None:
        return bytes(32)
    if reference[:2] in ("0x", "0X") and len(reference) == 66:
        # Unlike bytes.fromhex it takes no blanks, which would leave fewer than 32 bytes.
        with suppress(ValueError):
            return unhexlify(reference[2:])
    return sha256(reference.encode()).digest()
