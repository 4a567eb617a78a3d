"""Server-sent events, however their bytes are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline_client import UnexpectedAnswer
from rhumbline_client.events import MOST_BYTES, Event, EventDecoder

STREAM = (
    'retry: 2000\n\n: still here\r\n\r\nid: a\rdata: {"x":\rdata:  "\u2028ü"}\r\r'
    "event:q\ndata\n\nid\ndata: z\n\nid: cut\ndata: off"
)
EXPECTED = [Event("message", '{"x":\n "\u2028ü"}', "a"), Event("q", "", "a"), Event("message", "z", "")]


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12))
@pytest.mark.hypothesis
def test_events_are_the_same_however_they_are_cut(cuts: list[int]) -> None:
    whole, decoder = STREAM.encode(), EventDecoder()
    places = [0, *sorted(cuts), len(whole)]
    found = [event for a, b in pairwise(places) for event in decoder.feed(whole[a:b])]
    assert found == EXPECTED


def test_an_event_without_an_end_is_given_up() -> None:
    decoder = EventDecoder()
    for _ in range(11):
        assert len(decoder.feed(b"data: x\n\n" * (MOST_BYTES // 90))) > 1
    for _ in range(3):
        decoder.feed(b"data: " + b"x" * (MOST_BYTES // 4))
    with pytest.raises(UnexpectedAnswer, match="more than"):
        decoder.feed(b"data: " + b"x" * (MOST_BYTES // 4))
