"""What a record shows of its quote: only what a chain has shown is measured."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.scorecard import Promise
from rhumbline.domain.tracking import RecordAmount, StatusSource, TransactionRecord, TransferState
from rhumbline.tracking.scorecards.executions import LEAST_CENTS, Outcome, deviation_ppm, execution_of
from tests.accounts.test_score_tally import promise
from tests.tracking.test_listing import NOON, row

PROMISE = promise(1, at=NOON)
SWAP = row(1, output=RecordAmount("t", 999_000), destination_chain_id=1, destination_time=NOON)
ARRIVED = replace(SWAP, destination_chain_id=8453, destination_time=SWAP.origin_time + timedelta(seconds=90))


@pytest.mark.parametrize(
    ("record", "outcome", "deviation", "taken_s"),
    [
        (SWAP, Outcome.COMPLETED, -1000, None),
        (ARRIVED, Outcome.COMPLETED, -1000, 90),
        (replace(ARRIVED, destination_time=NOON - timedelta(days=1)), Outcome.COMPLETED, -1000, 0),
        (replace(ARRIVED, destination_time=None), Outcome.COMPLETED, -1000, None),
        (replace(SWAP, output=None), Outcome.COMPLETED, None, None),
        (replace(ARRIVED, status_source=StatusSource.BRIDGE_API), Outcome.COMPLETED, None, None),
        (replace(ARRIVED, status_source=StatusSource.MIXED), Outcome.COMPLETED, None, None),
        *((replace(ARRIVED, status=state), Outcome.FAILED, None, None)
          for state in (TransferState.RECOVERED, TransferState.REFUNDED, TransferState.BRIDGE_FAILED)),
        *((replace(ARRIVED, status=state), Outcome.PENDING, None, None)
          for state in (TransferState.BRIDGE_PENDING, TransferState.REFUND_PENDING, TransferState.UNKNOWN)),
    ],
)  # fmt: skip
def test_what_is_measured(
    record: TransactionRecord, outcome: Outcome, deviation: int | None, taken_s: int | None
) -> None:
    found = execution_of(record, PROMISE)
    assert (found.outcome, found.deviation_ppm, found.taken_s) == (outcome, deviation, taken_s)


@pytest.mark.parametrize(
    ("promised", "weighs"),
    [
        (PROMISE, True),
        (replace(PROMISE, weighs=False), False),
        (replace(PROMISE, value_cents=None), False),
        (replace(PROMISE, value_cents=LEAST_CENTS), True),
        (replace(PROMISE, value_cents=LEAST_CENTS - 1), False),
        (replace(PROMISE, at=SWAP.origin_time - timedelta(seconds=120)), True),
        (replace(PROMISE, at=SWAP.origin_time - timedelta(seconds=121)), False),
        (replace(PROMISE, at=SWAP.origin_time + timedelta(hours=1)), True),
    ],
)
def test_dust_and_what_waited_have_no_weight(promised: Promise, weighs: bool) -> None:
    assert execution_of(SWAP, promised).weighs is weighs


@given(st.integers(1, 2**256), st.integers(1, 2**256))
def test_a_deviation_is_exact_towards_zero_and_bounded(delivered: int, promised: int) -> None:
    found = deviation_ppm(delivered, promised)
    assert -1_000_000 <= found <= 1_000_000
    assert (found >= 0) is (delivered >= promised or (promised - delivered) * 1_000_000 < promised)
    if abs(found) < 1_000_000:
        assert abs(found) * promised <= abs(delivered - promised) * 1_000_000 < (abs(found) + 1) * promised


def test_a_promise_of_nothing_divides_by_nothing() -> None:
    assert deviation_ppm(5, 0) == 1_000_000
