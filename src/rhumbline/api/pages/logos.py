"""Logos that the service draws for chains, tokens and tools without one: initials on a signal flag of their own."""

import re
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.domain.errors import NotFound

_INITIALS = re.compile(r"[A-Za-z0-9]{1,4}|-", re.ASCII)
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


# Divisions of a flag, as the second colour's part of a square of 64.
_FLAGS = (
    "M0 32h64v32H0z",
    "M32 0h32v64H32z",
    "M0 64L64 0v64z",
    "M0 0l64 64H0z",
    "M0 20h64v24H0z",
    "M20 0h24v64H20z",
    "M0 0h32v32H0zM32 32h32v32H32z",
    "M32 0l32 32-32 32L0 32z",
    "M0 0h64v14H0zM0 50h64v14H0z",
    "M0 0l32 32L0 64z",
)
_SIZES: Mapping[int, int] = MappingProxyType({1: 32, 2: 27, 3: 21, 4: 18})


def drawn(initials: str, subject: str) -> str:
    """Return the drawing; ``-`` leaves it without text. White on both colours is readable (WCAG 2.2, 4.5:1)."""
    # Wallets write EVM addresses in any case.
    known = subject.lower() if subject[:2] in ("0x", "0X") else subject
    digest = sha256(known.encode()).digest()
    hue = int.from_bytes(digest[:2]) % 360
    other = (hue + 60 + digest[2]) % 360
    text = "" if initials == "-" else initials
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">'
        '<clipPath id="disc"><circle cx="32" cy="32" r="32"/></clipPath>'
        f'<g clip-path="url(#disc)"><rect width="64" height="64" fill="hsl({hue},60%,20%)"/>'
        f'<path d="{_FLAGS[digest[3] % len(_FLAGS)]}" fill="hsl({other},60%,29%)"/></g>'
        f'<text x="32" y="32" fill="#fff" font-family="system-ui,sans-serif" font-weight="700" '
        f'font-size="{_SIZES[len(initials)]}" text-anchor="middle" dominant-baseline="central">{text}</text></svg>'
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
