"""An upstream that answers what was recorded for it, and remembers how it was asked, to the letter."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import EvmTransaction


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: str


@dataclass
class Recorded:
    """``answers`` by the end of a path: HTTP status and the body's text; ``headers`` go with every answer."""

    answers: dict[str, tuple[int, str]]
    asked: list[Asked] = field(default_factory=list)
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def says(self, path: str, body: object, status: int = 200) -> None:
        self.answers[path] = (status, body if isinstance(body, str) else json.dumps(body))

    async def _answer(self, request: web.Request) -> web.Response:
        assert len(dict(request.query)) == len(request.query), "a parameter twice"
        headers = {name.lower(): value for name, value in request.headers.items()}
        text = await request.text()
        self.asked.append(Asked(request.method, request.path, dict(request.query), headers, text))
        status, body = next(said for end, said in self.answers.items() if request.path.endswith(end))
        return web.Response(status=status, text=body, content_type="application/json", headers=self.headers)


@dataclass(frozen=True)
class EvmStub:
    """An adapter that builds on EVM chains, against recorded answers."""

    adapter: Any

    async def built(self, quote: Quote[Any]) -> EvmTransaction:
        """The transaction of a quote from an EVM chain."""
        made = await self.adapter.build(quote)
        assert isinstance(made, EvmTransaction)
        return made


@asynccontextmanager
async def recorded_upstream() -> AsyncIterator[Recorded]:
    recorded = Recorded({})
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", recorded._answer)
    async with hosted(app) as recorded.url:
        yield recorded


def recording(folder: Path, name: str) -> Any:
    return json.loads((folder / "recordings" / name).read_text("utf-8"))
