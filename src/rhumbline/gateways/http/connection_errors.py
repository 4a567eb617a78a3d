"""Why a host could not be reached, in words for a person who is to mend it; no address but the host is told."""

import errno
import socket
import ssl
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

import aiohttp

_ERRORS: Mapping[int, str] = MappingProxyType(
    {
        errno.ENETUNREACH: "there is no way to its network",
        errno.EHOSTUNREACH: "there is no way to it",
        errno.ECONNRESET: "it broke the connection off",
    }
)


def host_of(url: str) -> str:
    """Return the host of a URL, with its port if one is written; never its user, password, path or query."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "an address that is none"
    host = f"[{host}]" if ":" in host else host
    return f"{host}:{port}" if port is not None else host


def in_words(error: BaseException) -> str:
    """Say what an attempt to reach a host failed of; an error of a kind that is not known keeps its name."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, aiohttp.ClientConnectorCertificateError | ssl.SSLCertVerificationError):
        return "its TLS certificate does not hold"
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return "it does not speak TLS"
    if isinstance(error, aiohttp.ClientConnectorDNSError | socket.gaierror):
        return "no such host is known"
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(cause, ConnectionRefusedError) or getattr(cause, "errno", None) == errno.ECONNREFUSED:
        return "nothing listens there"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "it hung up without an answer"
    if isinstance(error, aiohttp.ContentTypeError):
        return "what answers there is not what was expected"
    if isinstance(error, aiohttp.ClientPayloadError):
        return "its answer broke off"
    return _ERRORS.get(getattr(cause, "errno", None) or 0, type(error).__name__)
