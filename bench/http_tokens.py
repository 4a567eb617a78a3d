"""GET /v1/tokens with 10,000 tokens: compressed bodies against fastify with the same files, 304 against nginx."""

import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp

from bench.http_load import Load, Server, compared
from bench.http_peers import fastify, nginx
from bench.http_service import KEY, service
from bench.rows import Row
from bench.tools import CACHE

TOKENS = 10_000
PATH = "/v1/tokens"
ROUNDS = 5
CODINGS = ("zstd", "br", "gzip")
AT_LEAST = 0.85
AT_LEAST_304 = 0.1


async def run() -> list[Row]:
    """Let them take turns; compare requests per second of CPU."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=CACHE)))
        ours = await stack.enter_async_context(service(folder, TOKENS))
        static = folder / "static" / "v1"
        static.mkdir(parents=True)
        for coding in CODINGS:
            (folder / f"tokens.{coding}").write_bytes((await _get(ours, coding))[1])
        (static / "tokens").write_bytes((folder / "tokens.gzip").read_bytes())
        peer = await stack.enter_async_context(fastify(folder))
        files = await stack.enter_async_context(nginx(folder))
        rows = [await _bodies(coding, ours, peer) for coding in CODINGS]
        return [*rows, await _unchanged(ours, files)]


async def _bodies(coding: str, ours: Server, peer: Server) -> Row:
    if (await _get(ours, coding))[1] != (await _get(peer, coding))[1]:
        raise SystemExit(f"http-tokens: fastify does not answer the same bytes in {coding}")
    load = Load(PATH, {"accept-encoding": coding, "x-api-key": KEY}, connections=8)
    figures = await compared([(ours, load), (peer, load)], ROUNDS)
    return _ratio(coding, figures[ours.name], figures[peer.name], AT_LEAST)


async def _unchanged(ours: Server, files: Server) -> Row:
    loads = []
    for server in (ours, files):
        etag = (await _get(server, "zstd"))[0]["etag"]
        headers = {"accept-encoding": "zstd", "if-none-match": etag, "x-api-key": KEY}
        status = (await _get(server, "zstd", {"if-none-match": etag}))[2]
        if status != 304:
            raise SystemExit(f"http-tokens: {server.name} answers {status} where 304 is due")
        loads.append((server, Load(PATH, headers)))
    figures = await compared(loads, ROUNDS)
    return _ratio("304", figures[ours.name], figures[files.name], AT_LEAST_304)


async def _get(
    server: Server, coding: str, headers: Mapping[str, str] | None = None
) -> tuple[Mapping[str, str], bytes, int]:
    request_headers = {"accept-encoding": coding, "x-api-key": KEY, **(headers or {})}
    async with (
        aiohttp.ClientSession(auto_decompress=False) as session,
        session.get(server.url + PATH, headers=request_headers) as response,
    ):
        return response.headers, await response.read(), response.status


def _ratio(what: str, own: float, other: float, goal: float) -> Row:
    return _row(what, f"{own:,.0f}/s, {other:,.0f}/s: {own / other:.2f}", goal, met=own >= goal * other)


def _row(what: str, value: str, goal: float, *, met: bool) -> Row:
    peer = "nginx" if what == "304" else "fastify"
    return Row(name=f"http-tokens ({what})", value=value, goal=f"≥ {goal}× {peer} per CPU second", met=met)
