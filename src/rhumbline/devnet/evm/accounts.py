"""The sandbox's keys, derived from a public mnemonic, so they are worth nothing elsewhere."""

from functools import cache

from rhumbline.devnet.sandbox import SandboxAccount
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.evm.signatures import Account, LocalAccount, key_from_seed, seed_from_mnemonic

MNEMONIC = "test test test test test test test test test test test junk"
FUNDED = tuple(range(8))
EMPTY = (40, 41)
DEPLOYER = 30
TOKEN_DEPLOYERS = (31, 32)
SOLVER = 33
RELAYER = 34


@cache
def sandbox_account(index: int) -> SandboxAccount:
    """Derive the EVM account at m/44'/60'/0'/0/`index` (BIP-44)."""
    key = key_from_seed(seed_from_mnemonic(MNEMONIC, ""), f"m/44'/60'/0'/0/{index}")
    return SandboxAccount(ChainType.EVM, Account.from_key(key).address, "0x" + key.hex())


def signer(account: SandboxAccount) -> LocalAccount:
    local: LocalAccount = Account.from_key(account.private_key)
    return local
