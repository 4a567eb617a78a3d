"""What emulators use: the chains, their pools' prices, and funded accounts."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import aiohttp

from rhumbline.devnet.duty_roster import DutyRoster
from rhumbline.devnet.evm.accounts import SOLVER, sandbox_account
from rhumbline.devnet.evm.operator import Operator, unlocked
from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.devnet.upstreams.background import kept_running
from rhumbline.devnet.upstreams.heads import Heads
from rhumbline.devnet.upstreams.market import Market
from rhumbline.devnet.upstreams.svm_market import SvmMarket
from rhumbline.devnet.upstreams.svm_node import NodeNews, SvmNode
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.gateways.nodes.svm.rpc import SvmRpc

COMPILED = Path(__file__).with_name("compiled")
_SOLVER_BALANCE = 1_000_000 * 10**18


@dataclass(frozen=True, slots=True)
class World:
    """The chains by their IDs. ``solvers`` are accounts with the native asset and every token, one for each EVM chain.

    ``rpcs``, ``heads`` and ``solvers`` are those of EVM chains, ``nodes`` those of Solana chains.
    """

    chains: Mapping[int, SandboxChain]
    rpcs: Mapping[int, EvmRpc]
    heads: Mapping[int, Heads]
    solvers: Mapping[int, Operator]
    market: Market
    posts: DutyRoster
    nodes: Mapping[int, SvmNode]

    @property
    def evm_chains(self) -> Mapping[int, SandboxChain]:
        return {number: chain for number, chain in self.chains.items() if chain.type is ChainType.EVM}

    def on_post(self, on_duty: Callable[[], bool]) -> "World":
        """Return the same world, whose new blocks and transactions are seen only while `on_duty`."""
        return replace(
            self,
            heads={chain: replace(heads, on_duty=on_duty) for chain, heads in self.heads.items()},
            nodes={chain: replace(node, on_duty=on_duty) for chain, node in self.nodes.items()},
        )

    def chain(self, chain_id: int) -> SandboxChain:
        """Find a chain: its tokens, contracts and pools; raise KeyError if there is none."""
        return self.chains[chain_id]

    def rpc(self, chain_id: int) -> EvmRpc:
        """Return a chain's node, which also supports anvil's own methods."""
        return self.rpcs[chain_id]

    def svm(self, chain_id: int) -> SvmNode:
        """Return a Solana chain; raise KeyError if there is none."""
        return self.nodes[chain_id]

    def solver(self, chain_id: int) -> Operator:
        """Return the paying account of an EVM chain; its transactions need no signature."""
        return self.solvers[chain_id]

    async def block_time(self, chain_id: int) -> int:
        """Return the latest block's timestamp in Unix seconds, which is the contracts' time."""
        block = await self.rpcs[chain_id].call("eth_getBlockByNumber", ["latest", False])
        if not isinstance(block, dict):
            raise NodeUnavailable(f"{self.chains[chain_id].key}: there is no latest block")
        return quantity(block["timestamp"])

    async def install_code(self, chain_id: int, address: str, code: bytes) -> None:
        """Place runtime code at an address; its storage stays."""
        await self.rpcs[chain_id].call("anvil_setCode", [address, "0x" + code.hex()])

    async def store(self, chain_id: int, address: str, slot: int, value: int) -> None:
        """Write a storage slot: the configuration of a contract without a constructor."""
        words = [f"0x{word:064x}" for word in (slot, value)]
        await self.rpcs[chain_id].call("anvil_setStorageAt", [address, *words])

    def settlement(self, name: str) -> bytes:
        """Return the committed runtime code of ``solidity/upstreams/<name>.sol``; raise FileNotFoundError if none."""
        compiled = json.loads((COMPILED / f"{name}.json").read_text("utf-8"))
        return bytes.fromhex(compiled["runtime"].removeprefix("0x"))


@asynccontextmanager
async def running_world(sandbox: Sandbox) -> AsyncIterator[World]:
    """Open the chains of a running sandbox for emulators, for the length of the context."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(HttpClient())
        session = await stack.enter_async_context(aiohttp.ClientSession())
        chains = {chain.id: chain for chain in sandbox.chains}
        rpcs = {chain.id: EvmRpc(chain.rpc_url, http, chain.key) for chain in sandbox.evm_chains}
        heads, solvers, nodes = {}, {}, {}
        for number, rpc in rpcs.items():
            heads[number] = Heads(rpc)
            await heads[number].connect(stack, session)
            await stack.enter_async_context(kept_running(heads[number].run(), f"heads of {rpc.name}"))
            solvers[number] = await unlocked(rpc, sandbox_account(SOLVER).address, _SOLVER_BALANCE)
        for number, chain in chains.items():
            if chain.type is ChainType.SVM:
                nodes[number] = await _opened(chain, stack, http, session)
        yield World(
            MappingProxyType(chains), MappingProxyType(rpcs), MappingProxyType(heads), MappingProxyType(solvers),
            Market(MappingProxyType(chains), MappingProxyType(rpcs), _markets(nodes)), sandbox.posts,
            MappingProxyType(nodes),
        )  # fmt: skip


def _markets(nodes: Mapping[int, SvmNode]) -> Mapping[int, SvmMarket]:
    return MappingProxyType({number: SvmMarket(node.chain, node.rpc) for number, node in nodes.items()})


async def _opened(
    chain: SandboxChain, stack: AsyncExitStack, http: HttpClient, session: aiohttp.ClientSession
) -> SvmNode:
    news = NodeNews(chain.ws_url, session)
    await news.connect(stack)
    await stack.enter_async_context(kept_running(news.run(), f"slots of {chain.key}"))
    return SvmNode(SvmRpc(chain.rpc_url, http, chain.key), chain, news)
