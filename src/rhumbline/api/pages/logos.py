"""Logos that the service draws for tokens and tools without one: initials on a colour derived from the address."""

import re
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.domain.errors import NotFound

_INITIALS = re.compile(r"[A-Za-z0-9]{1,3}|-", re.ASCII)
_SUBJECT = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
# Any page may show it, none may run it; the address says all that is drawn.
_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }
)


def drawn(initials: str, subject: str) -> str:
    """Return the drawing; ``-`` for initials leaves it without text. White on it is readable (WCAG 2.2, 4.5:1)."""
    # Wallets write EVM addresses in any case.
    known = subject.lower() if subject[:2] in ("0x", "0X") else subject
    hue = int.from_bytes(sha256(known.encode()).digest()[:2]) % 360
    size = {1: 32, 2: 27, 3: 21}[len(initials)]
    text = "" if initials == "-" else initials
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">'
        f'<circle cx="32" cy="32" r="32" fill="hsl({hue},55%,28%)"/>'
        f'<text x="32" y="32" fill="#fff" font-family="system-ui,sans-serif" font-weight="600" font-size="{size}" '
        f'text-anchor="middle" dominant-baseline="central">{text}</text></svg>'
    )


def logo_route() -> Route:
    """Return the route that draws."""

    async def get_logo(request: Request) -> Response:
        initials, name = str(request.path_params["initials"]), str(request.path_params["name"])
        subject = name.removesuffix(".svg")
        if subject == name or not _INITIALS.fullmatch(initials) or not _SUBJECT.fullmatch(subject):
            raise NotFound("There is no such logo")
        return Response(drawn(initials, subject), 200, _HEADERS, "image/svg+xml")

    return Route("/logos/{initials}/{name}", get_logo)
