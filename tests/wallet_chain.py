"""A chain with contract wallets on it: contracts/test/support/Wallets.sol."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from eth_account import Account
from eth_account.messages import encode_defunct
from eth_utils.crypto import keccak

from rhumbline.devnet.evm.accounts import DEPLOYER, MNEMONIC, sandbox_account
from rhumbline.devnet.evm.nodes import find_anvil, running_anvil
from rhumbline.devnet.evm.operator import Operator, constructed, encoded, unlocked
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.solidity import ROOT, creation_codes

SOURCE = ROOT / "contracts" / "test" / "support" / "Wallets.sol"
WRAPPED = bytes.fromhex("6492" * 16)
_ETHER = 10**18


@dataclass(frozen=True)
class WalletChain:
    rpc: EvmRpc
    chain_id: int
    operator: Operator
    codes: Mapping[str, bytes]
    factory: str

    async def deploy(self, contract: str, types: tuple[str, ...] = (), *values: object) -> str:
        return await self.operator.deploy(constructed(self.codes[contract], types, *values))

    async def wallet(self, key: str, contract: str = "OwnedWallet") -> str:
        """Deploy the contract wallet of a key."""
        return await self.deploy(contract, ("address",), str(Account.from_key(key).address))

    async def planned(self, key: str, salt: bytes) -> str:
        """Answer where the factory would make the wallet of a key."""
        asked = encoded("placeOf(address,bytes32)", Account.from_key(key).address, salt)
        (place,) = await self.operator.read(self.factory, asked, "address")
        return str(place)

    def bound(self, key: str, wallet: str, text: str) -> str:
        """Sign a text as the wallet that binds signatures to itself and its chain."""
        digest = encode_args(["uint256", "address", "bytes32"], [self.chain_id, wallet, personal(text)])
        return signed(key, keccak(digest))

    def wrapped(self, key: str, salt: bytes, text: str, owner: str | None = None) -> str:
        """Sign a text for a wallet that the factory has not made yet (ERC-6492); by default for the key's own."""
        creation = encoded("create(address,bytes32)", owner or Account.from_key(key).address, salt)
        inner = bytes.fromhex(signed(key, personal(text))[2:])
        return "0x" + (encode_args(["address", "bytes", "bytes"], [self.factory, creation, inner]) + WRAPPED).hex()


def personal(text: str) -> bytes:
    """The digest of a personal signature, as a library computes it."""
    message = encode_defunct(text=text)
    return keccak(b"\x19" + message.version + message.header + message.body)


def signed(key: str, digest: bytes) -> str:
    return "0x" + bytes(Account.unsafe_sign_hash(digest, key).signature).hex()


@asynccontextmanager
async def wallet_chain(folder: Path, *, chain_id: int = 1) -> AsyncIterator[WalletChain]:
    """Run it until the block ends."""
    async with (
        HttpClient() as http,
        running_anvil(
            find_anvil(), chain_id=chain_id, name="wallets", mnemonic=MNEMONIC, accounts=1, folder=folder, http=http
        ) as rpc,
    ):
        yield await wallets_on(rpc, chain_id)


async def wallets_on(rpc: EvmRpc, chain_id: int) -> WalletChain:
    """Return what deploys wallets on a local chain that runs already."""
    codes = await creation_codes(SOURCE)
    operator = await unlocked(rpc, sandbox_account(DEPLOYER).address, 10_000 * _ETHER)
    return WalletChain(rpc, chain_id, operator, codes, await operator.deploy(codes["WalletFactory"]))
