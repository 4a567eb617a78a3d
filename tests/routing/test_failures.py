"""Observed failures: a share of the last tries, by whom they were seen, and forgotten after a while."""

from fractions import Fraction

import pytest

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Refusal
from rhumbline.routing.failures import MEMORY_S, MOST, MOST_REQUESTERS, Failures
from rhumbline.routing.refusals import REFUSED, REVERTED
from tests.routing.venues import toy_request, toy_token


def test_failures_are_a_share_of_the_last_tries_and_are_forgotten() -> None:
    now = [0.0]
    failures = Failures(lambda: now[0])
    assert failures.share("A") == 0
    failures.note("A", failed=True)
    assert (failures.share("A"), failures.share("B")) == (Fraction(1, 10), Fraction(0))
    for _ in range(MOST - 1):
        failures.note("A", failed=False)
    assert failures.share("A") == Fraction(1, MOST)
    failures.note("A", failed=False)
    assert failures.share("A") == 0
    failures.note("A", failed=True)
    now[0] = MEMORY_S + 1
    assert failures.share("A") == 0


def test_what_one_requester_has_seen_fail_counts_for_nobody_else() -> None:
    failures = Failures(lambda: 0.0)
    for _ in range(100):
        failures.note("A", "one", failed=True)
    assert failures.share("A", "one") == 1
    assert failures.share("A", "other") == 0
    failures.note("A", "two", failed=True)
    assert failures.share("A", "other") == Fraction(1, 10)
    for number in range(MOST_REQUESTERS):
        failures.note("A", f"r{number}", failed=False)
    assert failures.share("A", "one") == failures.share("A", "other") == 0


@pytest.mark.parametrize(
    ("kind", "listed", "ours", "counts"),
    [
        (UpstreamFailed.kind, True, False, True),
        (REVERTED, True, False, True),
        (REVERTED, False, False, False),
        (UpstreamFailed.kind, True, True, False),
        *((kind, True, False, False) for kind in (REFUSED, "no_route", "below_minimum", "slippage", "bad_request")),
    ],
)
def test_what_comes_from_token_or_amount_counts_against_nobody(
    kind: str, listed: bool, ours: bool, counts: bool
) -> None:
    failures, asked = Failures(lambda: 0.0), toy_request(origin_token=toy_token(listed=listed))
    failures.note_try(asked, "A", [Refusal("A", kind, "why", ours=ours)], "one", failed=True)
    assert (failures.share("A", "one") > 0) is counts
