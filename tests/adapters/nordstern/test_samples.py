"""Answers that others recorded."""

from pathlib import Path

from rhumbline.adapters.nordstern.calldata import Terms, check_swap, read_swap
from rhumbline.adapters.nordstern.deployments import DEPLOYMENTS
from rhumbline.adapters.nordstern.wire import SwapAnswer
from tests.adapters.published import published

HERE = Path(__file__).parent
BASE = 8453


def test_the_guards_are_those_of_a_map_that_is_held_against_the_api() -> None:
    for guards in published(HERE, "guards_*").values():
        assert {int(number): guard for number, guard in guards.items()} == {
            number: place.guard for number, place in DEPLOYMENTS.items()
        }


def test_every_recorded_swap_and_its_call_are_read() -> None:
    for sample in published(HERE, "aggregator_base_*").values():
        read = SwapAnswer.model_validate(sample)
        assert str(read.to_amount) == sample["toAmount"]
        assert read.tx.to == DEPLOYMENTS[BASE].guard
        swap = read_swap(read.tx.data)
        native = sample["src"] == DEPLOYMENTS[BASE].native
        check_swap(swap, Terms(sample["src"], sample["dst"], int(sample["fromAmount"]), sample["tx"]["from"], native))
        # They were asked for at 1 %, and are up to two raw units below it.
        exact = int(sample["toAmount"]) * 99 // 100
        assert exact - 2 <= swap.minimum <= exact
