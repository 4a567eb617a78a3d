"""The adapter against a recorded answer, at a time that stands still."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.okx import SPEC
from rhumbline.adapters.okx.adapter import OkxAdapter
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.http.upstream import open_upstream
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
NOW = datetime(2026, 11, 21, 4, 0, 0, 123456, UTC)
DEADLINE = 1_900_000_000
REQUEST = QuoteRequest(
    ETHEREUM, ETHEREUM, WETH, USDC, 10**18, sender=WALLET, receiver=RECEIVER, taker=EXECUTOR, payout_address=EXECUTOR,
    slippage=Fraction(5, 1000), deadline=DEADLINE,
)  # fmt: skip
CREDENTIALS = {"key": "harbour", "secret": "undertow", "passphrase": "ebb and flow"}


@dataclass(frozen=True)
class StubUpstream:
    adapter: OkxAdapter
    upstream: Recorded


def said() -> Any:
    return recording(HERE, "swap.json")


def recorded_call() -> bytes:
    return bytes.fromhex(said()["data"][0]["tx"]["data"][2:])


@asynccontextmanager
async def open_shop() -> AsyncIterator[StubUpstream]:
    async with recorded_upstream() as recorded:
        recorded.says("/swap", said())
        async with open_upstream(SPEC.key, recorded.url, headers=SPEC.headers(CREDENTIALS)) as http:
            parts = AdapterContext(SPEC.key, http, SPEC.deployments, {}, {1: ETHEREUM}, lambda: NOW, CREDENTIALS)
            yield StubUpstream(OkxAdapter(parts), recorded)
