import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from aiohttp import web

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.token import Token
from tests.clocks import Clock

USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
FAKE = "0xdAC17F958D2ee523a2206206994597C13D831ec7"
OTHER = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
ETH = Chain(1, "eth", "Ethereum", ChainType.EVM, Token(1, NATIVE_EVM, "ETH", 18, "Ether", "ETH"), mainnet=True)
SOL = Chain(1000000001, "sol", "Solana", ChainType.SVM, Token(1000000001, NATIVE_SVM, "SOL", 9, "Solana"), mainnet=True)
CHAINS = ChainCatalog([ETH, SOL])
NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def entry(address: str, symbol: str, chain_id: int = 1, **more: object) -> dict[str, object]:
    return {"chainId": chain_id, "address": address, "symbol": symbol, "name": f"Token {symbol}", "decimals": 6, **more}


def token_list(*tokens: dict[str, object], version: str = "1.0.0", **more: object) -> dict[str, object]:
    major, minor, patch = map(int, version.split("."))
    return {
        "name": "A list",
        "timestamp": "2026-03-01T00:00:00+00:00",
        "version": {"major": major, "minor": minor, "patch": patch},
        "tokens": list(tokens),
        **more,
    }


@dataclass
class ListHost:
    """A host of token lists: what it answers, and what it was asked."""

    url: str = ""
    body: bytes = b""
    kind: str = "application/json"
    status: int = 200
    tagged: bool = True
    location: str = ""
    endless: bool = False
    packed: bool = False
    pause_s: float = 0.0
    sent: int = 0
    asked: list[str | None] = field(default_factory=list)

    def serves(self, document: object) -> None:
        self.body = json.dumps(document).encode()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.headers.get("if-none-match"))
        await asyncio.sleep(self.pause_s)
        if self.location and request.path == "/list.json":
            return web.Response(status=302, headers={"location": self.location})
        if self.endless:
            return await self._pour(request)
        etag = f'"{hashlib.sha256(self.body).hexdigest()}"'
        headers = {"etag": etag} if self.tagged else {}
        if self.packed:
            headers["content-encoding"] = "gzip"
        if self.tagged and self.asked[-1] == etag:
            return web.Response(status=304, headers=headers)
        return web.Response(body=self.body, status=self.status, content_type=self.kind, headers=headers)

    async def _pour(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "application/json"})
        await response.prepare(request)
        await response.write(b'{"name":"')
        while True:
            await response.write(b"a" * 65536)
            self.sent += 65536


@asynccontextmanager
async def list_host() -> AsyncIterator[ListHost]:
    host = ListHost()
    app = web.Application()
    app.router.add_get("/{name:.*}", host.answer)
    async with hosted(app) as url:
        host.url = f"{url}/list.json"
        yield host


@pytest.fixture
async def host() -> AsyncIterator[ListHost]:
    async with list_host() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW)
