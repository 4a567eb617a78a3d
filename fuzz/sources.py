"""What hosts of token lists, ENS and price sources answer."""

from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from aiohttp import web

from fuzz.conversations import recorded
from fuzz.decoder import Decoder
from fuzz.nodes import NODE_ERRORS
from rhumbline.catalog.token_list import ListRefused, read_token_list
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.errors import NotFound
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import DocumentUnavailable, fetch_document
from rhumbline.gateways.nodes.evm.ens import EnsNames
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from rhumbline.pricing.source import PriceSource, SourceUnavailable
from rhumbline.pricing.sources import coingecko, jupiter
from rhumbline.pricing.sources.coingecko import CoinGecko
from rhumbline.pricing.sources.defillama import DefiLlama
from rhumbline.pricing.sources.dexscreener import DexScreener
from rhumbline.pricing.sources.jupiter import Jupiter
from tests.catalog.conftest import CHAINS, USDC, entry, token_list
from tests.clocks import Clock
from tests.pricing.exchange import DEMO_KEY, JUPITER_KEY, NOW, SOLANA, WETH, WSOL, open_exchange


async def of_lists(http: HttpClient) -> list[Decoder]:
    """Fetch a token list from a host."""

    async def answered(_: web.Request) -> web.Response:
        return web.json_response(token_list(entry(USDC, "USDC")), headers={"etag": 'W/"1"'})

    async def moved(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"location": "/list.json"})

    app = web.Application()
    app.add_routes([web.get("/list.json", answered), web.get("/moved", moved)])
    async with hosted(app) as url:

        async def fetched() -> Any:
            found = await fetch_document(http, f"{url}/moved", etag='W/"0"')
            return found and (found.etag, read_token_list(found.body, CHAINS).tokens)

        return [await recorded("hosts of lists", fetched, (DocumentUnavailable, ListRefused))]


async def of_names(http: HttpClient) -> list[Decoder]:
    """Look a name up at a node that answers what ENS' contract would."""
    address, resolver = "0x" + "34" * 20, "0x" + "12" * 20
    resolved = "0x" + encode_args(["bytes", "address"], [encode_args(["address"], [address]), resolver]).hex()

    async def answered(request: web.Request) -> web.Response:
        calls = await request.json()
        results = {"eth_chainId": "0x1", "eth_call": resolved, "eth_getCode": "0x"}
        answers = [
            {"jsonrpc": "2.0", "id": call["id"], "result": results[call["method"]]}
            for call in (calls if isinstance(calls, list) else [calls])
        ]
        return web.json_response(answers if isinstance(calls, list) else answers[0])

    app = web.Application()
    app.router.add_post("/", answered)
    async with hosted(app) as url:

        async def looked_up() -> Any:
            return await EnsNames(EvmRpc(url, http, "eth")).address("name.eth", 1)

        return [await recorded("names", looked_up, (*NODE_ERRORS, NotFound))]


async def of_prices() -> list[Decoder]:
    """Ask every price source."""
    clock, found = Clock(NOW), list[Decoder]()
    async with AsyncExitStack() as stack:
        exchange = await stack.enter_async_context(open_exchange(clock))

        async def upstream(name: str, path: str, **headers: str) -> Upstream:
            named = {header.replace("_", "-"): value for header, value in headers.items()}
            return await stack.enter_async_context(open_upstream(name, exchange.url + path, headers=named))

        sources: list[PriceSource] = [
            DexScreener(await upstream("dexscreener", "/dex"), clock, interval_s=0),
            DefiLlama(await upstream("defillama", "/llama"), interval_s=0),
            Jupiter(await upstream("jupiter", "/jup", **{jupiter.KEY_HEADER: JUPITER_KEY}), clock, interval_s=0),
            CoinGecko(await upstream("coingecko", "/gecko", **{coingecko.KEY_HEADER: DEMO_KEY}), interval_s=0),
        ]
        for source in sources:
            tokens = [(1, WETH)] if source.covers(1) else [(SOLANA, WSOL)]
            found.append(
                await recorded(f"prices of {source.name}", partial(source.prices, tokens), (SourceUnavailable,))
            )
    return found
