"""``/openapi.json``, ``/docs`` with the files of Swagger UI, the guides of docs/guides as HTML, and the whole guide."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.http.encoded_bodies import BodyRequest, EncodedBodies
from rhumbline.api.pages.pages import Pages
from rhumbline.api.pages.playground import PLAYGROUND
from rhumbline.api.reference.document import encode
from rhumbline.api.reference.guide_site import EXAMPLE, guide_routes, has_guide
from rhumbline.domain.errors import NotFound

GUIDES: Mapping[str, str] = MappingProxyType({
    "first-swap": "First swap", "first-swap-solana": "First swap on Solana", "embedding": "Embedding",
    "fees": "Fees", "slippage": "Slippage", "tracking": "Tracking", "webhooks": "Webhooks",
    "errors": "Errors", "agents": "Agents",
})  # fmt: skip
"""The guides by the name of their file, with their titles."""
_AFTER = "embedding"
_VENDOR: Mapping[str, str] = MappingProxyType(
    {"swagger-ui-bundle.js": "text/javascript; charset=utf-8", "swagger-ui.css": "text/css; charset=utf-8"}
)
_ALONE = "default-src 'none'; frame-ancestors 'none'"


@cache
def rendered(name: str) -> str:
    """Return a guide as HTML; raise KeyError for an unknown one."""
    # Here, because a start should not wait for what the first reader needs.
    from markdown_it import MarkdownIt

    if name not in GUIDES:
        raise KeyError(name)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(files("rhumbline.api.reference").joinpath("guides", f"{name}.md").read_text("utf-8"))
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(tokens[place + 1].content))
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", served_at(str(child.attrGet("href"))))
    html: str = parser.renderer.render(tokens, parser.options, {})
    return html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")


def anchor(heading: str) -> str:
    """Return the anchor that links give a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def served_at(target: str) -> str:
    """Return where our pages have what a guide links to by its file: other guides, and the document."""
    file, mark, part = target.partition("#")
    if file == "../openapi.json":
        return "/docs" + mark + part
    return f"/docs/guides/{file.removesuffix('.md')}{mark}{part}" if file.endswith(".md") else target


def _listed() -> Iterator[tuple[str, str]]:
    for name, title in GUIDES.items():
        yield f"/docs/guides/{name}", title
        if name == _AFTER:
            yield PLAYGROUND, "Playground"


LISTED = tuple(_listed())
"""The guides and the playground by their addresses, with their titles, as they are listed and follow each other."""
_FOLLOWING = MappingProxyType(
    {
        address: following
        for (address, _), following in zip(LISTED, [*LISTED[1:], ("/docs", "All endpoints")], strict=True)
    }
)


def guide_values(address: str) -> Mapping[str, object]:
    """Return what the templates of a guide take beside its own: the list, where the page stands, and its next."""
    return {
        "guides": LISTED,
        "here": address,
        "title": dict(LISTED)[address],
        "next": _FOLLOWING[address],
        "guide": has_guide(),
    }


def reference_routes(pages: Pages, describe: Callable[[], dict[str, Any]], base_url: str = EXAMPLE) -> list[Route]:
    """Return the routes of the document, its page and the guides, which name the service at ``base_url``.

    Everything is made at the first request, on a thread: ``describe`` takes a tenth of a second and Swagger UI has
    megabytes, which neither a start nor another request should wait for.
    """
    bodies = EncodedBodies()
    own = escape(base_url)

    async def document() -> bytes:
        return await asyncio.to_thread(lambda: encode(describe()))

    async def get_document(request: Request) -> Response:
        return await bodies.answer(request.headers, BodyRequest("document", document, {"cache-control": "no-cache"}))

    async def get_page(request: Request) -> Response:
        return pages.page("reference.html", {"guides": LISTED, "guide": has_guide()}, cache="no-cache")

    async def get_file(request: Request) -> Response:
        name = str(request.path_params["name"])
        if name not in _VENDOR:
            raise NotFound("There is no such file")

        async def read() -> bytes:
            return await asyncio.to_thread(files("rhumbline.api.reference").joinpath("vendor", name).read_bytes)

        headers = {"cache-control": "no-cache", "content-type": _VENDOR[name], "content-security-policy": _ALONE}
        return await bodies.answer(request.headers, BodyRequest(name, read, headers))

    async def get_guide(request: Request) -> Response:
        name = str(request.path_params["name"])
        if name not in GUIDES:
            raise NotFound("There is no such guide")
        text = await asyncio.to_thread(rendered, name)
        values = guide_values(f"/docs/guides/{name}")
        return pages.page("guide.html", {**values, "text": text.replace(EXAMPLE, own)}, cache="no-cache")

    return [
        Route("/openapi.json", get_document),
        Route("/docs", get_page),
        Route("/docs/swagger-ui/{name}", get_file),
        Route("/docs/guides/{name}", get_guide),
        *guide_routes(base_url),
    ]
