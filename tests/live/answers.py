"""Listening to what upstreams answer, and comparing it with our recordings."""

from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.upstream import Query, Upstream, UpstreamRefused
from tests.live.by_folder import endpoints_of
from tests.live.shapes import differences, shape_of


@dataclass(frozen=True, slots=True)
class ReceivedAnswer:
    """One answer: of which adapter's upstream, to what, and what it was."""

    key: str
    method: str
    path: str
    answer: Json


@contextmanager
def hearing(notes: list[str]) -> Iterator[list[ReceivedAnswer]]:
    """Write down all that upstreams answer; of a refusal its shape is noted, for its text may repeat what was sent."""
    found: list[ReceivedAnswer] = []
    get, post = Upstream.get, Upstream.post

    async def heard_get(self: Upstream, path: str, query: Query = (), *, timeout_s: float | None = None) -> Json:
        return await noted(self.name, "GET", path, get(self, path, query, timeout_s=timeout_s))

    async def heard_post(
        self: Upstream, path: str, body: object, query: Query = (), *, timeout_s: float | None = None
    ) -> Json:
        return await noted(self.name, "POST", path, post(self, path, body, query, timeout_s=timeout_s))

    async def noted(name: str, method: str, path: str, call: Awaitable[Json]) -> Json:
        try:
            answer = await call
        except UpstreamRefused as error:
            shape = {place: sorted(types) for place, types in shape_of([error.body]).items()}
            notes.append(f"{name} {method} {path} HTTP {error.status} {shape}")
            raise
        found.append(ReceivedAnswer(name, method, path, answer))
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Upstream, "get", heard_get)
        patch.setattr(Upstream, "post", heard_post)
        yield found


def broken(heard: Iterable[ReceivedAnswer], notes: list[str]) -> list[str]:
    """Compare answers with what we recorded; return what breaks that which is read, and note every difference."""
    found = []
    for each in heard:
        covering = list(endpoints_of(each.key, each.method, each.path))
        if not covering:
            found.append(f"{each.key} {each.method} {each.path} is not among the endpoints")
        for endpoint in covering:
            parts = endpoint.parts(each.answer)
            if not parts or not endpoint.recordings:
                continue
            unlike = differences(shape_of(parts), shape_of(endpoint.recorded()), endpoint.read())
            notes.extend(f"{each.key} {endpoint.method} {endpoint.path} {one}" for one in unlike)
            found += [f"{each.key} {endpoint.path} {one}" for one in unlike if one.breaks]
    return found
