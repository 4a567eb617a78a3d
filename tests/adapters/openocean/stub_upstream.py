"""The adapter against a recorded answer. Gas costs what a real node says, that of a sandbox chain."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.openocean import SPEC
from rhumbline.adapters.openocean.adapter import OpenOceanAdapter
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.upstream import open_upstream
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.spec import AdapterContext
from tests.adapters.exchanges.recorded import Recorded, recorded_upstream, recording

WALLET = "0x1111111111111111111111111111111111111111"
EXECUTOR = "0x2222222222222222222222222222222222222222"
RECEIVER = "0x3333333333333333333333333333333333333333"
ETHER = Token(1, NATIVE_EVM, "ETH", 18, "Ether")
WETH = Token(1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "WETH", 18, "Wrapped Ether")
USDC = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
ETHEREUM = Chain(
    1, "ethereum", "Ethereum", ChainType.EVM, ETHER, mainnet=True, wrapped_native=WETH.address, executor=EXECUTOR
)
HERE = Path(__file__).parent
REQUEST = QuoteRequest(
    ETHEREUM, ETHEREUM, WETH, USDC, 10**18, sender=WALLET, receiver=RECEIVER, taker=EXECUTOR, payout_address=EXECUTOR,
    slippage=Fraction(5, 1000), deadline=1_900_000_000,
)  # fmt: skip


@dataclass(frozen=True)
class StubUpstream:
    adapter: OpenOceanAdapter
    upstream: Recorded
    node: EvmRpc


def said() -> Any:
    return recording(HERE, "swap.json")


@asynccontextmanager
async def open_shop(sandbox: Sandbox) -> AsyncIterator[StubUpstream]:
    async with recorded_upstream() as recorded, HttpClient() as client:
        recorded.says("/swap", said())
        node = EvmRpc(sandbox.evm_chains[0].rpc_url, client, "ethereum")
        headers = SPEC.headers({"referer": "https://swap.example/"})
        async with open_upstream(SPEC.key, recorded.url, headers=headers) as http:
            parts = AdapterContext(SPEC.key, http, SPEC.deployments, {1: node}, {1: ETHEREUM}, system_clock)
            yield StubUpstream(OpenOceanAdapter(parts), recorded, node)
