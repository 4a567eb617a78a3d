"""Why a host could not be reached, in words that help to fix it; only the host's name is shown."""

import errno
import socket
import ssl
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from rhumbline.gateways.http.connection import ConnectionFailed

_ERRORS: Mapping[int, str] = MappingProxyType(
    {
        errno.ECONNREFUSED: "nothing listens there",
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
    """Return in words why a host could not be reached; an error of an unknown kind keeps its name."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ConnectionFailed):
        return str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        return "its TLS certificate is not valid"
    if isinstance(error, ssl.SSLError):
        return "it does not speak TLS"
    if isinstance(error, socket.gaierror):
        return "no such host is known"
    return _ERRORS.get(getattr(error, "errno", None) or 0, type(error).__name__)
