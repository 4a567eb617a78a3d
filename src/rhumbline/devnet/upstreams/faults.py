"""Faults of a JSON answer, applied to its text, so that numbers of any size and duplicate keys are possible."""

import asyncio
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from aiohttp import web

from rhumbline.devnet.upstreams.behaviour import Fault

FOREIGN_HOST = "http://elsewhere.invalid"
RETRY_AFTER_S = 7
HUGE_BYTES = 50 * 1024 * 1024
_CHUNK = b" " * (1024 * 1024)
_JSON = "application/json"
# A text (group 1: the colon after it, if it is a key), or a number, or a word.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?|-?[0-9][0-9.eE+-]*')
_AMOUNT = re.compile(r'("?)([0-9]{4,})\1\Z', re.ASCII)
_FIRST_KEY = re.compile(r'\{(\s*"(?:[^"\\]|\\.)*"\s*:)')

_REWRITTEN: Mapping[Fault, Callable[[str, str], str]] = MappingProxyType(
    {
        Fault.FLOATS: lambda _, digits: f"{digits}.5",
        Fault.OVERFLOW: lambda quote, digits: f"{quote}{2**256 + int(digits)}{quote}",
        Fault.NEGATIVE: lambda quote, digits: f"{quote}-{digits}{quote}",
    }
)


def rewritten(text: str, fault: Fault) -> str:
    """Return a JSON document with its raw amounts altered: integers of four digits or more, as numbers or texts."""
    write = _REWRITTEN[fault]

    def replaced(match: re.Match[str]) -> str:
        amount = None if match[1] else _AMOUNT.match(match[0])
        return match[0] if amount is None else write(amount[1], amount[2])

    return _TOKEN.sub(replaced, text)


def with_duplicate_keys(text: str) -> str:
    """Return a JSON document in which each object's first key occurs twice, first with null."""
    return _FIRST_KEY.sub(r"{\1 null,\1", text)


async def faulty(request: web.Request, answer: web.Response, fault: Fault, delay_s: float) -> web.StreamResponse:
    """Return the faulty response to send instead of a JSON answer."""
    body = answer.body if isinstance(answer.body, bytes) else b""
    match fault:
        case Fault.LATE:
            await asyncio.sleep(delay_s)
            return answer
        case Fault.NEVER:
            # Ends when the client disconnects, which cancels the handler.
            await asyncio.Event().wait()
            return answer
        case Fault.HALF:
            return await _half(request, answer.status, body)
        case Fault.HUGE:
            return await _huge(request, answer.status, body)
        case Fault.FLOATS | Fault.OVERFLOW | Fault.NEGATIVE:
            return _same(answer, rewritten(body.decode(), fault).encode())
        case Fault.DUPLICATE_KEYS:
            return _same(answer, with_duplicate_keys(body.decode()).encode())
        case Fault.INVALID_UTF8:
            return _same(answer, body.replace(b'"', b'"\xff', 1) if b'"' in body else b"\xff" + body)
        case Fault.NOT_JSON:
            return _same(answer, b"upstream connect error or disconnect/reset before headers")
        case Fault.EMPTY:
            return _same(answer, b"")
        case Fault.NONE:
            return answer
        case _:
            return _replaced(request, fault)


def _replaced(request: web.Request, fault: Fault) -> web.Response:
    if fault is Fault.HTML:
        return web.Response(
            text="<!doctype html><html><title>Just a moment...</title></html>", content_type="text/html"
        )
    if fault is Fault.REDIRECT:
        return web.Response(status=302, headers={"location": FOREIGN_HOST + request.path_qs})
    status, headers, text = {
        Fault.RATE_LIMITED: (429, {}, '{"message":"Too many requests"}'),
        Fault.RATE_LIMITED_RETRY_AFTER: (429, {"retry-after": str(RETRY_AFTER_S)}, '{"message":"Too many requests"}'),
        Fault.SERVER_ERROR: (500, {}, '{"message":"Internal server error"}'),
        Fault.ERROR_IN_200: (200, {}, '{"statusCode":500,"error":"Internal Server Error","message":"try again later"}'),
    }[fault]
    return web.Response(status=status, headers=headers, text=text, content_type=_JSON)


def _same(answer: web.Response, body: bytes) -> web.Response:
    return web.Response(status=answer.status, body=body, content_type=_JSON)


async def _half(request: web.Request, status: int, body: bytes) -> web.StreamResponse:
    response = web.StreamResponse(status=status, headers={"content-type": _JSON})
    response.content_length = len(body)
    response.force_close()
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response


async def _huge(request: web.Request, status: int, body: bytes) -> web.StreamResponse:
    response = web.StreamResponse(status=status, headers={"content-type": _JSON})
    await response.prepare(request)
    for _ in range(HUGE_BYTES // len(_CHUNK)):
        await response.write(_CHUNK)
    await response.write(body)
    return response
