"""Which kept body a query asks for: read by the endpoint once, and answered at once from then on."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.encoded import FOREVER, Build, EncodedBodies, TtlCache
from rhumbline.api.hot_answer import HotAnswer
from rhumbline.api.hot_request import HotRequest

MOST_QUERIES = 1000
LONGEST_QUERY = 1024


class _Sought(NamedTuple):
    key: Hashable
    build: Build


@dataclass(frozen=True, slots=True)
class HotBodies:
    """The bodies of one path. What a sound query asks for never changes; what the body says may, with its version.

    They are kept in ``bodies``, with other paths' bodies; ``version`` is what they are made of now.
    """

    bodies: EncodedBodies
    version: Callable[[], Hashable]
    headers: Mapping[str, str]
    freshness: TtlCache = FOREVER
    _sought: dict[bytes, _Sought] = field(default_factory=dict, init=False)

    async def answer(self, request: Request, key: Hashable, build: Build) -> Response:
        """Answer a request whose query was found to be sound, and asks for the body ``key``."""
        query = request.scope["query_string"]
        if len(query) <= LONGEST_QUERY and query not in self._sought:
            if len(self._sought) >= MOST_QUERIES:
                del self._sought[next(iter(self._sought))]
            self._sought[query] = _Sought(key, build)
        return await self.bodies.answer(
            request.headers, key, self.version(), build, headers=self.headers, freshness=self.freshness
        )

    def find(self, asked: HotRequest) -> HotAnswer | None:
        """Return the same answer, None when its query is new or its body has to be built first."""
        sought = self._sought.get(asked.query)
        if sought is None:
            return None
        return self.bodies.at_once(
            asked, sought.key, self.version(), sought.build, headers=self.headers, freshness=self.freshness
        )
