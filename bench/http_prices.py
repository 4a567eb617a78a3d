"""GET /v1/prices with 50 tokens and a key, everything on, against fastify and against nginx with the same bytes."""

import json
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp

from bench.http_load import Load, compared
from bench.http_peers import fastify, nginx
from bench.http_service import KEY, made_tokens, service
from bench.rows import Row
from bench.tools import CACHE

TOKENS = 200
REQUESTED = 50
ROUNDS = 7
GOALS = {"fastify": 1.5, "nginx": 0.25}


async def run() -> list[Row]:
    """Let the three take turns; compare requests per second of CPU."""
    tokens = ",".join(f"{token.chain_id}:{token.address}" for token in made_tokens(REQUESTED))
    load = Load(f"/v1/prices?tokens={tokens}", {"x-api-key": KEY})
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=CACHE)))
        ours = await stack.enter_async_context(service(folder, TOKENS))
        body = await _body(ours.url + load.path)
        (folder / "prices.json").write_bytes(body)
        static = folder / "static" / "v1"
        static.mkdir(parents=True)
        (static / "prices").write_bytes(body)
        peers = [await stack.enter_async_context(peer(folder)) for peer in (fastify, nginx)]
        for peer in peers:
            if await _body(peer.url + load.path) != body:
                raise SystemExit(f"{peer.name} does not answer the same bytes")
        figures = await compared([(server, load) for server in (ours, *peers)], ROUNDS)
    own = figures[ours.name]
    return [
        _row(peer, f"{own:,.0f}/s, {figures[peer]:,.0f}/s: {own / figures[peer]:.2f}", met=own >= goal * figures[peer])
        for peer, goal in GOALS.items()
    ]


async def _body(url: str) -> bytes:
    async with aiohttp.ClientSession() as session, session.get(url, headers={"x-api-key": KEY}) as response:
        body = await response.read()
        prices = json.loads(body)["prices"]
        if response.status != 200 or len(prices) != REQUESTED or any("priceUSD" not in price for price in prices):
            raise SystemExit(f"http-prices: this is no answer to measure: {response.status} {body[:500]!r}")
        return body


def _row(peer: str, value: str, *, met: bool) -> Row:
    return Row(name=f"http-prices ({peer})", value=value, goal=f"≥ {GOALS[peer]}× {peer} per CPU second", met=met)
