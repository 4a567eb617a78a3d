"""Symbiosis by recordings: what it answers is fixed, what it was asked is kept."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

from rhumbline.adapters.symbiosis.adapter import SymbiosisAdapter
from rhumbline.adapters.symbiosis.deployments import DEPLOYMENTS, Deployment
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.symbiosis.calls import EXECUTOR, RECEIVER, USDC, WALLET, Call

RECORDINGS = Path(__file__).with_name("recordings")
TX = "0xc0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffee0001"


def recording(name: str) -> Any:
    return json.loads((RECORDINGS / f"{name}.json").read_text("utf-8"))


def answered(call: Call, **changes: Any) -> Any:
    """The recorded quote with another call in it; changes of its ``tx`` by their names."""
    document = recording("quote")
    document["tx"] |= {"data": "0x" + call.encode().hex(), **changes}
    return document


def token(chain_id: int, address: str, symbol: str, decimals: int) -> Token:
    return Token(chain_id, address, symbol, decimals, symbol)


def chain(chain_id: int, kind: ChainType = ChainType.EVM) -> Chain:
    native = token(chain_id, NATIVE_EVM if kind is ChainType.EVM else NATIVE_SVM, "NAT", 18)
    return Chain(chain_id, f"chain-{chain_id}", f"Chain {chain_id}", kind, native, mainnet=True)


SVM = 1000000001
CHAINS = {number: chain(number) for number in (1, 56, 137, 42161, 5)} | {SVM: chain(SVM, ChainType.SVM)}
USDC_ETHEREUM = token(1, USDC, "USDC", 6)
USDC_ARBITRUM = token(42161, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", "USDC", 6)
ETHER, ETHER_ARBITRUM = token(1, NATIVE_EVM, "ETH", 18), token(42161, NATIVE_EVM, "ETH", 18)


def request(**changes: Any) -> QuoteRequest:
    """500 USDC from Ethereum to Arbitrum through the Executor, with half a percent of slippage."""
    return QuoteRequest(
        **{
            "origin": CHAINS[1],
            "destination": CHAINS[42161],
            "origin_token": USDC_ETHEREUM,
            "destination_token": USDC_ARBITRUM,
            "amount": 500_000_000,
            "sender": WALLET,
            "receiver": RECEIVER,
            "taker": EXECUTOR,
            "payout_address": RECEIVER,
            "slippage": Fraction(1, 200),
            "deadline": 1_795_263_600,
            **changes,
        }
    )


def transfer(**changes: Any) -> Transfer:
    return Transfer(
        **{
            "adapter": "SYMBIOSIS",
            "origin_chain_id": 1,
            "destination_chain_id": 42161,
            "tx_hash": TX,
            "log_index": 3,
            "sender": WALLET,
            "receiver": RECEIVER,
            "refund_to": WALLET,
            "sent_token": USDC,
            "sent_amount": 500_000_000,
            "output_token": USDC_ARBITRUM.address,
            "min_output": 496_600_000,
            "reference": None,
            "started_at": datetime(2026, 11, 21, 12, 1, tzinfo=UTC),
            **changes,
        }
    )


@dataclass
class Replay:
    """``quotes`` are answered in their order, ``status`` at any time; (HTTP status, body) each."""

    quotes: list[tuple[int, Any]] = field(default_factory=list)
    status: tuple[int, Any] = (404, {"code": 404, "message": "Not found"})
    asked: list[tuple[str, str, Any]] = field(default_factory=list)

    async def answer(self, asked: web.Request) -> web.Response:
        body = await asked.json() if asked.can_read_body else None
        self.asked.append((asked.method, asked.path_qs, body))
        status, document = self.status if asked.method == "GET" else self.quotes.pop(0)
        return web.json_response(document, status=status)


@asynccontextmanager
async def replaying(
    replay: Replay,
    deployments: Mapping[int, Deployment] = DEPLOYMENTS,
    now: datetime = datetime(2026, 11, 21, 12, 10, tzinfo=UTC),
) -> AsyncIterator[SymbiosisAdapter]:
    """The adapter before a server that gives the recordings."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", replay.answer)
    async with TestServer(app) as server, open_upstream("SYMBIOSIS", str(server.make_url("/"))) as http:
        yield SymbiosisAdapter(AdapterContext("SYMBIOSIS", http, deployments, {}, CHAINS, lambda: now))
