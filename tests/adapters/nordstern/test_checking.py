"""Answers that others recorded."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from rhumbline.adapters.nordstern.checking import check_answer
from rhumbline.adapters.nordstern.deployments import DEPLOYMENTS
from rhumbline.adapters.nordstern.wire import SwapAnswer
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.exchanges.stub_upstream import REQUEST
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
        swap = check_answer(read, _request(sample), DEPLOYMENTS[BASE])
        # They were asked for at 1 %, and are up to two raw units below it.
        exact = int(sample["toAmount"]) * 99 // 100
        assert exact - 2 <= swap.minimum <= exact


def _request(sample: Any) -> QuoteRequest:
    sold, bought = (NATIVE_EVM if sample[key] == DEPLOYMENTS[BASE].native else sample[key] for key in ("src", "dst"))
    return replace(
        REQUEST, origin_token=replace(REQUEST.origin_token, address=sold), payout_address=sample["tx"]["from"],
        destination_token=replace(REQUEST.destination_token, address=bought), amount=int(sample["fromAmount"]),
    )  # fmt: skip
