"""Addresses that nobody can sign for, and the stand-ins that replace them in simulations.

On EVM chains: those up to 0xffff (zero, precompiles, system contracts, and 0x…dEaD, where most tokens are burnt), and
longer ones that are used for burning, for native assets, or for "nobody": dead addresses as published by Santiment
(https://academy.santiment.net/labels/dead-address, read 2026-11) except repeated digits that examples use as wallets,
and the marker of https://eips.ethereum.org/EIPS/eip-7528. The contracts refuse the same ones
(``contracts/src/Nobody.sol``); a test compares the two. On Solana: the System Program, which many requests name, and
the incinerator, whose lamports are burnt (github.com/anza-xyz/solana-sdk, sdk-ids/src/lib.rs, read 2026-11-23).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

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
SVM_INCINERATOR = "1nc1nerator11111111111111111111111111111111"
STAND_IN = "0x5F4d4336e811b72798fFD61351c358c94A19Ab73"
"""Replaces a placeholder wallet on EVM chains: part of a hash, so nobody has its key and it has no code."""
SVM_STAND_IN = "BCTi5Qk2wbryFd9yGhZsnsD2tr4E9rMrVjQYRQXoWrcP"
"""The same on Solana: a hash that is on the curve, as wallets are."""


def is_unowned(address: str) -> bool:
    """Return whether nobody can sign as an EVM address, in hexadecimal digits, right aligned if it is a longer word."""
    number = int(address, 16)
    return number <= LAST_RESERVED or number in BURN_ADDRESSES


_PLACEHOLDERS: Mapping[ChainType, Callable[[str], bool]] = MappingProxyType(
    {ChainType.EVM: is_unowned, ChainType.SVM: {NATIVE_SVM, SVM_INCINERATOR}.__contains__}
)


def is_placeholder(chain_type: ChainType, address: str) -> bool:
    """Return whether nobody can sign for a canonical address: requests with it are for display only."""
    return _PLACEHOLDERS[chain_type](address)


_STAND_INS: Mapping[ChainType, str] = MappingProxyType({ChainType.EVM: STAND_IN, ChainType.SVM: SVM_STAND_IN})


def stand_in(chain_type: ChainType) -> str:
    """Return who takes a placeholder's place on a chain of this type."""
    return _STAND_INS[chain_type]
