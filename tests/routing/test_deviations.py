"""Shortfalls are remembered, fade, and never raise anybody."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.routing.deviations import MEMORY_S, MOST, Deviations
from tests.routing.venues import toy_chain, toy_request, toy_token

AMOUNTS = st.integers(1, 2**256 - 1)
ASKED = toy_request()
TURNED = replace(ASKED, origin_token=ASKED.destination_token, destination_token=ASKED.origin_token)
ELSEWHERE = replace(ASKED, origin=toy_chain(2), destination=toy_chain(2))


@given(st.lists(st.tuples(AMOUNTS, AMOUNTS, st.floats(0, 2 * MEMORY_S))), st.floats(0, 2 * MEMORY_S))
def test_a_penalty_is_a_share_that_only_fades(noted: list[tuple[int, int, float]], later: float) -> None:
    now = [0.0]
    deviations = Deviations(now=lambda: now[0])
    for promised, measured, passed in noted:
        now[0] += passed
        before = deviations.penalty("A", ASKED)
        deviations.note("A", ASKED, promised, measured)
        after = deviations.penalty("A", ASKED)
        assert before <= after <= 1
        assert after == before or after == Fraction(promised - measured, promised)
    last = deviations.penalty("A", ASKED)
    now[0] += later
    assert deviations.penalty("A", ASKED) <= last
    assert deviations.penalty("B", ASKED) == deviations.penalty("A", ELSEWHERE) == deviations.penalty("A", TURNED) == 0
    now[0] += MEMORY_S
    assert deviations.penalty("A", ASKED) == 0


def test_a_trifle_is_nobodys_fault() -> None:
    deviations = Deviations(now=lambda: 0.0)
    deviations.note("A", ASKED, 10**18, 10**18 - 10**12)
    assert deviations.penalty("A", ASKED) == 0
    deviations.note("A", ASKED, 10**18, 10**18 - 10**14)
    assert deviations.penalty("A", ASKED) == Fraction(1, 10_000)


def test_what_is_remembered_is_bounded() -> None:
    deviations = Deviations(now=lambda: 0.0)
    for number in range(MOST + 1):
        deviations.note("A", replace(ASKED, origin_token=toy_token(f"0x{number:040x}")), 100, 50)
    first, last = (replace(ASKED, origin_token=toy_token(f"0x{number:040x}")) for number in (0, MOST))
    assert deviations.penalty("A", first) == 0
    assert deviations.penalty("A", last) == Fraction(1, 2)
