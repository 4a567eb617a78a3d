"""``/openapi.json``, ``/docs`` with the files of Swagger UI, and beside it the guides of ``docs/guides`` as HTML."""

import asyncio
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.http.encoded_bodies import EncodedBodies, Wanted
from rhumbline.api.pages.pages import Pages
from rhumbline.api.reference.document import encode
from rhumbline.domain.errors import NotFound

GUIDES: Mapping[str, str] = MappingProxyType(
    {"fees": "Fees", "slippage": "Slippage", "tracking": "Tracking", "errors": "Errors"}
)
"""The guides by the name of their file, with their titles, as they are listed."""
_VENDOR: Mapping[str, str] = MappingProxyType(
    {"swagger-ui-bundle.js": "text/javascript; charset=utf-8", "swagger-ui.css": "text/css; charset=utf-8"}
)
_ALONE = "default-src 'none'; frame-ancestors 'none'"


@cache
def rendered(name: str) -> str:
    """Return a guide as HTML; KeyError for one that is not listed."""
    # Here, because a start should not wait for what the first reader needs.
    from markdown_it import MarkdownIt

    if name not in GUIDES:
        raise KeyError(name)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(files("rhumbline.api.reference").joinpath("guides", f"{name}.md").read_text("utf-8"))
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", served_at(str(child.attrGet("href"))))
    html: str = parser.renderer.render(tokens, parser.options, {})
    return html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")


def served_at(target: str) -> str:
    """Return where our pages have what a guide links to by its file: other guides, and the document."""
    file, mark, part = target.partition("#")
    if file == "../openapi.json":
        return "/docs" + mark + part
    return f"/docs/guides/{file.removesuffix('.md')}{mark}{part}" if file.endswith(".md") else target


def reference_routes(pages: Pages, describe: Callable[[], dict[str, Any]]) -> list[Route]:
    """Return the routes of the document, its page and the guides.

    Everything is made for who asks first, on a thread: ``describe`` takes a tenth of a second and Swagger UI has
    megabytes, which neither a start nor another request has to wait for.
    """
    bodies = EncodedBodies()

    async def document() -> bytes:
        return await asyncio.to_thread(lambda: encode(describe()))

    async def get_document(request: Request) -> Response:
        return await bodies.answer(request.headers, Wanted("document", document, {"cache-control": "no-cache"}))

    async def get_page(request: Request) -> Response:
        return pages.page("reference.html", {"guides": GUIDES}, cache="no-cache")

    async def get_file(request: Request) -> Response:
        name = str(request.path_params["name"])
        if name not in _VENDOR:
            raise NotFound("There is no such file")

        async def read() -> bytes:
            return await asyncio.to_thread(files("rhumbline.api.reference").joinpath("vendor", name).read_bytes)

        headers = {"cache-control": "no-cache", "content-type": _VENDOR[name], "content-security-policy": _ALONE}
        return await bodies.answer(request.headers, Wanted(name, read, headers))

    async def get_guide(request: Request) -> Response:
        name = str(request.path_params["name"])
        if name not in GUIDES:
            raise NotFound("There is no such guide")
        text = await asyncio.to_thread(rendered, name)
        values = {"guides": GUIDES, "name": name, "text": text}
        return pages.page("guide.html", values, cache="no-cache")

    return [
        Route("/openapi.json", get_document),
        Route("/docs", get_page),
        Route("/docs/swagger-ui/{name}", get_file),
        Route("/docs/guides/{name}", get_guide),
    ]
