"""The adapter against answers in the documented shape, and a node that knows the tokens."""

from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from fractions import Fraction
from struct import pack
from typing import Any

from solders.keypair import Keypair

from rhumbline.adapters.rise import SPEC
from rhumbline.adapters.rise.adapter import RiseAdapter
from rhumbline.adapters.rise.checking import BUY, SELL
from rhumbline.adapters.rise.deployments import DEPLOYMENTS
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.gateways.svm.address import associated_token_address, program_address
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.exchanges.recorded import Recorded, recorded_upstream
from tests.adapters.svm_accounts import KnownAccounts, known_accounts, mint

NUMBER = 1_000_000_001
PLACE = DEPLOYMENTS[NUMBER]
WALLET, STRANGER = (str(Keypair.from_seed(bytes([n] * 32)).pubkey()) for n in (1, 3))
SOL = Token(NUMBER, NATIVE_SVM, "SOL", 9, "Solana")
WSOL = Token(NUMBER, WRAPPED_SOL, "WSOL", 9, "Wrapped SOL")
USDC = Token(NUMBER, PLACE.dollar, "USDC", 6, "USD Coin")
UPONLY = Token(NUMBER, "DzpB6nC3qnL7WUewVumi5dqWWtM1Le76E3v2HLCXrise", "UPONLY", 9, "Up Only")
SOLANA = Chain(NUMBER, "sol", "Solana", ChainType.SVM, SOL, mainnet=True)
AMOUNT, OUTPUT, MINIMUM = 100_000_000, 22_145_038_900, 21_923_588_000
REQUEST = QuoteRequest(
    SOLANA, SOLANA, WSOL, UPONLY, AMOUNT, sender=WALLET, receiver=WALLET, taker=WALLET, payout_address=WALLET,
    slippage=Fraction(1, 100), deadline=1_900_000_000,
)  # fmt: skip
MARKET: dict[str, Any] = {
    "rise_market_address": "DCxsd9rZETcvV8KWVq2ExWhA9cbWRzBMSuSqoaLRaNFB", "mint_token": UPONLY.address,
    "mint_main": WRAPPED_SOL, "token_decimals": 9, "price": "0.000540", "disableSell": False,
}  # fmt: skip
QUOTE: dict[str, Any] = {
    "direction": "buy", "amountIn": AMOUNT, "amountOut": OUTPUT, "feeRate": 0.0125, "feeAmount": 1_250_000,
    "priceImpact": 0.0051,
}  # fmt: skip


def tokens_of(owner: str, token: Token) -> str:
    return associated_token_address(owner, WRAPPED_SOL if token.address == NATIVE_SVM else token.address, SPL)


def call(*, buys: bool = True, amount: int = AMOUNT, least: int = MINIMUM, **changed: str) -> SvmInstruction:
    """Rise's instruction; ``changed`` are addresses in place of others, by the account's name."""
    layout = BUY if buys else SELL
    named = {
        "wallet": WALLET, "token": UPONLY.address, "main": WRAPPED_SOL, "token_program": SPL, "main_program": SPL,
        "source": tokens_of(WALLET, WSOL if buys else UPONLY), "target": tokens_of(WALLET, UPONLY if buys else WSOL),
        "mayflower": PLACE.mayflower, "events": program_address([b"__event_authority"], PLACE.program),
        "program": PLACE.program, **changed,
    }  # fmt: skip
    roles = tuple(
        AccountRole(
            named.get(name, program_address([name.encode()], PLACE.program)), name == "wallet", name == "wallet"
        )
        for name in layout.places
    )
    terms = pack("<QQ", amount, least)
    return SvmInstruction(PLACE.program, roles, layout.head + terms + bytes(layout.size - 24))


def transaction(*instructions: SvmInstruction, payer: str = WALLET) -> str:
    signers = [payer, *(role.address for each in instructions for role in each.accounts if role.signer)]
    message = compile_v0(payer, instructions, [], str(Keypair.from_seed(bytes([8] * 32)).pubkey()))
    return b64encode(serialise(message, list(dict.fromkeys(signers)), {})).decode()


@dataclass(frozen=True)
class StubUpstream:
    adapter: RiseAdapter
    upstream: Recorded
    node: KnownAccounts

    def says(self, *instructions: SvmInstruction, end: str = "/program/buyToken") -> None:
        self.upstream.says(end, {"ok": True, "transaction": transaction(*instructions)})


@asynccontextmanager
async def open_stub() -> AsyncIterator[StubUpstream]:
    async with recorded_upstream() as recorded, known_accounts() as (known, rpc):
        recorded.says(f"/markets/{UPONLY.address}", {"ok": True, "market": MARKET})
        recorded.says("/quote", {"ok": True, "quote": QUOTE})
        known.accounts |= {UPONLY.address: mint(9), USDC.address: mint(6), WRAPPED_SOL: mint(9)}
        async with open_upstream(SPEC.key, recorded.url, headers=SPEC.headers({"api_key": "sesame"})) as http:
            context = AdapterContext(
                SPEC.key, http, SPEC.deployments, {}, {NUMBER: SOLANA}, system_clock, svm_rpcs={NUMBER: rpc}
            )
            stub = StubUpstream(RiseAdapter(context), recorded, known)
            stub.says(call())
            yield stub
