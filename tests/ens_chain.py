"""A chain with the ID of Ethereum, and names on it: contracts/test/support/Names.sol where ENS has its entry."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rhumbline.devnet.evm.accounts import DEPLOYER, MNEMONIC, sandbox_account
from rhumbline.devnet.evm.nodes import find_anvil, running_anvil
from rhumbline.devnet.evm.operator import Operator, constructed, encoded, unlocked
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.ens import MAINNET, UNIVERSAL_RESOLVER
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.solidity import ROOT, creation_codes

SOURCE = ROOT / "contracts" / "test" / "support" / "Names.sol"
ETHER_COIN = 60
EVM_COINS = 0x80000000
_ETHER = 10**18


@dataclass(frozen=True)
class EnsChain:
    rpc: EvmRpc
    operator: Operator
    codes: Mapping[str, bytes]
    resolver: str

    async def name(self, name: str, address: str, chain_id: int = MAINNET) -> None:
        """Let a name mean an address on a chain."""
        coin = ETHER_COIN if chain_id == MAINNET else EVM_COINS | chain_id
        await self.name_bytes(name, coin, bytes.fromhex(address.removeprefix("0x")))

    async def name_bytes(self, name: str, coin: int, written: bytes) -> None:
        await self.resolved_by(name, self.resolver)
        (node,) = await self.operator.read(UNIVERSAL_RESOLVER, encoded("nodeOf(string[])", name.split(".")), "bytes32")
        await self.operator.send(self.resolver, encoded("set(bytes32,uint256,bytes)", node, coin, written))

    async def resolved_by(self, name: str, resolver: str) -> None:
        """Let a resolver answer for a name."""
        await self.operator.send(UNIVERSAL_RESOLVER, encoded("register(string[],address)", name.split("."), resolver))

    async def deploy(self, contract: str, types: tuple[str, ...] = (), *values: object) -> str:
        return await self.operator.deploy(constructed(self.codes[contract], types, *values))


@asynccontextmanager
async def ens_chain(folder: Path, *, chain_id: int = MAINNET) -> AsyncIterator[EnsChain]:
    """Run it until the block ends."""
    codes = await creation_codes(SOURCE)
    async with (
        HttpClient() as http,
        running_anvil(
            find_anvil(), chain_id=chain_id, name="names", mnemonic=MNEMONIC, accounts=1, folder=folder, http=http
        ) as rpc,
    ):
        operator = await unlocked(rpc, sandbox_account(DEPLOYER).address, 10_000 * _ETHER)
        runtime = await rpc.call("eth_call", [{"data": "0x" + codes["Names"].hex()}, "latest"])
        await rpc.call("anvil_setCode", [UNIVERSAL_RESOLVER, runtime])
        yield EnsChain(rpc, operator, codes, await operator.deploy(codes["Resolver"]))
