"""A node that errs: a real HTTP server before the sandbox's, which by chance answers wrongly in many ways.

Statuses and transactions that it has are null; its pages are short, have holes or are empty; blocks lack what is in
them; answers break off, come too late, or are those of a while ago.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.client import HttpClient
from tests.raw_calls import passed_on

LATE_S = 0.4
_PAGES, _STATUSES, _TRANSACTION, _BLOCK = (
    "getSignaturesForAddress", "getSignatureStatuses", "getTransaction", "getBlock",
)  # fmt: skip
_OF_BEFORE = frozenset({"getSlot", _PAGES, _STATUSES})
_MOST_REMEMBERED = 20


@dataclass
class HostileNode:
    """``share`` of the calls are answered wrongly; 0 makes it honest. ``erred`` counts how, so that a test may look."""

    chance: Random
    share: float
    url: str = ""
    erred: Counter[str] = field(default_factory=Counter)
    before: dict[str, list[Any]] = field(default_factory=dict)

    def spoil(self, method: str, params: list[Any]) -> None:
        """Ask the true node for less than was asked for."""
        if method == _PAGES and self._errs("short pages"):
            params[1]["limit"] = min(params[1].get("limit", 1000), self.chance.randint(1, 5))

    def lie(self, method: str, params: list[Any], answer: Any) -> Any:
        """Return what is answered in place of the truth."""
        key = json.dumps([method, params[:1]])
        told = self.before.setdefault(key, [])
        del told[:-_MOST_REMEMBERED]
        told.append(answer)
        if method in _OF_BEFORE and self._errs("answers of before"):
            return self.chance.choice(told)
        if method == _STATUSES and self._errs("statuses that are null"):
            value = [None if self.chance.random() < 0.5 else each for each in answer["value"]]
            return {**answer, "value": value}
        if method == _TRANSACTION and self._errs("transactions that are null"):
            return None
        if method == _PAGES and self._errs("pages with holes"):
            return [each for each in answer if self.chance.random() < 0.5]
        if method == _BLOCK and answer is not None and self._errs("blocks without it"):
            return {**answer, "signatures": []}
        return answer

    def breaks_off(self) -> bool:
        """Tell whether an answer is cut in its middle."""
        return self._errs("half an answer", 0.2)

    async def delay(self) -> None:
        """Let an answer be late, sometimes."""
        if self._errs("late answers", 0.05):
            await asyncio.sleep(LATE_S)

    def _errs(self, way: str, part: float = 1.0) -> bool:
        errs = self.chance.random() < self.share * part
        self.erred[way] += errs
        return errs


@asynccontextmanager
async def running_hostile_node(
    upstream: str, http: HttpClient, chance: Random, share: float
) -> AsyncIterator[HostileNode]:
    node = HostileNode(chance, share)

    async def handle(request: web.Request) -> web.Response:
        asked = json.loads(await request.text())
        node.spoil(asked["method"], asked["params"])
        told = await passed_on(http, upstream, asked)
        if "result" in told:
            told["result"] = node.lie(asked["method"], asked["params"], told["result"])
        await node.delay()
        text = json.dumps(told)
        return web.Response(text=text[: len(text) // 2] if node.breaks_off() else text, content_type="application/json")

    app = web.Application(client_max_size=2**26)
    app.router.add_post("/", handle)
    async with hosted(app) as node.url:
        yield node
