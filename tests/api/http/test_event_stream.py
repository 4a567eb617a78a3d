"""Places of streams, and how events are written."""

from contextlib import ExitStack

import pytest

from rhumbline.api.http.event_stream import StreamPlaces, event
from rhumbline.domain.errors import Overloaded, RateLimited


def test_an_event_is_written_as_the_standard_says() -> None:
    assert event("ready", "{}") == b"event: ready\ndata: {}\n\n"
    assert event("ready", '"é"', identifier="7") == 'id: 7\nevent: ready\ndata: "é"\n\n'.encode()
    assert event("error", "{}", retry_s=3) == b"event: error\ndata: {}\nretry: 3000\n\n"


def test_places_are_bounded_for_each_and_for_all() -> None:
    places = StreamPlaces(3)
    with ExitStack() as taken:
        taken.enter_context(places.taken("a", 2))
        with places.taken("a", 2), pytest.raises(RateLimited):
            taken.enter_context(places.taken("a", 2))
        taken.enter_context(places.taken("a", 2))
        with places.taken("b", 2), pytest.raises(Overloaded):
            taken.enter_context(places.taken("c", 2))
        taken.enter_context(places.taken("c", 2))
        assert places.open == 3
    assert places.open == 0
