"""Addresses of any chain as the protocols write them, in 32 bytes."""

from binascii import unhexlify

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, NATIVES, Chain, ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.svm.address import (
    associated_token_address,
    decode_address,
    encode_address,
    is_on_curve,
    program_address,
)
from rhumbline.gateways.svm.programs import SPL

ZERO = bytes(32)
NATIVE = NATIVE_EVM
"""The native asset of every chain, including Solana, in requests and answers."""
MAYAN_PROGRAM = "FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf"
AUCTION = "8QJmxZcEzwuYmCPy6XqgN2sHcYCcFq6AEfBMJZZuLo5a"
WORMHOLE_PROGRAM = "wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb"
"""Wormhole's token bridge on Solana."""


def word(address: str, type_: ChainType) -> bytes:
    """Return an address of a chain as 32 bytes: an EVM address is left-padded, a Solana one is its key.

    Raise UpstreamFailed for an invalid one.
    """
    try:
        if type_ is ChainType.SVM:
            return decode_address(address)
        # Unlike bytes.fromhex it takes no blanks.
        found = unhexlify(address.removeprefix("0x"))
    except ValueError as error:
        raise UpstreamFailed("answered with an invalid address") from error
    if len(found) not in (20, 32):
        raise UpstreamFailed("answered with an invalid address")
    return found.rjust(32, b"\0")


def token_word(marker: str, type_: ChainType) -> bytes:
    """Return a token, in Mayan's spelling, as 32 bytes: zeros for the native asset."""
    return ZERO if marker == NATIVE else word(marker, type_)


def marker_of(address: str, type_: ChainType) -> str:
    """Return Mayan's spelling of a canonical token address: EVM in lower case, zeros for any native asset."""
    if type_ is ChainType.SVM:
        return NATIVE if address == NATIVE_SVM else address
    return address.lower()


def home_address(address: str, chain: Chain) -> str:
    """Return what Wormhole calls a token that is at home on a chain: of the native asset its wrapping.

    Raise UpstreamFailed where that is not known.
    """
    home = chain.wrapped_native if address in NATIVES else address
    if home is None:
        raise UpstreamFailed("answered a native asset of a chain whose wrapped native is not known")
    return home


def is_payable(receiver: str, chain: Chain) -> bool:
    """Return whether the address can receive: no placeholder, and on Solana a wallet, not a token account.

    By its address alone a token account, also an associated one, cannot be distinguished from a program's own wallet:
    both are off the curve, and both are refused.
    """
    if chain.type is ChainType.EVM:
        return int(receiver, 16) != 0
    return receiver != NATIVE_SVM and is_on_curve(receiver)


def wrapped_mint(home: bytes, wormhole_id: int) -> str:
    """Return the mint that the token bridge makes on Solana for a token that is at home on another chain.

    It is the address of the bridge's program with the seeds ``wrapped``, the chain's Wormhole ID and the token as a
    word. Raise UpstreamFailed for an ID that is none.
    """
    if not 0 < wormhole_id < 2**16:
        raise UpstreamFailed("answered with a chain that the token bridge cannot name")
    return program_address([b"wrapped", wormhole_id.to_bytes(2), home], WORMHOLE_PROGRAM)


def main_account(mint: str) -> bytes:
    """Return Mayan's own token account of a mint on Solana, to which the token bridge sends a WORMHOLE swap's input.

    It is the associated account (classic token program) of the program's address with the seed ``MAIN``. Raise
    UpstreamFailed when the mint is no Solana address.
    """
    # For an invalid address ``word`` raises.
    owner, mint = program_address([b"MAIN"], MAYAN_PROGRAM), encode_address(word(mint, ChainType.SVM))
    return decode_address(associated_token_address(owner, mint, SPL))
