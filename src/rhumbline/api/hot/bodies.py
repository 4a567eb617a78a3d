"""Which kept body a query asks for: read by the endpoint once, and answered at once from then on."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.answer import HotAnswer
from rhumbline.api.hot.encoded import FOREVER, Build, EncodedBodies, TtlCache
from rhumbline.api.hot.request import HotRequest

MOST_QUERIES = 1000
LONGEST_QUERY = 1024


@dataclass(frozen=True, slots=True)
class HotBodies:
    """One path's bodies, kept in ``bodies``. What a query asks for never changes; what it says may (``version``)."""

    bodies: EncodedBodies
    version: Callable[[], Hashable]
    headers: Mapping[str, str]
    freshness: TtlCache = FOREVER
    _sought: dict[bytes, tuple[Hashable, Build]] = field(default_factory=dict, init=False)

    async def answer(self, request: Request, key: Hashable, build: Build) -> Response:
        """Answer a request whose query was found to be sound, and asks for the body ``key``."""
        query = request.scope["query_string"]
        if len(query) <= LONGEST_QUERY and query not in self._sought:
            if len(self._sought) >= MOST_QUERIES:
                del self._sought[next(iter(self._sought))]
            self._sought[query] = key, build
        return await self.bodies.answer(
            request.headers, key, self.version(), build, headers=self.headers, freshness=self.freshness
        )

    def find(self, asked: HotRequest) -> HotAnswer | None:
        """Return the same answer, None when its query is new or its body has to be built first."""
        sought = self._sought.get(asked.query)
        if sought is None:
            return None
        key, build = sought
        return self.bodies.at_once(asked, key, self.version(), build, headers=self.headers, freshness=self.freshness)
