"""Wallets with delegated code (EIP-7702, https://eips.ethereum.org/EIPS/eip-7702, read 2026-11-22).

Their code is a prefix and the contract's address. The same key still holds the wallet, on every chain.
"""

_PREFIX = bytes.fromhex("ef0100")


def is_delegation(code: bytes) -> bool:
    """Return whether an account's code is a wallet's delegation."""
    return code.startswith(_PREFIX)


def is_contract(code: bytes) -> bool:
    """Tell a contract's code from none and from a wallet's delegation."""
    return bool(code) and not is_delegation(code)
