"""Posts to addresses that strangers name: what may be reached is decided by the address that is connected to.

A name is resolved once for a connection, and connected to where that led, so it cannot mean another address the next
moment. Every address, also one that stands in the URL itself, is judged where its socket is made. No redirect is
followed, no cookie kept, no proxy used, and of an answer nothing but its status is read.
"""

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import aiohttp
from yarl import URL

from rhumbline.domain.sentence import Sentence

LONGEST_S = 10.0
"""The time of a whole attempt: to resolve, to connect, to send, and until the head of the answer is there."""
_LARGEST_HEAD = 16 * 1024
_NAT64 = ip_network("64:ff9b::/96")
_SPECIAL = tuple(
    ip_network(block)
    for block in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48", "2001::/23", "3fff::/20", "5f00::/16")
)
"""Special-purpose blocks (https://www.iana.org/assignments/iana-ipv4-special-registry, read 2026-11) that a version of
Python may take for public ones.
"""


class AddressRefused(OSError):
    """The address may not be reached."""


def is_public(text: str) -> bool:
    """Return whether an address is anybody's on the internet; what embeds an IPv4 address is judged by that."""
    try:
        address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(str(address.ipv4_mapped))
        if address in _NAT64:
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.sixtofour is not None or address.teredo is not None or address.is_site_local:
            return False
    if any(address in block for block in _SPECIAL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def url_fault(text: str, *, allow_private: bool) -> Sentence | None:
    """Return what is wrong with a receiver's URL, with the remedy; None for one that may be tried."""
    try:
        url = URL(text)
    except ValueError:
        return Sentence("url must be a URL, as https://example.com/webhooks")
    schemes = ("https", "http") if allow_private else ("https",)
    if url.scheme not in schemes or not url.host or len(text) > 2048 or not text.isprintable() or " " in text:
        return Sentence("url must be a URL that begins with https://, of at most 2048 characters")
    if url.user is not None or url.password is not None:
        return Sentence("url must have no user or password: the signature shows who sends")
    try:
        ip_address(url.host)
    except ValueError:
        return None
    return None if allow_private or is_public(url.host) else Sentence("url must not be a private address")


@dataclass(slots=True, eq=False)
class Receivers:
    """Posts to receivers; with ``allow_private`` to any address, and over plain HTTP."""

    allow_private: bool = False
    longest_s: float = LONGEST_S
    resolver: aiohttp.abc.AbstractResolver | None = None
    _session: aiohttp.ClientSession | None = field(default=None, init=False)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Return the status of the answer; raise TimeoutError, OSError or aiohttp.ClientError without one."""
        session = self._opened()
        async with (
            asyncio.timeout(self.longest_s),
            session.post(url, data=body, headers=headers, allow_redirects=False) as response,
        ):
            # Whatever follows the head is nobody's: to leave closes the connection.
            return response.status

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(
                limit=0, force_close=True, use_dns_cache=False, resolver=self.resolver, socket_factory=self._socket
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=self.longest_s),
                max_line_size=_LARGEST_HEAD,
                max_field_size=_LARGEST_HEAD,
                read_bufsize=_LARGEST_HEAD,
            )
        return self._session

    def _socket(self, found: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = found
        if not self.allow_private and not is_public(str(address[0])):
            raise AddressRefused(f"{address[0]} is not a public address")
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)
        return made


def in_words(error: BaseException) -> str:
    """Say in a few words why there was no answer, without anything that the other side has said."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, AddressRefused):
            return "not a public address"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, aiohttp.InvalidURL):
        return "not a valid address"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError):
        return "no valid certificate"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "no such host"
    if isinstance(error, aiohttp.ClientConnectorError):
        return "cannot connect"
    return "not a valid answer"
