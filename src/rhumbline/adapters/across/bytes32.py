"""Accounts as Across's contracts know them: 32 bytes, whatever the chain."""

from binascii import unhexlify

from solders.pubkey import Pubkey

from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.svm.address import decode_address

WORD = 32
_PADDING = bytes(12)


def to_word(address: str) -> bytes:
    """Write an address (EVM's, base58, or 32 bytes of 0x-hex) as 32 bytes; raise ValueError for anything else."""
    if is_address(address):
        return _PADDING + bytes.fromhex(address[2:])
    if address.startswith(("0x", "0X")):
        # Unlike bytes.fromhex it takes no blanks.
        word = unhexlify(address[2:])
        if len(word) != WORD:
            raise ValueError("an account has 20 or 32 bytes")
        return word
    return decode_address(address)


def is_evm(word: bytes) -> bool:
    return len(word) == WORD and word.startswith(_PADDING)


def evm_address(word: bytes) -> str:
    """Read an EVM address out of 32 bytes; raise ValueError when they are no such address."""
    if not is_evm(word):
        raise ValueError("not an EVM address")
    return checksummed(word[12:])


def shown(word: bytes) -> str:
    """Write 32 bytes for people: an EVM address where they can be one, else base58."""
    return evm_address(word) if is_evm(word) else str(Pubkey.from_bytes(word))
