"""JSON-RPC over HTTP for nodes of every chain: how much of an answer is accepted, and which of its texts are shown.

Errors name the chain, never the URL: an operator's endpoint may carry a key.
"""

import asyncio
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.client import AnyAnswer, HttpClient
from rhumbline.gateways.http.connection import ConnectionFailed
from rhumbline.gateways.http.connection_errors import in_words

T = TypeVar("T")
_PATH = re.compile(r" - at `(\$[\w.\[\]]*)`\Z", re.ASCII)
OVERLOAD_CODES = frozenset({429, 502, 503, 504})
"""Statuses of a gateway before nodes that is temporarily unable to answer, whatever its body says."""
_LONGEST_WORDS = 500
_MOST_WORDS = 8 * 1024
_SHORTEST_KEY = 8
# Tried only where a word begins, so once for each.
_ADDRESS = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z0-9+.-]++://\S+")


class AnswerTooLarge(NodeUnavailable):
    """A node's answer is larger than allowed."""


class UnexpectedAnswer(NodeUnavailable):
    """A node answered something unexpected: a retry may get the same."""


class Answer(msgspec.Struct, Generic[T]):
    """A node's answer that holds a result of one type."""

    result: T
    error: None = None


def why(error: Exception) -> str:
    """Return where an answer has another type than expected, without its content."""
    if isinstance(error, msgspec.ValidationError):
        found = _PATH.search(str(error))
        return f" ({found[1]})" if found else ""
    return f" ({error})" if isinstance(error, ValueError) else ""


async def post(
    http: HttpClient, url: str, name: str, body: object, *, timeout_s: float, largest_bytes: int
) -> tuple[int, bytes]:
    """Post a call and return the HTTP status and the answer; raise NodeUnavailable if there is none.

    ``name`` is the chain's, for errors. More than ``largest_bytes`` are not let in, unpacked or not.
    """
    deadline = asyncio.get_running_loop().time() + timeout_s
    try:
        reply = await http.ask("POST", url, AnyAnswer(largest_bytes), deadline, body=msgspec.json.encode(body))
    except (ConnectionFailed, TimeoutError, OSError, ValueError) as error:
        # Without its cause, whose text may hold the URL.
        raise NodeUnavailable(f"{name}: the node does not answer ({in_words(error)})") from None
    if reply.status in OVERLOAD_CODES:
        raise NodeUnavailable(f"{name}: the node is overloaded or limits our rate (HTTP {reply.status})")
    if reply.body is None:
        raise AnswerTooLarge(f"{name}: the node's answer is larger than {largest_bytes} bytes")
    return reply.status, reply.body


def result_of(
    answer: object, name: str, url: str, refusal: Callable[[Mapping[str, object]], Exception] | None = None
) -> object:
    """Return the ``result`` of one answer; raise NodeUnavailable when it has none.

    An ``error`` raises what ``refusal`` makes of it, else NodeRefused; nothing of ``url`` may be shown.
    """
    if not isinstance(answer, dict):
        raise NodeUnavailable(f"{name}: the node's answer is not JSON-RPC")
    error = answer.get("error")
    if isinstance(error, dict):
        raise NodeRefused(shown_message(error.get("message"), url)) if refusal is None else refusal(error)
    if "result" not in answer:
        raise NodeUnavailable(f"{name}: the node's answer has neither result nor error")
    return answer["result"]


def shown_message(message: object, url: str) -> str:
    """Return as much of a node's message as may be shown, in characters that can be."""
    words = message if isinstance(message, str) else ""
    shown = without_secrets(words[:_MOST_WORDS], url)
    if len(words) > _MOST_WORDS:
        # The cut may have left half of a secret at the end; none is longer in any of its forms.
        shown = shown[: -2 * len(url)]
    return "".join(each if each.isprintable() else " " for each in shown[:_LONGEST_WORDS]).strip() or "no message"


def without_secrets(words: str, url: str) -> str:
    """Return a node's message without addresses and without the secret parts of ``url``, which gateways often repeat.

    Secret may be its user, its password, and long parts of its path and query.
    """
    parts = urlsplit(url)
    pieces = {piece for name, piece in parse_qsl(parts.query)} | set(parts.path.split("/"))
    secrets = {piece for piece in pieces if len(piece) >= _SHORTEST_KEY}
    if parts.username or parts.password:
        user, password = parts.username or "", parts.password or ""
        secrets |= {user, password, b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()} - {""}
    words = _ADDRESS.sub("…", words)
    for secret in sorted({form for each in secrets for form in (each, unquote(each))}, key=len, reverse=True):
        words = words.replace(secret, "…")
    return words
