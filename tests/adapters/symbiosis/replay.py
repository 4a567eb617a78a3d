"""Symbiosis by recordings: what it answers is fixed, what it was asked is kept."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiohttp import web

from rhumbline.adapters.symbiosis.adapter import SymbiosisAdapter
from rhumbline.adapters.symbiosis.deployments import DEPLOYMENTS, Deployment
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.bridging.replay import answering, asked, begun, chain, token
from tests.adapters.symbiosis.calls import EXECUTOR, RECEIVER, USDC, WALLET, Call

RECORDINGS = Path(__file__).with_name("recordings")


def recording(name: str) -> Any:
    return json.loads((RECORDINGS / f"{name}.json").read_text("utf-8"))


def answered(call: Call, **changes: Any) -> Any:
    """The recorded quote with another call in it; changes of its ``tx`` by their names."""
    document = recording("quote")
    document["tx"] |= {"data": "0x" + call.encode().hex(), **changes}
    return document


SVM = 1000000001
CHAINS = {number: chain(number) for number in (1, 56, 137, 42161, 5)} | {SVM: chain(SVM, ChainType.SVM)}
USDC_ETHEREUM = token(1, USDC, "USDC", 6)
USDC_ARBITRUM = token(42161, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", "USDC", 6)
ETHER, ETHER_ARBITRUM = token(1, NATIVE_EVM, "ETH", 18), token(42161, NATIVE_EVM, "ETH", 18)


def request(**changes: Any) -> QuoteRequest:
    """500 USDC from Ethereum to Arbitrum through the Executor, with half a percent of slippage."""
    given = {"sender": WALLET, "receiver": RECEIVER, "taker": EXECUTOR, "payout_address": RECEIVER}
    tokens = USDC_ETHEREUM, USDC_ARBITRUM
    return asked((CHAINS[1], CHAINS[42161]), tokens, 500_000_000, **given | {"deadline": 1_795_263_600} | changes)


def transfer(**changes: Any) -> Transfer:
    return begun("SYMBIOSIS", request(), 496_600_000, **changes)


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
    async with answering(replay.answer) as url, open_upstream("SYMBIOSIS", url) as http:
        yield SymbiosisAdapter(AdapterContext("SYMBIOSIS", http, deployments, {}, CHAINS, lambda: now))
