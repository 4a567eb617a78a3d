"""The sandbox's keys on Solana: derived from a public mnemonic, by the wallets' usual paths."""

import hashlib
from functools import cache

from solders.keypair import Keypair

from rhumbline.devnet.sandbox import SandboxAccount
from rhumbline.domain.chain import ChainType

MNEMONIC = "test test test test test test test test test test test junk"
FUNDED = tuple(range(8))
EMPTY = (40, 41)
OPERATOR = 30
SOLVER = 33
SERVICE_WALLET = 35
INTEGRATOR_WALLET = 36
# BIP-39: mnemonic and empty passphrase become a seed by this many rounds.
_ROUNDS = 2048
_WORDS_OF_OURS = b"rhumbline sandbox "


@cache
def keypair(index: int) -> Keypair:
    """Derive the account at m/44'/501'/`index`'/0' (SLIP-10), the usual path of wallets."""
    seed = hashlib.pbkdf2_hmac("sha512", MNEMONIC.encode(), b"mnemonic", _ROUNDS)
    return Keypair.from_seed_and_derivation_path(seed, f"m/44'/501'/{index}'/0'")


@cache
def named_keypair(name: str) -> Keypair:
    """Return the key of a mint or a pool, the same at every start; it is nobody's account."""
    return Keypair.from_seed(hashlib.sha256(_WORDS_OF_OURS + name.encode()).digest())


def sandbox_account(index: int) -> SandboxAccount:
    """Describe an account; its private key is base58 of 64 bytes, the export format of wallets."""
    key = keypair(index)
    return SandboxAccount(ChainType.SVM, str(key.pubkey()), str(key))
