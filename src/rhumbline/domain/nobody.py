"""The addresses that nobody can sign as, so that what is paid to them is lost.

On EVM chains up to 0xffff: zero, precompiles, system contracts, and 0x…dEaD, where most tokens are burnt. Of the longer
ones those by which tokens are burnt, or native assets and "nobody" are meant: dead addresses as published by Santiment
(https://academy.santiment.net/labels/dead-address, read 2026-11) but for repeated digits that examples use as wallets,
and the marker of https://eips.ethereum.org/EIPS/eip-7528. The contracts refuse the same ones
(``contracts/src/Nobody.sol``); a test compares the two.
"""

from rhumbline.domain.chain import NATIVE_SVM, ChainType

LAST_RESERVED = 0xFFFF
BURN_ADDRESSES = frozenset(
    {
        0xDEAD_0000_0000_0000_0000_0000_0000_0000_0000_0000,
        0xDEAD_0000_0000_0000_0000_4206_9420_6942_0694_2069,
        0xDEAD_DEAD_DEAD_DEAD_DEAD_DEAD_DEAD_DEAD_DEAD_DEAD,
        0xEEEE_EEEE_EEEE_EEEE_EEEE_EEEE_EEEE_EEEE_EEEE_EEEE,
        0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF,
    }
)


def is_nobodys(address: str) -> bool:
    """Tell whether nobody can sign as an address, in hexadecimal digits, right aligned if it is a longer word."""
    number = int(address, 16)
    return number <= LAST_RESERVED or number in BURN_ADDRESSES


def is_placeholder(chain_type: ChainType, address: str) -> bool:
    """Tell whether nobody can sign as an address of a type of chain; Solana's is its System Program."""
    return address == NATIVE_SVM if chain_type is ChainType.SVM else is_nobodys(address)
