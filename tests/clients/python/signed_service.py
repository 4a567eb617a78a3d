"""A service that signs, and a proxy before it that compresses, and may lie."""

import gzip
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import aiohttp
from aiohttp import web

from rhumbline.api.http.message_signatures import AnswerSigner
from rhumbline.api.server.application import create_app
from rhumbline.devnet.hosts import hosted
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.ed25519 import SEED_BYTES, SigningKey
from tests.api.api_service import ApiService, services
from tests.api.conftest import served

PREFIX = "/swap"
"""Where the proxy has the service."""


@dataclass
class Proxy:
    url: str
    keys: list[dict[str, Any]]
    body: Callable[[bytes], bytes] = bytes
    """What it makes of an answer's body."""
    target: Callable[[str], str] = str
    """What it makes of a request's target."""


@asynccontextmanager
async def proxied(api_service: ApiService) -> AsyncIterator[Proxy]:
    signer = AnswerSigner(SigningKey(secrets.token_bytes(SEED_BYTES)))
    app = create_app(replace(services(api_service, {}), signer=signer, clock=system_clock))
    async with served(app) as (url, _), aiohttp.ClientSession(auto_decompress=False) as session:

        async def forward(request: web.Request) -> web.Response:
            target = proxy.target(request.raw_path.removeprefix(PREFIX))
            posted = await request.read()
            headers = {"content-type": "application/json"} if posted else {}
            async with session.request(request.method, url + target, data=posted or None, headers=headers) as answer:
                body = proxy.body(await answer.read())
                passed = {name: value for name, value in answer.headers.items() if name.lower() != "content-length"}
                packed = gzip.compress(body)
                return web.Response(status=answer.status, body=packed, headers={**passed, "content-encoding": "gzip"})

        forwarder = web.Application()
        forwarder.router.add_route("*", "/{rest:.*}", forward)
        async with hosted(forwarder) as proxy_url:
            proxy = Proxy(proxy_url + PREFIX, list(signer.key_set()["keys"]))
            yield proxy
