"""The sandbox's V3 pools, as the adapter reads them, for both V3 scenarios."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import SandboxChain, SandboxConfig
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.block_reads import Head
from rhumbline.liquidity.deployments import Deployment, uniswap
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.tick_math import outermost_words
from rhumbline.liquidity.kinds.v3 import V3Pool
from rhumbline.liquidity.paths import pairs_on
from rhumbline.liquidity.snapshots import PoolBook

CACHE = Path(__file__).parents[1] / ".rhumbline" / "cache"


@dataclass(frozen=True)
class Market:
    """One chain's V3 pools with their states and every tick of theirs."""

    rpc: EvmRpc
    quoter: str
    head: Head
    pools: tuple[tuple[Pool, V3Pool], ...]

    def question(self, pool: Pool, zero_for_one: bool, amount: int) -> tuple[str, list[object]]:
        """The `eth_call` of QuoterV2 that asks the same."""
        token_in, token_out = (pool.token0, pool.token1) if zero_for_one else (pool.token1, pool.token0)
        data = encode_call(
            "quoteExactInputSingle((address,address,uint256,uint24,uint160))",
            ["(address,address,uint256,uint24,uint160)"],
            [(token_in, token_out, amount, pool.fee, 0)],
        )
        return "eth_call", [{"to": self.quoter, "data": "0x" + data.hex()}, hex(self.head.number)]


@asynccontextmanager
async def markets() -> AsyncIterator[tuple[Market, ...]]:
    """Start the sandbox and read all of it."""
    async with running_sandbox(SandboxConfig(cache=CACHE)) as sandbox, HttpClient() as http:
        nodes = [(chain, EvmRpc(chain.rpc_url, http, chain.key, 60.0)) for chain in sandbox.evm_chains]
        yield tuple([await _market(chain, rpc) for chain, rpc in nodes])


async def _market(chain: SandboxChain, rpc: EvmRpc) -> Market:
    weth = Token(chain.id, chain.contracts["weth9"], "WETH", 18, "WETH")
    place = Deployment(weth, uniswap(None, chain.contracts["uniswap_v3_factory"]))
    book = PoolBook(rpc, place, lambda: 0.0)
    snapshot = await book.newest()
    tokens = [token.address for token in chain.tokens.values()]
    found = await PoolFinder(rpc, place, lambda: 0.0).find(pairs_on((a, b) for a in tokens for b in tokens if a != b))
    pools = [pool for each in found.values() for pool in each]
    states = await book.states(snapshot, pools)
    whole = []
    for pool in pools:
        live = states[pool.key]
        lowest, highest = outermost_words(pool.spacing)
        while isinstance(live, V3Pool) and live.state.first_word > lowest:
            live = (await book.widen(snapshot, [(pool, live, True)]))[pool.key]
        while isinstance(live, V3Pool) and live.state.last_word < highest:
            live = (await book.widen(snapshot, [(pool, live, False)]))[pool.key]
        assert isinstance(live, V3Pool)
        whole.append((pool, live))
    return Market(rpc, chain.contracts["quoter_v2"], snapshot.head, tuple(whole))
