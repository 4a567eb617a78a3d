"""The adapter against recorded answers.

``route_usdc_sol`` is a printed answer of 2026-09-09, keyless, its table cut to what is looked up in it and its
blockhash left out; ``shared_route_sol_usdc`` one of the same day, cut to one pool of three and one table of five
(github.com/1xmint/theradar, crates/radar-exec/fixtures, commits 98cc21e and 8259087). Both are for the same wallet.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rhumbline.adapters.jupiter import SPEC
from rhumbline.adapters.jupiter.adapter import JupiterAdapter
from rhumbline.adapters.jupiter.deployments import SOLANA
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.exchanges.recorded import Recorded, recorded_upstream, recording
from tests.adapters.svm_accounts import known_accounts, mint

WALLET = "CjfBjFVBs6QRvRTpMdKTBxZ7PZuJvHXWQKGRvR7wFbdz"
WALLETS_SOL = "G1FG1CHLt32XiEzE7VX5BZXoDZodetRBReM69kbHRHvo"
WALLETS_USDC = "37b6XXe8UKT7Y6kLoQCvC3qgBf6my9H5JcdUH7Ds7pJk"
STRANGER = "3wrasLHeCWAF9DbTcD9LpjLJHV3roCoZPnPAttpE3pwm"
SOL = Token(SOLANA, NATIVE_SVM, "SOL", 9, "Solana")
WSOL = Token(SOLANA, WRAPPED_SOL, "WSOL", 9, "Wrapped SOL")
USDC = Token(SOLANA, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC", 6, "USD Coin")
CHAIN = Chain(SOLANA, "sol", "Solana", ChainType.SVM, SOL, mainnet=True, wrapped_native=WRAPPED_SOL)
HERE = Path(__file__).parent
BUYING = QuoteRequest(
    CHAIN, CHAIN, USDC, SOL, 10_000_000, sender=WALLET, receiver=WALLET, taker=WALLET, payout_address=WALLET,
    slippage=Fraction(1, 100), deadline=1_900_000_000,
)  # fmt: skip
"""What ``route_usdc_sol`` answers."""
SELLING = replace(BUYING, origin_token=SOL, destination_token=USDC, amount=100_000_000)
"""What ``shared_route_sol_usdc`` answers."""


@dataclass(frozen=True)
class StubUpstream:
    """``accounts`` are what the node knows."""

    adapter: JupiterAdapter
    upstream: Recorded
    accounts: dict[str, Account]


def bought() -> Any:
    return recording(HERE, "route_usdc_sol.json")


def sold() -> Any:
    return recording(HERE, "shared_route_sol_usdc.json")


@asynccontextmanager
async def open_stub() -> AsyncIterator[StubUpstream]:
    async with recorded_upstream() as recorded, known_accounts() as (known, rpc):
        known.accounts[USDC.address] = mint(6)
        recorded.says("/build", bought())
        async with open_upstream(SPEC.key, recorded.url, headers=SPEC.headers({"api_key": "example-key"})) as http:
            context = AdapterContext(
                SPEC.key, http, SPEC.deployments, {}, {SOLANA: CHAIN}, system_clock, svm_rpcs={SOLANA: rpc}
            )
            yield StubUpstream(JupiterAdapter(context), recorded, known.accounts)
