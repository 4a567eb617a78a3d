"""``/openapi.json`` and ``/docs``: the document, and a page made of it that needs no script and no other host."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.document import encode
from rhumbline.api.reference_page import render


def reference_routes(brand: str, document: dict[str, Any]) -> APIRouter:
    """Return the routes of the document and its page; both are made once."""
    router = APIRouter()
    style = files("rhumbline.api").joinpath("reference.css").read_text("utf-8")
    page, encoded = render(brand, document, style).encode(), encode(document)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    shown = {"content-security-policy": policy, "referrer-policy": "no-referrer", "cache-control": "no-cache"}

    async def get_document(request: Request) -> Response:
        return Response(encoded, 200, {"cache-control": "no-cache"}, "application/json")

    async def get_page(request: Request) -> Response:
        return Response(page, 200, shown, "text/html")

    router.add_api_route("/openapi.json", get_document, include_in_schema=False)
    router.add_api_route("/docs", get_page, include_in_schema=False)
    return router
