"""Static files of the pages, read and compressed once, under a path with their digest."""

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.http.encoded_bodies import BodyRequest, EncodedBodies
from rhumbline.domain.errors import NotFound

_PACKAGES = ("rhumbline.api.pages", "rhumbline.api.portal", "rhumbline.api.reference")
_TYPES: Mapping[str, str] = MappingProxyType({
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    "woff2": "font/woff2",
})  # fmt: skip
OPEN: Mapping[str, str] = MappingProxyType({
    "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin",
})  # fmt: skip
_FOR_EVER = "public, max-age=31536000, immutable"


class Assets:
    """The files by name, and their addresses."""

    def __init__(self) -> None:
        found = [entry for package in _PACKAGES for entry in files(package).joinpath("static").iterdir()]
        self._files = {entry.name: entry.read_bytes() for entry in found if _type(entry.name)}
        whole = sha256()
        for name, content in sorted(self._files.items()):
            whole.update(name.encode() + b"\0" + sha256(content).digest())
        self._digest = whole.hexdigest()[:16]

    def url(self, name: str) -> str:
        """Return the URL of a file; raise KeyError for an unknown name."""
        if name not in self._files:
            raise KeyError(name)
        return f"/assets/{self._digest}/{name}"

    def route(self) -> Route:
        """Return the route that serves them. An address of another version answers this one's, unkept."""
        bodies = EncodedBodies()

        async def get_asset(request: Request) -> Response:
            name, digest = str(request.path_params["name"]), str(request.path_params["digest"])
            if name not in self._files:
                raise NotFound("There is no such file")

            async def build() -> bytes:
                return self._files[name]

            # Other sites embed the element: modules are fetched with CORS.
            headers = {
                "content-type": _type(name) or "",
                "cache-control": _FOR_EVER if digest == self._digest else "no-cache",
                "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
                **OPEN,
            }
            return await bodies.answer(request.headers, BodyRequest(name, build, headers))

        return Route("/assets/{digest}/{name}", get_asset)


def _type(name: str) -> str | None:
    return _TYPES.get(name.rpartition(".")[2])
