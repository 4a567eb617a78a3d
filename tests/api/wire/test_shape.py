"""Numbers and times as the contract spells them."""

import json
import re
from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.http.errors import write_error
from rhumbline.api.wire.shape import decimal_text
from rhumbline.domain import errors


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_decimals_are_written_plainly(value: Decimal) -> None:
    text = decimal_text(value)
    assert Decimal(text) == value
    assert re.fullmatch(r"-?[0-9]+(\.[0-9]*[1-9])?", text)


def test_times_have_milliseconds_in_utc() -> None:
    exact = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    body = json.loads(write_error(errors.NotFound("x"), exact, "/").body)
    assert (body["timestamp"], body["path"]) == ("2026-01-02T03:04:05.000Z", "/")
