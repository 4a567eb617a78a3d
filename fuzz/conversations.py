"""Whole conversations with upstreams and nodes: recorded once, then repeated with altered answers.

What is recorded are answers of the sandbox's emulators and nodes, below everything that reads them. So the fields of an
answer, calldata, instructions, accounts, and what a node says are all read as in the service, and may all be altered.
"""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from random import Random
from typing import Any
from unittest.mock import patch

from fuzz.decoder import Decoder
from fuzz.mutations import altered_body, altered_text
from rhumbline.gateways.http.connection import Reply
from rhumbline.gateways.http.pool import Pool

Headers = Mapping[str, str]
_IS_OURS: ContextVar[bool] = ContextVar("is_ours", default=False)
_UNKNOWN = Reply(404, {"content-type": "application/json"}, b"{}", is_large=False)
_STATUSES = (200, 201, 204, 302, 400, 404, 422, 429, 500, 503)


@dataclass(frozen=True)
class Heard:
    """One answer, and what it is an answer to: ``asked`` to the letter, ``to`` without what may differ next time."""

    asked: str
    to: str
    reply: Reply

    def __repr__(self) -> str:
        return f"{self.to}: {self.reply.status} {self.reply.headers} {self.reply.body!r}"


async def recorded(
    name: str, ask: Callable[[], Awaitable[Any]], errors: tuple[type[Exception], ...] = (), *, repeats: bool = True
) -> Decoder:
    """Ask once, note all that is answered over HTTP, and return what can be repeated.

    Without ``repeats`` the service may ask for something new each time, and refuse the genuine answers of the last.
    """
    heard: list[Heard] = []
    real = Pool.ask

    async def noted(pool: Pool, method: str, target: str, headers: Headers, body: bytes | None, *more: Any) -> Reply:
        reply = await real(pool, method, target, headers, body, *more)
        if _IS_OURS.get():
            heard.append(Heard(_asked(pool, method, target, body), _question(pool, method, target, body), reply))
        return reply

    with patch.object(Pool, "ask", noted), _ours():
        await ask()

    async def read(altered: Sequence[Heard]) -> Any:
        with _repeating(altered):
            try:
                found = await ask()
            except errors as error:
                _expect_text(str(error))
                raise
            _expect_texts(found)
            return found

    return Decoder(name, (tuple(heard),), _altered, read, errors, repeats)


@contextmanager
def _repeating(heard: Sequence[Heard]) -> Iterator[None]:
    """Answer over HTTP as was heard: to the same question, else to one that differs in what is new each time."""
    exact: dict[str, list[Reply]] = {}
    alike: dict[str, list[Reply]] = {}
    for each in heard:
        exact.setdefault(each.asked, []).append(each.reply)
        alike.setdefault(each.to, []).append(each.reply)

    real = Pool.ask

    async def told(pool: Pool, method: str, target: str, headers: Headers, body: bytes | None, *more: Any) -> Reply:
        if not _IS_OURS.get():
            return await real(pool, method, target, headers, body, *more)
        replies = exact.get(_asked(pool, method, target, body)) or alike.get(_question(pool, method, target, body))
        if not replies:
            return _UNKNOWN
        return replies.pop(0) if len(replies) > 1 else replies[0]

    with patch.object(Pool, "ask", told), _ours():
        yield


@contextmanager
def _ours() -> Iterator[None]:
    """What is asked inside of this is a part of the conversation; the emulators ask nodes beside it."""
    before = _IS_OURS.set(True)
    try:
        yield
    finally:
        _IS_OURS.reset(before)


def _asked(pool: Pool, method: str, target: str, body: bytes | None) -> str:
    return f"{pool.origin} {method} {target} {body!r}"


def _question(pool: Pool, method: str, target: str, body: bytes | None) -> str:
    words = f"{pool.origin} {method} {target.partition('?')[0]}"
    if body is not None and body.startswith((b'{"jsonrpc"', b'[{"jsonrpc"')):
        calls = json.loads(body)
        words += " " + " ".join(map(_shape, calls if isinstance(calls, list) else [calls]))
    return words


def _shape(call: Mapping[str, Any]) -> str:
    """A node's method, and how many things it is asked about."""
    first = call["params"][0] if call["params"] else None
    return f"{call['method']}:{len(first)}" if isinstance(first, list) else str(call["method"])


def _altered(rng: Random, heard: Sequence[Heard], others: Sequence[Any]) -> tuple[Heard, ...]:
    """One or two of the answers altered, those of the upstream more often than those of nodes."""
    changed = list(heard)
    upstream = [place for place, each in enumerate(changed) if len(each.to.split(" ")) == 3]
    also = [each.reply.body for each in changed if each.reply.body is not None]
    for _ in range(rng.choice((1, 1, 1, 2))):
        place = rng.choice(upstream) if upstream and rng.random() < 0.6 else rng.randrange(len(changed))
        reply = changed[place].reply
        headers = dict(reply.headers)
        if rng.random() < 0.05:
            name = rng.choice(("content-type", "location", "retry-after", "etag"))
            headers[name] = altered_text(rng, headers.get(name, "1")).encode("latin-1", "replace").decode("latin-1")
        status = rng.choice(_STATUSES) if rng.random() < 0.1 else reply.status
        body = None if reply.body is None else altered_body(rng, reply.body, also)
        changed[place] = replace(changed[place], reply=Reply(status, headers, body, is_large=False))
    return tuple(changed)


def _expect_texts(found: object) -> None:
    """What is made of an answer is stored and sent on: every text in it can be."""
    if isinstance(found, str):
        _expect_text(found)
    elif isinstance(found, Mapping):
        for key, value in found.items():
            _expect_texts(key)
            _expect_texts(value)
    elif isinstance(found, list | tuple | set | frozenset):
        for each in found:
            _expect_texts(each)
    elif is_dataclass(found) and not isinstance(found, type | Enum):
        for each in fields(found):
            _expect_texts(getattr(found, each.name, None))


def _expect_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise AssertionError(f"a text that cannot be written: {text!r}") from None
    # PostgreSQL takes no text with this character.
    assert "\0" not in text, f"a text that cannot be stored: {text!r}"
