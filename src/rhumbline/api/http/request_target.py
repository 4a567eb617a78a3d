"""The target of a request: its host and path."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

_HOST = re.compile(
    rb"(?:(?:[A-Za-z0-9._~!$&'()*+;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{0,5})?[ \t]*\Z"
)
"""uri-host [ ":" port ] (RFC 9110, 7.2; RFC 3986, 3.2.2), without the comma, which joins several; never empty, because
no http URI has an empty host (RFC 9110, 4.2.1)."""
_SLASH = re.compile("%2f", re.IGNORECASE)


def host_fault(headers: Sequence[tuple[bytes, bytes]], version: str) -> str | None:
    """Return the fault of a request's ``Host``: exactly one well-formed field (RFC 9112, 3.2); None if there is none.

    Header names are in lower case. HTTP/1.0 may lack it.
    """
    hosts = [value for name, value in headers if name == b"host"]
    if len(hosts) > 1:
        return "There is more than one Host header: send exactly one"
    if not hosts:
        return None if version == "1.0" else "There is no Host header: send exactly one"
    return None if _HOST.match(hosts[0]) else "The Host header is malformed: send a host, and a port if need be"


def decoded_path(raw: str) -> str:
    """Decode a path segment by segment: an encoded slash is part of its segment and stays encoded (RFC 3986, 2.2)."""
    return "%2F".join(unquote(part) for part in _SLASH.split(raw))
