"""``/openapi.json`` and ``/docs``: the document, and a page made of it that needs no script and no other host."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.document import encode
from rhumbline.api.reference_page import render


def reference_routes(brand: str, describe: Callable[[], dict[str, Any]]) -> APIRouter:
    """Return the routes of the document and its page.

    Both are made once, for who asks first: ``describe`` takes a tenth of a second, which no start has to wait for, and
    is called on a thread, so that no other request has to.
    """
    router, reference = APIRouter(), _Reference(brand, describe)
    digest = b64encode(sha256(reference.style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    shown = {"content-security-policy": policy, "referrer-policy": "no-referrer", "cache-control": "no-cache"}

    async def get_document(request: Request) -> Response:
        encoded, _ = await reference.written()
        return Response(encoded, 200, {"cache-control": "no-cache"}, "application/json")

    async def get_page(request: Request) -> Response:
        _, page = await reference.written()
        return Response(page, 200, shown, "text/html")

    router.add_api_route("/openapi.json", get_document, include_in_schema=False)
    router.add_api_route("/docs", get_page, include_in_schema=False)
    return router


class _Reference:
    """The document and the page as they are served."""

    def __init__(self, brand: str, describe: Callable[[], dict[str, Any]]) -> None:
        self.style = files("rhumbline.api").joinpath("reference.css").read_text("utf-8")
        self._brand = brand
        self._describe = describe
        self._writing = asyncio.Lock()
        self._written: tuple[bytes, bytes] | None = None

    async def written(self) -> tuple[bytes, bytes]:
        async with self._writing:
            if self._written is None:
                self._written = await asyncio.to_thread(self._write)
            return self._written

    def _write(self) -> tuple[bytes, bytes]:
        document = self._describe()
        return encode(document), render(self._brand, document, self.style).encode()
