"""Answers of ``GET /v1/prices``, cached as bytes as long as every snapshot in them is unchanged."""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import Response

from rhumbline.api.hot.request import HotRequest
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.written_response import WrittenResponse, written
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.price import to_price
from rhumbline.api.wire.shape import WrittenRows
from rhumbline.domain.price import PriceKey
from rhumbline.pricing.answer_cache import CachedAnswer
from rhumbline.pricing.book import blank

MOST_QUESTIONS = 1_000
LONGEST_QUERY = 6 * 1024
"""Fifty of the longest addresses fit, escaped; longer queries are not cached."""
_MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class RequestedToken:
    """A token to look up, and its form in the answer; ``address`` is None for an unknown symbol or chain."""

    chain_id: int
    token: str
    address: str | None


class _Query:
    """A valid parsed query, and its last answer with its dependencies."""

    __slots__ = ("answer", "cached", "requested", "tokens")

    def __init__(self, requested: tuple[RequestedToken, ...]) -> None:
        self.requested = requested
        self.tokens: tuple[PriceKey, ...] = tuple(
            (each.chain_id, each.address) for each in requested if each.address is not None
        )
        self.cached: CachedAnswer | None = None
        self.answer: WrittenResponse | None = None


class Questions:
    """Parses queries and answers them; valid ones are cached, because clients repeat them."""

    def __init__(self, services: Services, read: Callable[[bytes], tuple[RequestedToken, ...]]) -> None:
        self._services = services
        self._read = read
        self._kept: dict[bytes, _Query] = {}
        self._rows = WrittenRows(to_price, _MOST_ROWS)
        self._version = services.tokens.version

    def answer(self, query: bytes) -> Response:
        """Return the response; raise InvalidRequest with all faults, or NotFound."""
        question = self._known(query)
        if question is None:
            question = _Query(self._read(query))
            if len(query) <= LONGEST_QUERY:
                if len(self._kept) >= MOST_QUESTIONS:
                    del self._kept[next(iter(self._kept))]
                self._kept[query] = question
        return _response(self._current(question).body)

    def find(self, request: HotRequest) -> WrittenResponse | None:
        """Return the same response to a repeated request, None to others."""
        question = self._known(request.query)
        return None if question is None else self._current(question)

    def _known(self, query: bytes) -> _Query | None:
        if self._version != self._services.tokens.version:
            # Other lists may have other tokens under the same symbols.
            self._version = self._services.tokens.version
            self._kept.clear()
        question = self._kept.pop(query, None)
        if question is not None:
            # Removed and inserted again, so that the least recently used come first.
            self._kept[query] = question
        return question

    def _current(self, question: _Query) -> WrittenResponse:
        if question.answer is not None and question.cached is not None and question.cached.holds():
            return question.answer
        read_all = self._services.cached_prices
        if read_all is not None:
            question.cached = read_all(question.tokens)
            known = iter(question.cached.snapshots)
        else:
            known = iter([self._services.prices(*token) or blank(*token) for token in question.tokens])
        snapshots = [
            blank(each.chain_id, each.token) if each.address is None else next(known) for each in question.requested
        ]
        body = b'{"prices":[%b]}' % b",".join([self._rows.row((each.chain_id, each.token), each) for each in snapshots])
        question.answer = written(_response(body))
        return question.answer


def _response(body: bytes) -> Response:
    return Response(body, 200, NO_STORE, "application/json")
