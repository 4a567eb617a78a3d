"""Mayan by recordings: what it answers is fixed, how it was asked is kept to the letter."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.mayan import SPECS
from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.exchanges.recorded import EvmStub, Recorded, recorded_upstream, recording

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SENDER = "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4"
RECEIVER = "0xAb8483F64d9C6d1EcF9b849Ae677dD3315835cb2"
SOL_RECEIVER = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
EXECUTOR = "0xdD870fA1b7C4700F2BD7f44238821C26f7392148"
ROUTER = "0x111111125421cA6dc452d289314280a0f8842A65"
SWIFT_1 = "0xC38e4e6A15593f908255214653d3D947CA1c2338"
SWIFT_2 = "0x40fFE85A28DC9993541449464d7529a922142960"
SOLANA = 1000000001
KEYS = {spec.key: spec for spec in SPECS}


def _chain(number: int, wrapped: str, type_: ChainType = ChainType.EVM) -> Chain:
    svm = type_ is ChainType.SVM
    native = Token(number, NATIVE_SVM if svm else NATIVE_EVM, "SOL" if svm else "ETH", 9 if svm else 18, "Native")
    return Chain(number, f"c{number}", f"Chain {number}", type_, native, mainnet=True, wrapped_native=wrapped)


CHAINS = {
    1: _chain(1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
    8453: _chain(8453, "0x4200000000000000000000000000000000000006"),
    100: _chain(100, "0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d"),
    SOLANA: _chain(SOLANA, "So11111111111111111111111111111111111111112", ChainType.SVM),
}
TOKENS = {
    "USDC": Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin"),
    "DAI": Token(1, "0x6B175474E89094C44Da98b954EedeAC495271d0F", "DAI", 18, "Dai"),
    "ETH": CHAINS[1].native,
    "base USDC": Token(8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USDC", 6, "USD Coin"),
    "base ETH": CHAINS[8453].native,
    "solana USDC": Token(SOLANA, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC", 6, "USD Coin"),
    "SOL": CHAINS[SOLANA].native,
}
RECORDED = {
    "swift_usdc_to_base_usdc": ("USDC", "base USDC", 250_000_000),
    "swift_v1_eth_to_base_eth": ("ETH", "base ETH", 10**17),
    "swift_dai_to_sol": ("DAI", "SOL", 500 * 10**18),
    "mctp_usdc_to_base_usdc": ("USDC", "base USDC", 250_000_000),
    "mctp_usdc_to_base_eth": ("USDC", "base ETH", 250_000_000),
    "fast_usdc_to_base_usdc": ("USDC", "base USDC", 250_000_000),
    "fast_dai_to_base_eth": ("DAI", "base ETH", 500 * 10**18),
    "wh_usdc_to_sol_usdc": ("USDC", "solana USDC", 250_000_000),
}
KIND_KEYS = {"swift": "MAYAN_SWIFT", "mctp": "MAYAN_MCTP", "fast": "MAYAN_FAST_MCTP", "wh": "MAYAN_WORMHOLE"}


def read(name: str) -> Any:
    return recording(Path(__file__).parent, f"{name}.json")


def request(
    origin: str = "USDC", destination: str = "base USDC", amount: int = 250_000_000, **more: Any
) -> QuoteRequest:
    """Through the Executor, with half a percent of slippage."""
    tokens = TOKENS[origin], TOKENS[destination]
    receiver = SOL_RECEIVER if tokens[1].chain_id == SOLANA else RECEIVER
    asked = QuoteRequest(
        CHAINS[tokens[0].chain_id], CHAINS[tokens[1].chain_id], *tokens, amount,
        sender=SENDER, receiver=receiver, taker=EXECUTOR, payout_address=receiver,
        slippage=Fraction(1, 200), deadline=int(NOW.timestamp()) + 1200,
    )  # fmt: skip
    return replace(asked, **more)


def transfer(**more: Any) -> Transfer:
    begun = Transfer(
        "MAYAN_SWIFT", 1, 8453, "0x" + "ab" * 32, 3, SENDER, RECEIVER, SENDER, TOKENS["USDC"].address, 250_000_000,
        TOKENS["base USDC"].address, 248_551_000, "0x" + "cd" * 32, NOW,
    )  # fmt: skip
    return replace(begun, **more)


@dataclass(frozen=True)
class StubUpstream(EvmStub):
    adapter: MayanAdapter
    recorded: Recorded

    def quotes(self, *documents: Any) -> None:
        self.recorded.says("/quote", {"quotes": list(documents), "minimumSdkVersion": [7, 0, 0]})


def changed(adapter: MayanAdapter, **changes: Any) -> MayanAdapter:
    """The same adapter, made with some other arguments."""
    given = {name: getattr(adapter, name) for name in ("context", "info", "kinds", "version", "random")}
    return MayanAdapter(**given | changes)


@asynccontextmanager
async def open_stub(key: str = "MAYAN", credentials: Mapping[str, str] | None = None) -> AsyncIterator[StubUpstream]:
    """The adapter, its contracts and routers pinned, before a server that gives the recordings; no node is there."""
    spec = KEYS[key]
    places = {
        number: replace(place, swift_first=(SWIFT_1,), routers=(ROUTER,)) for number, place in DEPLOYMENTS.items()
    }
    async with (
        recorded_upstream() as recorded,
        open_upstream(key, recorded.url + "/v3") as http,
        open_upstream(key, recorded.url + "/explorer") as explorer,
    ):
        more = {"explorer": explorer}
        made = spec.make(AdapterContext(key, http, places, {}, CHAINS, lambda: NOW, credentials or {}, more))
        assert isinstance(made, MayanAdapter)
        recorded.says("/get-swap/evm", read("get_swap"))
        yield StubUpstream(changed(made, random=lambda count: bytes(range(count))), recorded)
