"""EVM addresses: EIP-55 checksums (https://eips.ethereum.org/EIPS/eip-55, read 2026-11)."""

import re
from functools import lru_cache

from eth_hash.auto import keccak as keccak_256

_FORM = re.compile(r"0[xX][0-9a-fA-F]{40}\Z", re.ASCII)


def is_address(text: str) -> bool:
    return bool(_FORM.match(text))


def checksummed(address: str | bytes) -> str:
    """Write an address (text of the right form, or 20 bytes) in EIP-55 form; ValueError for anything else."""
    if isinstance(address, bytes):
        if len(address) != 20:
            raise ValueError("not an EVM address")
        return _cased(address.hex())
    if not is_address(address):
        raise ValueError("not an EVM address")
    return _cased(address[2:].lower())


@lru_cache(maxsize=512)
def _cased(digits: str) -> str:
    """Return digits in lower case in EIP-55 form; routers and tokens come in nearly every answer."""
    proof = keccak_256(digits.encode()).hex()
    return "0x" + "".join([digit.upper() if bit >= "8" else digit for digit, bit in zip(digits, proof, strict=False)])


def checksum_holds(text: str) -> bool:
    """Return whether an address is all lower case, all upper case, or carries the right checksum."""
    digits = text[2:]
    return digits in (digits.lower(), digits.upper()) or checksummed(text)[2:] == digits
