"""Which kept body a query asks for: the endpoint finds it out once, and from then on it is answered at once."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.request import HotRequest
from rhumbline.api.http.encoded_bodies import FOREVER, Build, EncodedBodies, TtlCache, Wanted
from rhumbline.api.http.written_response import WrittenResponse

MOST_QUERIES = 1000
LONGEST_QUERY = 1024


@dataclass(frozen=True, slots=True)
class HotBodies:
    """One path's bodies, kept in ``bodies``. What a query asks for never changes; what it says may (``version``)."""

    bodies: EncodedBodies
    headers: Mapping[str, str]
    version: Callable[[], Hashable] = lambda: None
    freshness: TtlCache = FOREVER
    _wanted: dict[bytes, Wanted] = field(default_factory=dict, init=False)

    async def answer(self, request: Request, key: Hashable, build: Build) -> Response:
        """Answer a request whose query was found to be sound, and asks for the body ``key``."""
        query = request.scope["query_string"]
        wanted = Wanted(key, build, self.headers, self.version, self.freshness)
        if len(query) <= LONGEST_QUERY and query not in self._wanted:
            if len(self._wanted) >= MOST_QUERIES:
                del self._wanted[next(iter(self._wanted))]
            self._wanted[query] = wanted
        return await self.bodies.answer(request.headers, wanted)

    def find(self, asked: HotRequest) -> WrittenResponse | None:
        """Return the same answer, None when its query is new or its body has to be built first."""
        wanted = self._wanted.get(asked.query)
        return None if wanted is None else self.bodies.at_once(asked.accept_encoding, asked.if_none_match, wanted)
