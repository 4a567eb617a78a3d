"""Each time of Across's that a pool or a relayer acts on, raised to its type's largest, or let down."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.across.pool_state import Clock, fitted
from rhumbline.adapters.across.route import DepositTerms
from rhumbline.domain.errors import UpstreamFailed

U32 = 2**32 - 1
NOW = 1_795_000_000
CLOCK = Clock(NOW, 3600, 21_600)
"""A block's time, and the two buffers of a pool."""
TERMS = DepositTerms(999_878_415, NOW, NOW + 11_400, b"\x44" * 32, 12, NOW + 3600)


@pytest.mark.parametrize(("field", "value"), [
    ("exclusivityDeadline", {"exclusivity": 301}),
    ("exclusivityDeadline", {"exclusivity": NOW + 301}),
    ("exclusivityDeadline", {"exclusivity": U32}),
    ("fillDeadline", {"fill_deadline": 0}),
    ("fillDeadline", {"fill_deadline": NOW + 900}),
    ("timestamp", {"quote_timestamp": 0}),
    ("timestamp", {"quote_timestamp": NOW - 3600}),
    ("quoteExpiryTimestamp", {"expires_at": NOW}),
    ("quoteExpiryTimestamp", {"expires_at": 1}),
])  # fmt: skip
def test_a_time_beyond_its_bound_is_refused(field: str, value: dict[str, Any]) -> None:
    with pytest.raises(UpstreamFailed):
        fitted(replace(TERMS, **value), CLOCK)


@pytest.mark.parametrize(("field", "value"), [
    ("fillDeadline", {"fill_deadline": U32}),
    ("timestamp", {"quote_timestamp": U32}),
    ("quoteExpiryTimestamp", {"expires_at": U32}),
])  # fmt: skip
def test_a_time_that_is_too_late_is_the_pool_s_latest(field: str, value: dict[str, Any]) -> None:
    found = fitted(replace(TERMS, **value), CLOCK)
    assert found.quote_timestamp <= NOW
    assert found.fill_deadline <= NOW + CLOCK.fill_buffer
    assert found.expires_at is not None
    assert found.expires_at < NOW + CLOCK.quote_buffer
