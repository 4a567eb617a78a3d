"""Which cached body a query asks for: the endpoint finds out once, then it is answered directly."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.request import HotRequest
from rhumbline.api.http.encoded_bodies import FOREVER, BodyRequest, Build, EncodedBodies, TtlCache
from rhumbline.api.http.written_response import WrittenResponse

MOST_QUERIES = 1000
LONGEST_QUERY = 1024


@dataclass(frozen=True, slots=True)
class HotBodies:
    """One path's cached ``bodies``. A query always means the same body; its content may change (``version``)."""

    bodies: EncodedBodies
    headers: Mapping[str, str]
    version: Callable[[], Hashable] = lambda: None
    freshness: TtlCache = FOREVER
    _requests: dict[bytes, BodyRequest] = field(default_factory=dict, init=False)

    async def answer(self, request: Request, key: Hashable, build: Build) -> Response:
        """Answer a request whose query was found to be sound, and asks for the body ``key``."""
        query = request.scope["query_string"]
        body_request = BodyRequest(key, build, self.headers, self.version, self.freshness)
        if len(query) <= LONGEST_QUERY and query not in self._requests:
            if len(self._requests) >= MOST_QUERIES:
                del self._requests[next(iter(self._requests))]
            self._requests[query] = body_request
        return await self.bodies.answer(request.headers, body_request)

    def find(self, request: HotRequest) -> WrittenResponse | None:
        """Return the cached answer, None if its query is new or its body has to be built first."""
        body_request = self._requests.get(request.query)
        return (
            None
            if body_request is None
            else self.bodies.at_once(request.accept_encoding, request.if_none_match, body_request)
        )
