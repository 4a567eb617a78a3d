"""How long blocks last is measured, and whatever a node tells stays within bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.nodes.svm.block_pace import LONGEST_S, SHORTEST_S, UNMEASURED_S, BlockPace
from tests.clocks import Seconds


def told(pace: BlockPace, clock: Seconds, block_s: float, seconds: int, height: int = 400_000_000) -> int:
    """Tell the height once a second for some seconds; return the last."""
    for _ in range(seconds):
        clock.now += 1
        height += round(1 / block_s)
        pace.note(height)
    return height


@pytest.mark.parametrize("block_s", [0.5, 0.2, 0.1])
def test_a_steady_chain(block_s: float) -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    told(pace, clock, block_s, 30)
    assert pace.block_s == pytest.approx(block_s)


def test_until_it_is_measured_blocks_are_taken_to_be_short() -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    assert pace.block_s == UNMEASURED_S
    told(pace, clock, 0.5, 4)
    assert pace.block_s == UNMEASURED_S


def test_slots_that_become_shorter_are_seen_within_a_minute() -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    height = told(pace, clock, 0.5, 120)
    told(pace, clock, 0.2, 66, height)
    assert pace.block_s == pytest.approx(0.2)


def test_a_pause_is_measured_over_and_a_long_one_is_not() -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    height = told(pace, clock, 0.2, 10)
    clock.now += 500
    pace.note(height + 1000)
    assert pace.block_s == pytest.approx(0.5, rel=0.03)
    clock.now += 3600
    pace.note(height + 2000)
    assert pace.block_s == pytest.approx(0.5, rel=0.03)


def test_a_node_that_was_set_back_begins_anew() -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    height = told(pace, clock, 0.2, 30)
    told(pace, clock, 0.5, 30, height - 1_000_000)
    assert pace.block_s == pytest.approx(0.5)


def test_of_several_nodes_some_are_behind() -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    for second in range(60):
        clock.now = 1000.0 + second
        pace.note(400_000_000 + second * 5 - second % 3 * 7)
    assert pace.block_s == pytest.approx(0.2, rel=0.05)


def test_many_at_once_count_as_one() -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    for height in range(1000):
        pace.note(height)
    clock.now += 6
    pace.note(30)
    assert pace.block_s == UNMEASURED_S


@given(st.lists(st.tuples(st.floats(0, 10**6), st.integers(0, 2**64 - 1)), max_size=50))
def test_whatever_is_told_it_stays_within_its_bounds(notes: list[tuple[float, int]]) -> None:
    clock = Seconds(1000.0)
    pace = BlockPace(clock)
    for seconds, height in notes:
        clock.now += seconds
        pace.note(height)
        assert SHORTEST_S <= pace.block_s <= LONGEST_S
