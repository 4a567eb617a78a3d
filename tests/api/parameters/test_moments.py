"""Moments as RFC 3339 has them: with their offset, and nothing guessed."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.parameters.moments import Moment
from rhumbline.api.parameters.parameter import Unreadable
from rhumbline.api.wire.shape import timestamp


@given(
    st.datetimes(datetime(1970, 1, 2), datetime(9998, 12, 30)),
    st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
def test_each_moment_is_read_back(naive: datetime, zone: timezone) -> None:
    moment = naive.replace(tzinfo=zone)
    assert Moment().read(moment.isoformat()) == moment
    assert Moment().read(moment.astimezone(UTC).isoformat().replace("+00:00", "Z")) == moment


def test_what_an_answer_has_is_read() -> None:
    moment = datetime(2026, 3, 4, 5, 6, 7, 89_000, UTC)
    assert Moment().read(timestamp(moment)) == moment


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-27", "2026-11-27T10:00:00", "2026-11-27T10:00Z", "2026-11-27 10:00:00Z", "2026-11-27T10:00:00 02:00",
        "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-27T24:00:01Z", "0000-01-01T00:00:00Z",
        "1969-12-31T23:59:59Z", "9999-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "2026-11-27T10:00:00.Z",
        "1764237600", "yesterday", "2026-W48-5T10:00:00Z", "２０２６-11-27T10:00:00Z", "2026-11-27T10:00:00Z\n",
    ],
)  # fmt: skip
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="with its offset from UTC"):
        Moment().read(text)


def test_a_plus_that_was_not_escaped_is_told() -> None:
    with pytest.raises(Unreadable, match="%2B"):
        Moment().read("2026-11-27T10:00:00 02:00")
