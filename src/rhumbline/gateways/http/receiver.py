"""Posts to addresses that strangers name: what may be reached is decided by the address that is connected to.

A name is resolved once for a connection, and connected to where that led, so it cannot mean another address the next
moment. Every address, also one that stands in the URL itself, is judged before a socket is made, and a socket is made
to no other. No redirect is followed, no proxy used, no connection kept, and of an answer nothing but its status is
read.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from yarl import URL

from rhumbline.domain.sentence import Sentence
from rhumbline.gateways.http.connection import ConnectionFailed
from rhumbline.gateways.http.pool import Addresses, Find, Pool, looked_up

LONGEST_S = 10.0
"""The time of a whole attempt: to resolve, to connect, to send, and until the head of the answer is there."""
_NAT64 = ip_network("64:ff9b::/96")
_SPECIAL = tuple(
    ip_network(block)
    for block in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48", "2001::/23", "3fff::/20", "5f00::/16")
)
"""Special-purpose blocks (https://www.iana.org/assignments/iana-ipv4-special-registry, read 2026-11) that a version of
Python may take for public ones.
"""


class NotAnswered(Exception):
    """There was no answer; the text says why in a few words, without anything that the other side has said."""


class _AddressRefused(Exception):
    """No address of the host may be reached."""


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
    find: Find = looked_up

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post JSON and return the status of the answer; raise NotAnswered without one."""
        deadline = asyncio.get_running_loop().time() + self.longest_s
        try:
            whole = _valid(url)
            async with Pool(whole, 1, find=self._judged, agent="rhumbline-webhooks") as pool:
                sent = {**headers, "connection": "close"}
                reply = await pool.ask("POST", whole.raw_path_qs, sent, body, _HeadAlone(), deadline)
        except (_AddressRefused, ConnectionFailed, OSError, ValueError) as error:
            raise NotAnswered(_in_words(error)) from error
        return reply.status

    async def _judged(self, host: str, port: int) -> Addresses:
        """Look a host up once and return those of its addresses that may be reached."""
        found = await self.find(host, port)
        allowed = [each for each in found if self.allow_private or is_public(str(each[4][0]))]
        if not allowed:
            raise _AddressRefused
        return allowed


class _HeadAlone:
    """Whatever follows the head is nobody's."""

    largest_bytes = 0

    def accepts(self, content_type: str) -> bool:
        return False


def _valid(text: str) -> URL:
    """Return the URL; raise ValueError for one that cannot be posted to, as an IPv4 address that lacks parts."""
    url = URL(text)
    if url.scheme not in ("http", "https") or not url.raw_host:
        raise ValueError("not an HTTP URL")
    if url.raw_host.replace(".", "").isdecimal():
        ip_address(url.raw_host)
    return url


def _in_words(error: Exception) -> str:
    if isinstance(error, _AddressRefused):
        return "not a public address"
    if isinstance(error, ConnectionFailed):
        return "not a valid answer"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ssl.SSLError):
        return "no valid certificate"
    if isinstance(error, socket.gaierror):
        return "no such host"
    return "cannot connect" if isinstance(error, OSError) else "not a valid address"
