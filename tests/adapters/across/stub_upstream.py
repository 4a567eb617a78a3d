"""The adapter against recorded answers, on chains as they are in the world. No node is ever asked."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.across import SPEC
from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from tests.adapters.exchanges.recorded import Recorded, recorded_upstream, recording

HERE = Path(__file__).parent
WALLET = "0x1111111111111111111111111111111111111111"
EXECUTOR = "0x2222222222222222222222222222222222222222"
RECEIVER = "0x3333333333333333333333333333333333333333"
POOL = "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5"
BASE_WETH = "0x4200000000000000000000000000000000000006"
SOLANA_ID = 1_000_000_001
WALLET_SVM = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
USDC = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
USDC_BASE = Token(8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USDC", 6, "USD Coin")
USDC_SVM = Token(SOLANA_ID, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC", 6, "USD Coin")
ETHER = Token(1, NATIVE_EVM, "ETH", 18, "Ether")
ETHER_BASE = Token(8453, NATIVE_EVM, "ETH", 18, "Ether")
WETH = Token(1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "WETH", 18, "Wrapped Ether")
SOL = Token(SOLANA_ID, NATIVE_SVM, "SOL", 9, "Solana")
ETHEREUM = Chain(1, "ethereum", "Ethereum", ChainType.EVM, ETHER, mainnet=True, wrapped_native=WETH.address)
BASE = Chain(8453, "base", "Base", ChainType.EVM, ETHER_BASE, mainnet=True, wrapped_native=BASE_WETH)
SOLANA = Chain(SOLANA_ID, "solana", "Solana", ChainType.SVM, SOL, mainnet=True)
CHAINS = {chain.id: chain for chain in (ETHEREUM, BASE, SOLANA)}
CREDENTIALS = {"api_key": "s3cret", "integrator_id": "0xbeef"}
REQUEST = QuoteRequest(
    ETHEREUM, BASE, USDC, USDC_BASE, 1_000_000_000, sender=WALLET, receiver=RECEIVER, taker=EXECUTOR,
    payout_address=RECEIVER, slippage=Fraction(59_999, 10_000_000), deadline=1_900_000_000,
)  # fmt: skip
TO_SOLANA = replace(
    REQUEST, destination=SOLANA, destination_token=USDC_SVM, receiver=WALLET_SVM, payout_address=WALLET_SVM
)


@dataclass(frozen=True)
class StubUpstream:
    adapter: AcrossAdapter
    upstream: Recorded
    keyless: AcrossAdapter


def said(name: str) -> Any:
    return recording(HERE, name)


def adapter_of(http: Upstream, client: HttpClient, credentials: Mapping[str, str]) -> AcrossAdapter:
    node = EvmRpc("http://127.0.0.1:9", client, "ethereum")
    return AcrossAdapter(
        AdapterContext(
            SPEC.key, http, SPEC.deployments, dict.fromkeys((1,), node), CHAINS, system_clock,
            credentials,
        )
    )  # fmt: skip


@asynccontextmanager
async def open_stub() -> AsyncIterator[StubUpstream]:
    async with recorded_upstream() as recorded:
        recorded.says("/suggested-fees", said("suggested_fees.json"))
        recorded.says("/swap/approval", said("swap_approval.json"))
        recorded.says("/limits", said("limits.json"))
        recorded.says("/deposit/status", said("deposit_status.json"))
        url = recorded.url + "/api"
        async with (
            HttpClient() as client,
            open_upstream(SPEC.key, url, headers=SPEC.headers(CREDENTIALS)) as http,
            open_upstream(SPEC.key, url, headers=SPEC.headers({})) as bare,
        ):
            yield StubUpstream(adapter_of(http, client, CREDENTIALS), recorded, adapter_of(bare, client, {}))
