"""``/docs/guide/``: the files that `make site` has built out of docs/."""

import asyncio
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rhumbline.api.http.encoded_bodies import BodyRequest, EncodedBodies
from rhumbline.api.pages.pages import page_headers
from rhumbline.domain.errors import NotFound

GUIDE = "/docs/guide/"
EXAMPLE = "https://swap.example"
"""How the guides write this service's address."""
BUILT = files("rhumbline.api.reference").joinpath("site")
_INDEX = "index.html"
_TYPES: Mapping[str, str] = MappingProxyType({
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "woff2": "font/woff2",
})  # fmt: skip
_PLAIN = "text/plain; charset=utf-8"
_COMPRESSED = frozenset({"png", "woff2"})
_WRITTEN = frozenset({"html", "json"})
_DIGEST = re.compile(r"\.[0-9a-f]{8}\.min\.(?:js|css)\Z")
_FOR_EVER = "public, max-age=31536000, immutable"
_SEARCH_STYLE = "sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k="
"""The one style that Zensical's script puts into the page, for the search: another version has another digest."""
_MOST_KEPT, _MOST_BYTES = 64, 8 * 1024 * 1024


def has_guide(built: Traversable = BUILT) -> bool:
    """Tell whether this installation has the guide."""
    return built.joinpath(_INDEX).is_file()


def guide_routes(base_url: str, built: Traversable = BUILT) -> list[Route]:
    """Return the routes of the guide, whose pages name the service at ``base_url``.

    Files are read and compressed at their first request, on a thread, and the longest unused ones are forgotten.
    """
    bodies = EncodedBodies(most=_MOST_KEPT, largest_bytes=_MOST_BYTES)
    own = {"html": escape(base_url).encode(), "json": base_url.encode()}

    async def get_guide(request: Request) -> Response:
        path = str(request.path_params.get("path", ""))
        if not request.url.path.startswith(GUIDE):
            return RedirectResponse(GUIDE, 307)
        file = await asyncio.to_thread(find_file, built, path)
        if file is None:
            return RedirectResponse(f"{GUIDE}{path}/", 307)
        kind = file.name.rpartition(".")[2]

        async def read() -> bytes:
            content = await asyncio.to_thread(file.read_bytes)
            return content.replace(EXAMPLE.encode(), own[kind]) if kind in _WRITTEN else content

        # A worker has the policy of its own file, and the search is one.
        headers = {
            **page_headers(styles=(_SEARCH_STYLE,)),
            "content-type": _TYPES.get(kind, _PLAIN),
            "cache-control": _FOR_EVER if _DIGEST.search(file.name) else "no-cache",
        }
        asked = request.headers
        if kind in _COMPRESSED:
            asked = Headers({name: value for name, value in asked.items() if name == "if-none-match"})
        return await bodies.answer(asked, BodyRequest(path, read, headers))

    return [Route(GUIDE.rstrip("/"), get_guide), Route(GUIDE + "{path:path}", get_guide)]


def find_file(built: Traversable, path: str) -> Traversable | None:
    """Return the file at a path, None for a folder without its slash; raise NotFound where there is neither."""
    if not has_guide(built):
        raise NotFound("This installation has no guide: make site builds it, and the wheel of make package has it")
    parts = path.split("/")
    file = built
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        if part in (".", "..") or "\\" in part or "\0" in part or (not part and not last):
            raise NotFound("There is no such page of the guide")
        file = file.joinpath(part or _INDEX)
    if file.is_file():
        return file
    if file.is_dir() and file.joinpath(_INDEX).is_file():
        return None
    raise NotFound("There is no such page of the guide")
