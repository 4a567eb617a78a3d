"""The adapter against recorded answers, on chains as they are in the world."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.gaszip import SPEC
from rhumbline.adapters.gaszip.adapter import GasZipAdapter
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.exchanges.recorded import EvmStub, Recorded, recorded_upstream, recording

WALLET = "0x1111111111111111111111111111111111111111"
RECEIVER = "0x3333333333333333333333333333333333333333"
EXECUTOR = "0x2222222222222222222222222222222222222222"
ETHER = Token(1, NATIVE_EVM, "ETH", 18, "Ether", "ETH")
USDC = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
ARBITRUM_ETHER = Token(42161, NATIVE_EVM, "ETH", 18, "Ether", "ETH")
POL = Token(137, NATIVE_EVM, "POL", 18, "POL", "POL")
ETHEREUM = Chain(1, "eth", "Ethereum", ChainType.EVM, ETHER, mainnet=True)
ARBITRUM = Chain(42161, "arb", "Arbitrum", ChainType.EVM, ARBITRUM_ETHER, mainnet=True)
POLYGON = Chain(137, "pol", "Polygon", ChainType.EVM, POL, mainnet=True)
CONTRACT = "0x2a37D63EAdFe4b4682a3c28C1c2cD4F109Cc2762"
HERE = Path(__file__).parent
AMOUNT = 6 * 10**15
REQUEST = QuoteRequest(
    ETHEREUM, ARBITRUM, ETHER, ARBITRUM_ETHER, AMOUNT, sender=WALLET, receiver=RECEIVER, taker=WALLET,
    payout_address=RECEIVER, slippage=Fraction(5, 1000), deadline=1_900_000_000,
)  # fmt: skip


@dataclass(frozen=True)
class StubUpstream(EvmStub):
    adapter: GasZipAdapter
    upstream: Recorded

    def quotes(self, answer: Any, status: int = 200) -> None:
        self.upstream.says("/quotes/1/6000000000000000/42161", answer, status)


def said(name: str) -> Any:
    return recording(HERE, name)


@asynccontextmanager
async def open_stub() -> AsyncIterator[StubUpstream]:
    async with recorded_upstream() as recorded:
        recorded.says("/chains", said("chains.json"))
        recorded.says("a1" * 32, said("deposit_paid.json"))
        async with open_upstream(SPEC.key, recorded.url + "/v2", headers=SPEC.headers({})) as http:
            parts = AdapterContext(
                SPEC.key, http, SPEC.deployments, {}, {1: ETHEREUM, 42161: ARBITRUM, 137: POLYGON},
                system_clock,
            )  # fmt: skip
            stub_upstream = StubUpstream(GasZipAdapter(parts), recorded)
            stub_upstream.quotes(said("quote.json"))
            yield stub_upstream
