"""An exchange's adapter against recorded answers, at a time that stands still, on chains as they are in the world."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.exchanges.exchange import Exchange, at, put
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
NOW = datetime(2026, 11, 21, 4, 0, 0, 123456, UTC)
DEADLINE = 1_900_000_000
REQUEST = QuoteRequest(
    ETHEREUM, ETHEREUM, WETH, USDC, 10**18, sender=WALLET, receiver=RECEIVER, taker=EXECUTOR, payout_address=EXECUTOR,
    slippage=Fraction(5, 1000), deadline=DEADLINE,
)  # fmt: skip


@dataclass(frozen=True)
class StubUpstream:
    exchange: Exchange
    adapter: Any
    upstream: Recorded
    node: EvmRpc

    def said(self, path: str = "") -> Any:
        """What was recorded at a path, the quote's where none is named."""
        return recording(self.exchange.folder, self.exchange.recordings[path or self.exchange.quotes])

    def call(self) -> bytes:
        """The recorded call."""
        return bytes.fromhex(at(self.said(self.exchange.calls), self.exchange.call)[2:])

    def says(self, place: str, value: object, path: str = "") -> None:
        """Have a recorded answer changed at a place."""
        path = path or self.exchange.quotes
        self.upstream.says(path, put(self.said(path), place, value))

    def says_call(self, call: bytes) -> None:
        """Have the recorded answer come with another call."""
        self.says(self.exchange.call, "0x" + call.hex(), self.exchange.calls)

    async def built(self, request: QuoteRequest = REQUEST) -> EvmTransaction:
        """Quote, and build with the minimum that was recorded."""
        quote = await self.adapter.quote(request)
        made = await self.adapter.build(replace(quote, min_output_amount=self.exchange.minimum))
        assert isinstance(made, EvmTransaction)
        return made

    async def failure(self, body: object, status: int = 200) -> AdapterError:
        """What a quote is refused as, when its upstream replies so."""
        self.upstream.says(self.exchange.quotes, body, status)
        with pytest.raises(AdapterError) as failed:
            await self.adapter.quote(REQUEST)
        return failed.value


@asynccontextmanager
async def open_stub(exchange: Exchange, sandbox: Sandbox) -> AsyncIterator[StubUpstream]:
    """The adapter, on a node of the sandbox where its exchange needs one."""
    spec = exchange.spec
    async with recorded_upstream() as recorded, HttpClient() as client:
        for path, name in exchange.recordings.items():
            recorded.says(path, (exchange.folder / "recordings" / name).read_text("utf-8"))
        node = EvmRpc(sandbox.evm_chains[0].rpc_url, client, "ethereum")
        async with open_upstream(spec.key, recorded.url, headers=spec.headers(exchange.credentials)) as http:
            rpcs = {1: node} if exchange.needs_node else {}
            context = AdapterContext(
                spec.key, http, spec.deployments, rpcs, {1: ETHEREUM}, lambda: NOW, exchange.credentials
            )
            yield StubUpstream(exchange, spec.make(context), recorded, node)
