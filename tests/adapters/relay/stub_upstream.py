"""The adapter against recorded answers, on chains as they are in the world.

The recordings are written for the project in the documented shape; the key that signs their orders is a test's own.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.relay import SPEC
from rhumbline.adapters.relay.adapter import RelayAdapter
from rhumbline.adapters.relay.deployments import DEPLOYMENTS
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.exchanges.recorded import EvmStub, Recorded, recorded_upstream, recording

WALLET = "0x1111111111111111111111111111111111111111"
EXECUTOR = "0x2222222222222222222222222222222222222222"
RECEIVER = "0x3333333333333333333333333333333333333333"
STRANGER = "0x000000000000000000000000000000000000dEaD"
SOLVER_KEY = "0x" + "07" * 32
SOLVER = "0x4a62316623ad457F02cDC5D997deD67a383EC569"
SOLANA_ID = 1_000_000_001
ETHER = Token(1, NATIVE_EVM, "ETH", 18, "Ether")
WETH = Token(1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "WETH", 18, "Wrapped Ether")
USDC = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
BASE_ETHER = Token(8453, NATIVE_EVM, "ETH", 18, "Ether")
BASE_USDC = Token(8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USDC", 6, "USD Coin")
SOL = Token(SOLANA_ID, NATIVE_SVM, "SOL", 9, "Solana")
ETHEREUM = Chain(
    1, "eth", "Ethereum", ChainType.EVM, ETHER, mainnet=True, wrapped_native=WETH.address, executor=EXECUTOR
)
BASE = Chain(8453, "base", "Base", ChainType.EVM, BASE_ETHER, mainnet=True)
SOLANA = Chain(SOLANA_ID, "sol", "Solana", ChainType.SVM, SOL, mainnet=True)
HERE = Path(__file__).parent
NOW = datetime.fromtimestamp(1_893_456_000 - 7 * 86_400, UTC)
"""The recorded orders end after seven days, as Relay's do."""
REQUEST_ID = "0x" + "5b" * 32
REQUEST = QuoteRequest(
    ETHEREUM, BASE, USDC, BASE_USDC, 250_000_000, sender=WALLET, receiver=RECEIVER, taker=EXECUTOR,
    payout_address=RECEIVER, slippage=Fraction(5, 1000), deadline=1_900_000_000,
)  # fmt: skip
SWAP = replace(REQUEST, destination=ETHEREUM, destination_token=ETHER, payout_address=EXECUTOR)


@dataclass(frozen=True)
class StubUpstream(EvmStub):
    adapter: RelayAdapter
    upstream: Recorded


def said(name: str) -> Any:
    return recording(HERE, name)


@asynccontextmanager
async def open_stub() -> AsyncIterator[StubUpstream]:
    places = {number: replace(place, solver=SOLVER) for number, place in DEPLOYMENTS.items()}
    chains = {1: ETHEREUM, 8453: BASE, SOLANA_ID: SOLANA}
    async with recorded_upstream() as recorded:
        recorded.says("/quote/v2", said("transfer.json"))
        recorded.says("/intents/status/v3", said("status_success.json"))
        headers = SPEC.headers({"api_key": "k-1"})
        async with open_upstream(SPEC.key, recorded.url, headers=headers) as http:
            parts = AdapterContext(SPEC.key, http, places, {}, chains, lambda: NOW)
            yield StubUpstream(RelayAdapter(parts), recorded)
