"""Answers of ``GET /v1/prices``, kept as bytes as long as each snapshot in them would be shown again."""

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
"""Fifty of the longest addresses fit, escaped; a longer query is read anew each time."""
_MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A token to look up, and how it is answered; ``address`` is None for what is not known: symbol, or chain."""

    chain_id: int
    token: str
    address: str | None


class _Query:
    """A sound query as it was read, and its last answer with what that stands on."""

    __slots__ = ("answer", "cached", "tokens", "wanted")

    def __init__(self, wanted: tuple[Wanted, ...]) -> None:
        self.wanted = wanted
        self.tokens: tuple[PriceKey, ...] = tuple(
            (each.chain_id, each.address) for each in wanted if each.address is not None
        )
        self.cached: CachedAnswer | None = None
        self.answer: WrittenResponse | None = None


class Questions:
    """Reads queries and answers them; clients ask the same ones over and over, so sound ones are kept."""

    def __init__(self, services: Services, read: Callable[[bytes], tuple[Wanted, ...]]) -> None:
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

    def find(self, asked: HotRequest) -> WrittenResponse | None:
        """Return the same response to a question that was asked before, None to others."""
        question = self._known(asked.query)
        return None if question is None else self._current(question)

    def _known(self, query: bytes) -> _Query | None:
        if self._version != self._services.tokens.version:
            # Other lists may have other tokens under the same symbols.
            self._version = self._services.tokens.version
            self._kept.clear()
        question = self._kept.pop(query, None)
        if question is not None:
            # Taken out and put back, so that those which nobody asks any more come first.
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
            blank(each.chain_id, each.token) if each.address is None else next(known) for each in question.wanted
        ]
        body = b'{"prices":[%b]}' % b",".join([self._rows.row((each.chain_id, each.token), each) for each in snapshots])
        question.answer = written(_response(body))
        return question.answer


def _response(body: bytes) -> Response:
    return Response(body, 200, NO_STORE, "application/json")
