"""A chain of the operator's: a bare node with an ID of its own, a token and a market on it, and nothing of ours."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rhumbline.devnet.artifacts import contract_codes
from rhumbline.devnet.evm.accounts import DEPLOYER, MNEMONIC, sandbox_account
from rhumbline.devnet.evm.nodes import find_anvil, running_anvil
from rhumbline.devnet.evm.operator import Operator, constructed, encoded, unlocked
from rhumbline.devnet.tokens import token_codes
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.sandbox_fixture import CACHE

CHAIN_ID = 700_700
ETHER = 10**18
USDC = 10**6
_NOWHERE = "0x" + "00" * 20


@dataclass(frozen=True)
class OwnChain:
    rpc: EvmRpc
    weth: str
    usdc: str
    v2_factory: str
    router: str

    @property
    def settings(self) -> str:
        """What an operator adds to the settings for a chain, a token and a market that Rhumbline does not know."""
        return f"""
[[chains]]
id = {CHAIN_ID}
key = "own"
name = "Our chain"
rpc = "{self.rpc.url}"
wrapped_native = "{self.weth}"
native = {{ symbol = "ETH", name = "Ether", coin_key = "ETH" }}

[[tokens]]
chain_id = {CHAIN_ID}
address = "{self.usdc}"
symbol = "USDC"
decimals = 6
name = "USD Coin"
coin_key = "USDC"

[adapters.onchain.deployments.{CHAIN_ID}]
router = "{self.router}"
wrapped_native = "{self.weth}"

[[adapters.onchain.deployments.{CHAIN_ID}.sources]]
key = "UNISWAP_V2"
kind = "v2"
factory = "{self.v2_factory}"
fee = 3000
"""


@asynccontextmanager
async def own_chain(folder: Path) -> AsyncIterator[OwnChain]:
    """Run it until the block ends, with a block a second, as chains have them."""
    async with (
        HttpClient() as http,
        running_anvil(
            find_anvil(), chain_id=CHAIN_ID, name="own", mnemonic=MNEMONIC, accounts=2, folder=folder, http=http
        ) as rpc,
    ):
        chain = await _furnished(rpc)
        await rpc.call("evm_setIntervalMining", [1])
        yield chain


async def _furnished(rpc: EvmRpc) -> OwnChain:
    codes = await contract_codes(CACHE, print)
    others = await unlocked(rpc, sandbox_account(DEPLOYER).address, 10_000 * ETHER)
    multicall = await rpc.call("eth_call", [{"data": "0x" + codes["Multicall3"].hex()}, "latest"])
    await rpc.call("anvil_setCode", [MULTICALL3, multicall])
    weth = await others.deploy(codes["WETH9"])
    usdc = await others.deploy(
        constructed(token_codes()["SandboxToken"], ("string", "string", "uint8"), "USD Coin", "USDC", 6)
    )
    factory = await others.deploy(constructed(codes["UniswapV2Factory"], ("address",), others.address))
    router = await others.deploy(
        constructed(codes["SwapRouter02"], ("address",) * 4, factory, _NOWHERE, _NOWHERE, weth)
    )
    await _pool(others, factory, weth, usdc)
    return OwnChain(rpc, weth, usdc, factory, router)


async def _pool(others: Operator, factory: str, weth: str, usdc: str) -> None:
    """1,000 WETH at 3,000 USDC each."""
    await others.send(factory, encoded("createPair(address,address)", weth, usdc))
    pair = await others.address_of(factory, encoded("getPair(address,address)", weth, usdc))
    await others.send(weth, encoded("deposit()"), 1_000 * ETHER)
    await others.send(weth, encoded("transfer(address,uint256)", pair, 1_000 * ETHER))
    await others.send(usdc, encoded("mint(address,uint256)", pair, 3_000_000 * USDC))
    await others.send(pair, encoded("mint(address)", others.address))
