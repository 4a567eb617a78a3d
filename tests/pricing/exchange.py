"""A host that speaks as the four price APIs do: it refuses what the real ones would, and misbehaves on order."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.token import Token
from tests.clocks import Clock

NOW = datetime.fromisoformat("2026-03-04T05:06:07+00:00")
SOLANA = 1_000_000_001
WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7"
DAI = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
WSOL = "So11111111111111111111111111111111111111112"
SOLANA_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
ETH = Chain(
    1, "eth", "Ethereum", ChainType.EVM, Token(1, NATIVE_EVM, "ETH", 18, "Ether"), mainnet=True, wrapped_native=WETH
)
SOL = Chain(
    SOLANA,
    "sol",
    "Solana",
    ChainType.SVM,
    Token(SOLANA, NATIVE_SVM, "SOL", 9, "SOL"),
    mainnet=True,
    wrapped_native=WSOL,
)
CHAINS = (ETH, SOL)
TRUTH = {
    WETH: ("3000", "90000000"),
    USDC: ("1.0001", "50000000"),
    USDT: ("0.9998", "40000000"),
    DAI: ("1", "20000"),
    WSOL: ("150.25", "30000000"),
    SOLANA_USDC: ("0.9999", "30000000"),
}
DEMO_KEY = "CG-secret-demo"
JUPITER_KEY = "jup-secret"


@dataclass
class Manner:
    """How one API behaves: `factor` lies, `liquidity` replaces the true one, `mode` is one of those in `misbehaved`.

    `silent` leaves the liquidity out, where it may be.
    """

    mode: str = "well"
    factor: Decimal = Decimal(1)
    liquidity: str | None = None
    silent: bool = False
    unknown: set[str] = field(default_factory=set)
    age_s: int = 0
    calls: list[list[str]] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    release: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Exchange:
    """What tokens are truly worth, and how each API tells it."""

    clock: Clock
    url: str = ""
    truth: dict[str, tuple[str, str]] = field(default_factory=lambda: dict(TRUTH))
    dexscreener: Manner = field(default_factory=Manner)
    defillama: Manner = field(default_factory=Manner)
    jupiter: Manner = field(default_factory=Manner)
    coingecko: Manner = field(default_factory=Manner)
    keys: list[str | None] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)

    def calls(self) -> int:
        manners = (self.dexscreener, self.defillama, self.jupiter, self.coingecko)
        return sum(len(manner.calls) for manner in manners)

    async def on_dexscreener(self, request: web.Request) -> web.StreamResponse:
        addresses = request.match_info["addresses"].split(",")
        if request.match_info["chain"] not in ("ethereum", "solana") or len(addresses) > 30:
            return web.json_response({"error": "bad"}, status=400)
        return await self._answer(request, self.dexscreener, addresses, self._pairs)

    async def on_defillama(self, request: web.Request) -> web.StreamResponse:
        coins = request.match_info["coins"].split(",")
        if any(coin.partition(":")[0] not in ("ethereum", "solana") for coin in coins):
            return web.json_response({"message": "bad"}, status=400)
        return await self._answer(request, self.defillama, [coin.partition(":")[2] for coin in coins], self._coins)

    async def on_jupiter(self, request: web.Request) -> web.StreamResponse:
        mints = request.query.getall("ids")[0].split(",")
        self.keys.append(request.headers.get("x-api-key"))
        if len(mints) > 50:
            return web.json_response({"error": "too many"}, status=400)
        return await self._answer(request, self.jupiter, mints, self._mints)

    async def on_coingecko(self, request: web.Request) -> web.StreamResponse:
        addresses = request.query["contract_addresses"].split(",")
        self.keys.append(request.headers.get("x-cg-demo-api-key"))
        if request.query["vs_currencies"] != "usd" or len(addresses) > 1:
            return web.json_response({"error": {"status": {"error_code": 10012}}}, status=400)
        return await self._answer(request, self.coingecko, addresses, self._listed)

    async def _answer(
        self, request: web.Request, manner: Manner, names: list[str], write: object
    ) -> web.StreamResponse:
        manner.calls.append(names)
        manner.asked.set()
        known = {name: self.truth[name] for name in names if name in self.truth and name not in manner.unknown}
        told = {
            name: (Decimal(usd) * manner.factor, manner.liquidity or liquidity)
            for name, (usd, liquidity) in known.items()
        }
        assert callable(write)
        return await misbehaved(request, manner) or web.Response(
            text=write(told, int(self.clock().timestamp()) - manner.age_s), content_type="application/json"
        )

    def _pairs(self, told: dict[str, tuple[Decimal, str]], at: int) -> str:
        chain = {True: "ethereum", False: "solana"}
        rows = []
        for name, (usd, liquidity) in told.items():
            for share in (Decimal(1), Decimal("0.1")):
                rows.append(
                    {
                        "chainId": chain[name.startswith("0x")],
                        "pairAddress": "0x01",
                        "baseToken": {"address": name, "symbol": "A"},
                        "quoteToken": {"address": "0x00000000000000000000000000000000000000aa", "symbol": "B"},
                        "priceNative": "2.5",
                        "priceUsd": str(usd if share == 1 else usd * 3),
                        "liquidity": {"usd": 1, "base": 1, "quote": 1},
                        "_depth": str(Decimal(liquidity) * share),
                    }
                )
        text = json.dumps(rows)
        for row in rows:
            text = text.replace('"usd": 1,', f'"usd": {row["_depth"]},', 1)
        return text

    def _coins(self, told: dict[str, tuple[Decimal, str]], at: int) -> str:
        rows = (
            f'"{"ethereum" if name.startswith("0x") else "solana"}:{name}":'
            f'{{"decimals":18,"symbol":"A","price":{usd},"timestamp":{at},"confidence":0.99}}'
            for name, (usd, _) in told.items()
        )
        return f'{{"coins":{{{",".join(rows)}}}}}'

    def _mints(self, told: dict[str, tuple[Decimal, str]], at: int) -> str:
        rows = []
        for name, (usd, liquidity) in told.items():
            depth = "" if self.jupiter.silent else f'"liquidity":{liquidity},'
            rows.append(f'"{name}":{{"usdPrice":{usd},{depth}"blockId":348004023,"decimals":9}}')
        return f"{{{','.join(rows)}}}"

    def _listed(self, told: dict[str, tuple[Decimal, str]], at: int) -> str:
        rows = (f'"{name.lower()}":{{"usd":{usd},"last_updated_at":{at}}}' for name, (usd, _) in told.items())
        return f"{{{','.join(rows)}}}"


async def misbehaved(request: web.Request, manner: Manner) -> web.StreamResponse | None:
    match manner.mode:
        case "well":
            return None
        case "down":
            return web.Response(status=500, text="<html>oh</html>", content_type="text/html")
        case "html":
            return web.Response(text="<html><body>maintenance</body></html>", content_type="text/html")
        case "busy":
            return web.json_response({"error": "slow down"}, status=429, headers={"retry-after": "77"})
        case "cut":
            return web.Response(text='{"coins":{"ethereum', content_type="application/json")
        case "list":
            return web.json_response([1, 2]) if "tokens/v1" not in request.path else web.json_response({"pairs": []})
        case "slow":
            await manner.release.wait()
            return None
        case "huge":
            response = web.StreamResponse(headers={"content-type": "application/json"})
            await response.prepare(request)
            await response.write(b'{"x":"')
            for _ in range(400):
                await response.write(b"a" * 65536)
            return response
        case mode:
            raise AssertionError(mode)


@asynccontextmanager
async def open_exchange(clock: Clock) -> AsyncIterator[Exchange]:
    exchange = Exchange(clock)
    app = web.Application()
    app.router.add_get("/dex/tokens/v1/{chain}/{addresses}", exchange.on_dexscreener)
    app.router.add_get("/llama/prices/current/{coins}", exchange.on_defillama)
    app.router.add_get("/jup/price/v3", exchange.on_jupiter)
    app.router.add_get("/gecko/simple/token_price/{platform}", exchange.on_coingecko)
    async with hosted(app) as exchange.url:
        yield exchange
