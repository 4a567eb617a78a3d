"""Shortfalls are remembered, fade, and never raise anybody."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.routing.deviations import MEMORY_S, Deviations
from tests.routing.venues import toy_chain

AMOUNTS = st.integers(1, 2**256 - 1)
CHAIN = toy_chain()


@given(st.lists(st.tuples(AMOUNTS, AMOUNTS, st.floats(0, 2 * MEMORY_S))), st.floats(0, 2 * MEMORY_S))
def test_a_penalty_is_a_share_that_only_fades(noted: list[tuple[int, int, float]], later: float) -> None:
    now = [0.0]
    deviations = Deviations(now=lambda: now[0])
    for promised, measured, passed in noted:
        now[0] += passed
        before = deviations.penalty("A", 1)
        deviations.note("A", CHAIN, promised, measured)
        after = deviations.penalty("A", 1)
        assert before <= after <= 1
        assert after == before or after == Fraction(promised - measured, promised)
    last = deviations.penalty("A", 1)
    now[0] += later
    assert deviations.penalty("A", 1) <= last
    assert deviations.penalty("B", 1) == deviations.penalty("A", 2) == 0
    now[0] += MEMORY_S
    assert deviations.penalty("A", 1) == 0


def test_a_trifle_is_nobodys_fault() -> None:
    deviations = Deviations(now=lambda: 0.0)
    deviations.note("A", CHAIN, 10**18, 10**18 - 10**12)
    assert deviations.penalty("A", 1) == 0
    deviations.note("A", CHAIN, 10**18, 10**18 - 10**14)
    assert deviations.penalty("A", 1) == Fraction(1, 10_000)
