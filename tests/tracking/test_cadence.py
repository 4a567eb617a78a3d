"""A chain is looked at as soon as something may be there, and seldom where nobody waits."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import floor, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.tracking.cadence import LONGEST_IDLE_S, Cadence, Pace, usual_block_s

START = datetime(2026, 11, 23, tzinfo=UTC)
PAUSES = st.floats(0.05, 60)


def blocks(gaps: Sequence[float], first: int = 100) -> list[tuple[int, datetime]]:
    times = [START + timedelta(seconds=sum(gaps[:count])) for count in range(len(gaps) + 1)]
    return list(enumerate(times, first))


@given(st.floats(0.05, 5), st.floats(5, 60), st.floats(0.1, 30), st.floats(0, 1))
def test_each_block_of_a_regular_chain_is_seen_as_soon_as_by_the_clock_in_fewer_looks(
    poll_s: float, idle_s: float, block_s: float, phase: float
) -> None:
    """Blocks come at multiples of ``block_s``; a look sees the newest of them."""
    cadence, now, head, before, after, late, looks = Cadence(poll_s, idle_s), phase * block_s, -1, -inf, -inf, 0.0, 0
    while now < 40 * block_s:
        looks += 1
        if (newest := floor(now / block_s)) != head:
            late = max(late, 0.0 if head < 0 else now - (head + 1) * block_s)
            head, after = newest, before
        before = now
        now += cadence.rest_s(block_s=block_s, head_for_s=now - after)
    assert late <= poll_s + 1e-6
    assert looks <= 40 * block_s / poll_s + 1
    if poll_s * 8 <= block_s <= idle_s:
        assert looks <= 40 * (block_s / poll_s / 4 + 3) + block_s / poll_s


@given(PAUSES, PAUSES, st.booleans(), st.none() | st.floats(0, 1e6), st.floats(0, 1e6))
def test_no_pause_is_shorter_than_a_poll_and_none_has_no_end(
    poll_s: float, idle_s: float, announced: bool, block_s: float | None, head_for_s: float
) -> None:
    cadence = Cadence(poll_s, idle_s)
    assert poll_s <= cadence.rest_s(block_s=block_s, head_for_s=head_for_s) <= max(poll_s, idle_s)
    assert max(poll_s, idle_s) <= cadence.idle_rest_s(announced=announced) <= LONGEST_IDLE_S
    assert cadence.rest_s(block_s=None, head_for_s=head_for_s) == poll_s


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (blocks([12] * 8), 12),
        (blocks([12, 24, 12, 36, 12]), 12),
        ([(number, START + timedelta(seconds=2 * number)) for number in (7, 17, 18, 40, 50, 51)], 2),
        (blocks([12] * 3), None),
        (blocks([12, 3, 14, 9, 26]), None),
        (blocks([0, 1, 0, 1, 1]), None),
        (blocks([-12] * 8), None),
        ([], None),
    ],
    ids=["slots", "empty slots", "some of the blocks", "too few", "irregular", "several a second", "backwards", "none"],
)
def test_how_long_a_block_takes_is_known_where_blocks_are_regular(
    seen: Sequence[tuple[int, datetime]], expected: float | None
) -> None:
    assert usual_block_s(seen) == expected


@given(st.lists(st.tuples(st.integers(0, 2**62), st.datetimes(timezones=st.just(UTC))), unique_by=lambda each: each[0]))
def test_whatever_a_node_said_of_its_blocks_a_pause_can_be_told(seen: list[tuple[int, datetime]]) -> None:
    found = usual_block_s(sorted(seen))
    assert found is None or found > 0


async def test_the_store_is_asked_again_only_when_what_was_awaited_is_over() -> None:
    now, left, asked = [0.0], [30.0], list[str]()

    async def left_s() -> float:
        asked.append("left")
        return left[0]

    async def last_blocks() -> Sequence[tuple[int, datetime]]:
        asked.append("blocks")
        return blocks([12] * 8)

    pace = Pace(Cadence(1.0, 20.0), left_s, last_blocks, lambda: now[0])
    assert not pace.awaits
    for now[0] in range(30):
        await pace.look()
        assert pace.awaits
    assert asked == ["left", "blocks"]
    rests = []
    for head, now[0] in ((7, 10), (7, 11), (8, 12), (8, 21), (9, 22)):
        rests.append(pace.rest_s(head))
    assert rests == [1, 1, 8, 1, 8]
    now[0], left[0] = 30.0, 0.0
    for _ in range(3):
        await pace.look()
        assert not pace.awaits
    assert asked == ["left", "blocks", "left", "left", "left"]


def test_who_wants_no_slower_pace_always_waits() -> None:
    async def left_s() -> float:
        raise AssertionError("nobody need ask")

    assert Pace(Cadence(1.0, 1.0), left_s).awaits
