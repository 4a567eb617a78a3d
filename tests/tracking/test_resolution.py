"""The table of states: total, blind to order, and true to what a chain proves."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.tracking.resolution import QUIET, TERMINAL, YOUNG, Evidence, Origin, Resolution, resolve

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
PENDING, REFUND_PENDING = TransferState.BRIDGE_PENDING, TransferState.REFUND_PENDING
SUCCESS, RECOVERED = TransferState.SUCCESS, TransferState.RECOVERED
REFUNDED, FAILED, UNKNOWN = TransferState.REFUNDED, TransferState.BRIDGE_FAILED, TransferState.UNKNOWN
CHAIN, WORD = StatusSource.ANALYTICS, StatusSource.BRIDGE_API


def said(state: TransferState, minute: float, source: StatusSource = WORD, until: float | None = None) -> Evidence:
    first = NOON + timedelta(minutes=minute)
    last = first if until is None else NOON + timedelta(minutes=until)
    return Evidence(source, state, f"{source.value} {state.value}", first, last)


def state_at(minute: float, *evidence: Evidence, origin: Origin = Origin.TRANSFER) -> TransferState:
    return resolve(origin, evidence, started_at=NOON, now=NOON + timedelta(minutes=minute)).status


minutes = st.floats(0, 5000, allow_nan=False)
items = st.builds(
    lambda state, source, first, length: said(state, first, source, first + length),
    st.sampled_from(TransferState), st.sampled_from([CHAIN, WORD]), minutes, st.floats(0, 500),
)  # fmt: skip


def test_what_needs_no_evidence() -> None:
    assert resolve(Origin.SWAP_EVENT) == Resolution(SUCCESS, None, CHAIN)
    assert resolve(Origin.UNVERIFIED, [said(SUCCESS, 1)]) == Resolution(UNKNOWN, None, StatusSource.UNKNOWN)
    with pytest.raises(ValueError, match="at a time"):
        resolve(Origin.TRANSFER)


@pytest.mark.parametrize(
    ("evidence", "minute", "expected"),
    [
        ([], 0, PENDING),
        ([], 29, PENDING),
        ([], 30, UNKNOWN),
        ([said(UNKNOWN, 1, until=29)], 29, PENDING),
        ([said(UNKNOWN, 1, until=40)], 40, UNKNOWN),
        ([said(UNKNOWN, 1), said(PENDING, 40)], 41, PENDING),
        ([said(PENDING, 1)], 24 * 60, PENDING),
        ([said(PENDING, 1)], 24 * 60 + 1, UNKNOWN),
        ([said(PENDING, 1, until=3000)], 3001, PENDING),
        ([said(PENDING, 1), said(REFUND_PENDING, 2)], 3, REFUND_PENDING),
        ([said(PENDING, 1, until=3), said(REFUND_PENDING, 2)], 4, PENDING),
        ([said(PENDING, 1), said(SUCCESS, 2)], 3, SUCCESS),
        ([said(SUCCESS, 2), said(REFUNDED, 3)], 4, SUCCESS),
        ([said(REFUNDED, 2), said(SUCCESS, 3)], 4, REFUNDED),
        ([said(FAILED, 2), said(REFUNDED, 3, CHAIN)], 4, REFUNDED),
        ([said(SUCCESS, 2), said(RECOVERED, 3, CHAIN)], 4, RECOVERED),
        ([said(REFUNDED, 2, CHAIN), said(SUCCESS, 3, CHAIN)], 4, SUCCESS),
        ([said(SUCCESS, 2), said(PENDING, 3)], 5000, SUCCESS),
        ([said(REFUND_PENDING, 2, CHAIN), said(SUCCESS, 3)], 4, REFUND_PENDING),
        ([said(REFUND_PENDING, 2, CHAIN), said(RECOVERED, 3)], 4, REFUND_PENDING),
        ([said(SUCCESS, 2), said(REFUND_PENDING, 3, CHAIN)], 4, REFUND_PENDING),
        ([said(REFUND_PENDING, 2, CHAIN), said(SUCCESS, 3), said(REFUNDED, 4)], 5, REFUNDED),
        ([said(REFUND_PENDING, 2, CHAIN), said(SUCCESS, 3, CHAIN)], 4, SUCCESS),
        ([said(REFUND_PENDING, 2), said(SUCCESS, 3)], 4, SUCCESS),
    ],
)
def test_the_table(evidence: list[Evidence], minute: float, expected: TransferState) -> None:
    for order in permutations(evidence):
        assert state_at(minute, *order) is expected


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ([said(SUCCESS, 1)], PENDING),
        ([said(PENDING, 1), said(SUCCESS, 2)], PENDING),
        ([said(SUCCESS, 1, CHAIN)], SUCCESS),
        ([said(SUCCESS, 1), said(RECOVERED, 2, CHAIN)], RECOVERED),
        ([said(REFUNDED, 1)], REFUNDED),
    ],
)
def test_with_a_call_on_the_destination_delivery_is_not_enough(
    evidence: list[Evidence], expected: TransferState
) -> None:
    assert state_at(3, *evidence, origin=Origin.TRANSFER_CALLING) is expected


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ([], UNKNOWN),
        ([said(UNKNOWN, 1)], UNKNOWN),
        ([said(UNKNOWN, 1), said(PENDING, 2, CHAIN)], PENDING),
        ([said(UNKNOWN, 4), said(SUCCESS, 2, CHAIN)], SUCCESS),
    ],
)
def test_a_claim_is_unknown_until_it_is_found(evidence: list[Evidence], expected: TransferState) -> None:
    assert state_at(5, *evidence, origin=Origin.TRANSFER_CLAIMED) is expected


@given(st.lists(items, max_size=6), st.randoms(use_true_random=False), st.floats(0, 20_000))
def test_every_set_has_a_state_and_order_plays_no_part(found: list[Evidence], random: Random, minute: float) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    for origin in Origin:
        one, other = (
            resolve(origin, order, started_at=NOON, now=NOON + timedelta(minutes=minute)) for order in (found, shuffled)
        )
        assert one == other
        assert one.status in TransferState


@given(st.lists(items, max_size=8, unique_by=lambda item: item.first_at))
def test_a_final_state_is_left_for_a_proof_only(found: list[Evidence]) -> None:
    """Evidence comes in the order of its time; what was final stays, but where a chain says otherwise.

    A chain's "a refund is due" takes a mere word of delivery away; then the bridge's next final word may count.
    """
    known: list[Evidence] = []
    before = None
    for item in sorted(found, key=lambda item: item.first_at):
        known.append(replace(item, last_at=item.first_at))
        now = item.first_at
        after = resolve(Origin.TRANSFER, known, started_at=NOON, now=now)
        if before in TERMINAL and after.status is not before:
            assert item.source is CHAIN
            falls = item.state is REFUND_PENDING and before in (SUCCESS, RECOVERED)
            assert after.source is CHAIN or (falls and after.status in (REFUNDED, FAILED))
        before = after.status


@given(st.lists(items, max_size=5), st.floats(0, 20_000), st.floats(0, 20_000))
def test_time_alone_makes_open_states_unknown_and_nothing_else(
    found: list[Evidence], minute: float, later: float
) -> None:
    one, other = state_at(minute, *found), state_at(minute + later, *found)
    assert other in (one, UNKNOWN)
    if one in TERMINAL:
        assert other is one


def test_the_bounds_are_what_the_rules_say() -> None:
    assert (timedelta(minutes=30), timedelta(hours=24)) == (YOUNG, QUIET)
