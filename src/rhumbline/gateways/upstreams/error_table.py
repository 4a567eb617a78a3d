"""The meaning of an upstream's errors: one table per adapter, from codes, texts or HTTP statuses to our errors."""

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.spec import failure_of, known_failure
from rhumbline.gateways.upstreams.upstream import UpstreamError, UpstreamRefused

Meaning: TypeAlias = tuple[type[AdapterError], str]
"""The error, and its reason in our words, because an upstream's own text is not shown."""
SUCCESS = 200
_RATE_LIMITED = 429

K = TypeVar("K", int, str, int | str)


@dataclass(frozen=True, slots=True)
class ErrorTable(Generic[K]):
    """The errors of one upstream.

    ``meanings`` is the table, by what ``codes`` finds in a reply: it is given the HTTP status, ``SUCCESS`` for any 2xx,
    and the JSON, and returns what to look up, the most telling first. What no entry knows counts by its HTTP status,
    and so does 429, whatever its body says. UpstreamFailed is only for what passes: what comes again for the same
    question must not read as an outage.
    """

    meanings: Mapping[K, Meaning]
    codes: Callable[[int, Json], Iterable[K]]

    async def answer(self, call: Awaitable[Json]) -> Json:
        """Return the JSON of a call; raise the AdapterError that its failure, or an error in its answer, means."""
        try:
            answer = await call
        except UpstreamError as error:
            raise self.failure(error) from error
        if (named := self.meaning(SUCCESS, answer)) is not None:
            raise named
        return answer

    async def find(self, call: Awaitable[Json], unknown: Container[int] = (404,)) -> Json:
        """Like ``answer``, but None for an HTTP status that means that the upstream does not know it."""
        try:
            answer = await self.answer(call)
        except AdapterError as failure:
            if isinstance(failure.__cause__, UpstreamRefused) and failure.__cause__.status in unknown:
                return None
            raise
        if answer is None:
            raise UpstreamFailed("answered something unexpected: the answer is not as documented")
        return answer

    def failure(self, error: UpstreamError) -> AdapterError:
        """Return what a failed call means, by the table, else by its HTTP status."""
        if isinstance(error, UpstreamRefused) and error.status != _RATE_LIMITED:
            return known_failure(self.meaning(error.status, error.body), error)
        return failure_of(error)

    def meaning(self, status: int, body: Json) -> AdapterError | None:
        """Return the meaning of a reply in the table, None if it has none."""
        for code in self.codes(status, body):
            if code in self.meanings:
                kind, reason = self.meanings[code]
                return kind(reason)
        return None


def text_at(body: Json, key: str) -> str:
    """Return the text under a key of an object, empty for anything else."""
    found = body.get(key) if isinstance(body, dict) else None
    return found if isinstance(found, str) else ""
