"""A proxy between the service and an upstream, which passes answers on or alters them by a script."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web
from yarl import URL

from rhumbline.devnet.hosts import hosted

_OWN_HEADERS = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding"})
_NOTHING = object()
_DISTINCTIVE = 6
_LARGEST = 16 * 1024 * 1024


@dataclass(frozen=True)
class UpstreamAnswer:
    """One answer: under which path, and its JSON."""

    path: str
    document: Any


Script = Callable[[UpstreamAnswer], Any]
"""Returns the document to answer with instead."""


@dataclass
class Liar:
    """Records the true answers; while there is a ``script``, that decides what is passed on."""

    script: Script | None = None
    answers: list[UpstreamAnswer] = field(default_factory=list)
    _truths: dict[str, Any] = field(default_factory=dict)

    def begin(self, script: Script | None) -> None:
        """Lie by a script from now on, None for no longer."""
        self.script = script
        self.answers.clear()
        self._truths.clear()

    def with_truths(self, body: bytes) -> bytes:
        """Return a request with altered values replaced by the true ones, so that the upstream recognises them."""
        if not self._truths or not body:
            return body
        try:
            document = json.loads(body)
        except ValueError:
            return body
        return json.dumps(self._truth(document)).encode()

    def _truth(self, part: Any) -> Any:
        if (known := self._truths.get(_text(part), _NOTHING)) is not _NOTHING:
            return known
        if isinstance(part, dict):
            return {key: self._truth(each) for key, each in part.items()}
        return [self._truth(each) for each in part] if isinstance(part, list) else part

    def _remember(self, altered: Any, true: Any) -> None:
        """Record which true part each altered part replaced; small values are too common to be recognised."""
        text = _text(altered)
        if text == _text(true):
            return
        if len(text) >= _DISTINCTIVE:
            self._truths[text] = true
        if isinstance(altered, dict) and isinstance(true, dict):
            for key in altered.keys() & true.keys():
                self._remember(altered[key], true[key])
        elif isinstance(altered, list) and isinstance(true, list):
            for one, other in zip(altered, true, strict=False):
                self._remember(one, other)

    def pass_on(self, path: str, body: bytes) -> bytes:
        """Return what to answer for what the upstream answered."""
        try:
            answer = UpstreamAnswer(path, json.loads(body))
        except ValueError:
            return body
        self.answers.append(answer)
        if self.script is None:
            return body
        altered = self.script(answer)
        self._remember(altered, answer.document)
        return json.dumps(altered).encode()


def _text(part: Any) -> str:
    return json.dumps(part, sort_keys=True)


@asynccontextmanager
async def standing_before(url: str, liar: Liar, session: aiohttp.ClientSession) -> AsyncIterator[str]:
    """Serve on a port of this machine what ``url`` serves, as the liar passes it on; yields the address."""

    async def serve(request: web.Request) -> web.Response:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OWN_HEADERS}
        target = URL(url + request.raw_path, encoded=True)
        data = liar.with_truths(await request.read())
        async with session.request(request.method, target, headers=headers, data=data or None) as answer:
            body = await answer.read()
            kept = {name: value for name, value in answer.headers.items() if name.lower() == "content-type"}
            passed_on = liar.pass_on(request.path, body) if answer.status == 200 else body
            return web.Response(status=answer.status, body=passed_on, headers=kept)

    app = web.Application(client_max_size=_LARGEST)
    app.router.add_route("*", "/{any:.*}", serve)
    async with hosted(app, cancels=True) as address:
        yield address
