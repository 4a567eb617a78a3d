"""Which error it is when nobody has an answer, and what its message tells."""

import pytest

from rhumbline.domain import errors
from rhumbline.domain.quote import Refusal
from rhumbline.routing.refusals import no_quote


@pytest.mark.parametrize(
    ("kinds", "error"),
    [
        ("", errors.NoAvailableQuotes),
        ("no_route no_route", errors.NoAvailableQuotes),
        ("disabled excluded unsupported", errors.NoAvailableQuotes),
        ("no_route reverted refused", errors.NoAvailableQuotes),
        ("below_minimum", errors.AmountTooLow),
        ("below_minimum no_route excluded", errors.AmountTooLow),
        ("slippage no_route", errors.SlippageExceeded),
        ("slippage below_minimum", errors.AmountTooLow),
        ("bad_request bad_request disabled", errors.AdaptersRejected),
        ("bad_request no_route", errors.NoAvailableQuotes),
        ("unauthorized", errors.AdaptersUnauthorized),
        ("unauthorized bad_request", errors.NoAvailableQuotes),
        ("transient", errors.AdaptersFailed),
        ("failed", errors.AdaptersFailed),
        ("below_minimum transient", errors.AdaptersFailed),
        ("bad_request transient no_route slippage", errors.AdaptersFailed),
    ],
)
def test_which_error_it_is(kinds: str, error: type[errors.RhumblineError]) -> None:
    refusals = [Refusal(f"A{number}", kind, f"because {kind}") for number, kind in enumerate(kinds.split())]
    found = no_quote(refusals, lambda _, net: net)
    assert type(found) is error
    assert isinstance(found.details, dict)
    assert found.details["message"]
    assert found.details["adapters"] == [
        {"adapter": item.adapter, "kind": item.kind, "reason": item.reason} for item in refusals
    ]


def test_the_minimum_that_was_seen_to_work_is_named() -> None:
    refusals = [
        Refusal("A", "below_minimum", "too small", 500),
        Refusal("B", "below_minimum", "too small", 200),
        Refusal("C", "below_minimum", "too small"),
    ]
    error = no_quote(refusals, lambda _, net: net * 2, 400)
    assert isinstance(error, errors.AmountTooLow)
    assert "at least 400" in error.message
    assert isinstance(error.details, dict)
    assert error.details["minimum"] == "400"
    assert [entry.get("minimum") for entry in error.details["adapters"]] == ["1000", "400", None]


def test_a_message_alone_tells_the_smallest_minimum_that_an_adapter_asks_for() -> None:
    """Many clients show the message, or its first 200 characters, and nothing else."""
    refusals = [
        Refusal("A", "no_route", "has no route"),
        Refusal("B", "below_minimum", "too small", 500),
        Refusal("C", "below_minimum", "too small", 200),
    ]
    assert no_quote(refusals, lambda _, net: net * 2).message == "The amount is too low; C asks for at least 400"
    unknown = no_quote([Refusal("B", "below_minimum", "wants more")], lambda _, net: net)
    assert unknown.message == "The amount is too low: B: wants more"


def test_a_message_alone_tells_the_reasons_that_matter_first() -> None:
    refusals = [
        Refusal("A", "unsupported", "does not serve this pair"),
        Refusal("B", "no_route", "has no route"),
        Refusal("C", "no_route", "has no route"),
        Refusal("D", "no_route", "has no route"),
        Refusal("E", "refused", "the wallet has too little USDC"),
    ]
    assert no_quote(refusals, lambda _, net: net).message == (
        "No adapter has an executable quote: E: the wallet has too little USDC; B, C and 1 more: has no route; "
        "A: does not serve this pair"
    )
    failed = no_quote([*refusals, Refusal("F", "transient", "did not answer in time")], lambda _, net: net)
    assert failed.message == "No quote now, try again: F: did not answer in time"
    tight = no_quote([*refusals, Refusal("G", "slippage", "guarantees 5 only")], lambda _, net: net)
    assert tight.message.endswith("; permit more slippage: G: guarantees 5 only")


def test_however_much_adapters_say_a_message_has_200_characters() -> None:
    refusals = [Refusal(f"ADAPTER_{number}", "no_route", f"{number} " + "because " * 60) for number in range(17)]
    error = no_quote(refusals, lambda _, net: net)
    assert error.message.startswith("No adapter has an executable quote: ADAPTER_0: 0 because")
    assert len(error.message) <= 200
    assert isinstance(error.details, dict)
    assert len(error.details["message"]) == 17
