"""The proof that a route's fees were taken: for one step, one wallet, one amount, one day."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.plan import FirstStep
from rhumbline.routing.fee_proof import HOLDS_S, LaterStep, first_step, new_fee_proof

KEY, OLDER = b"n" * 32, b"o" * 32
NOW = 1_800_000_000
STEP = LaterStep(
    "route", 1, "ACROSS", 900001, "0xToken", 900002, "0xThere", "0xWallet", "0xReceiver", "acme", "1/100", "1/1000"
)
FIRST = FirstStep(900001, "0xWallet", "acme", "0xSold", 10**30, True)


def holds(keys: tuple[bytes, ...], proof: str, step: LaterStep, amount: int, now: int) -> bool:
    return first_step(keys, proof, step, amount, now) is not None


@given(st.integers(1, 2**256 - 1))
def test_it_holds_for_what_it_was_made_for_and_a_little_more(amount: int) -> None:
    proof = new_fee_proof(KEY, STEP, FIRST, amount, NOW)
    most = amount * 102 // 100
    assert holds((KEY,), proof, STEP, amount, NOW)
    assert holds((OLDER, KEY), proof, STEP, most, NOW + HOLDS_S)
    assert not holds((KEY,), proof, STEP, most + 1, NOW)
    assert not holds((KEY,), proof, STEP, amount, NOW + HOLDS_S + 1)
    assert not holds((OLDER,), proof, STEP, amount, NOW)


@pytest.mark.parametrize(
    "change",
    [
        {"route_id": "other"},
        {"index": 2},
        {"chain_id": 900009},
        {"token": "0xOther"},
        {"sender": "0xStranger"},
        {"integrator": ""},
        {"integrator": "acme1", "fee": "/100"},
        {"fee": "0"},
        {"tool": "RELAY"},
        {"destination_chain_id": 900003},
        {"destination_token": "0xOther"},
        {"receiver": "0xStranger"},
        {"service_share": "0"},
    ],
)
def test_it_holds_for_no_other_step(change: dict[str, Any]) -> None:
    proof = new_fee_proof(KEY, STEP, FIRST, 10**6, NOW)
    assert not holds((KEY,), proof, replace(STEP, **change), 10**6, NOW)


@given(st.text(max_size=200))
def test_no_text_is_taken_for_one(text: str) -> None:
    assert not holds((KEY,), text, STEP, 1, NOW)


@pytest.mark.parametrize("place", [0, 12, -1])
def test_a_proof_with_another_character_is_none(place: int) -> None:
    proof = list(new_fee_proof(KEY, STEP, FIRST, 10**6, NOW))
    proof[place] = "1" if proof[place] != "1" else "2"
    assert not holds((KEY,), "".join(proof), STEP, 1, NOW)


def test_it_names_the_first_step_that_must_have_been_made() -> None:
    assert first_step((KEY,), new_fee_proof(KEY, STEP, FIRST, 10**6, NOW), STEP, 10**6, NOW) == FIRST
    free = replace(STEP, service_share="0")
    assert first_step((KEY,), new_fee_proof(KEY, free, FIRST, 10**6, NOW), free, 10**6, NOW) == replace(
        FIRST, charged=False
    )


@pytest.mark.parametrize("place", range(2, 6))
def test_no_term_of_the_first_step_can_be_altered(place: int) -> None:
    terms = new_fee_proof(KEY, STEP, FIRST, 10**6, NOW).split(".")
    terms[place] = "1"
    assert not holds((KEY,), ".".join(terms), STEP, 1, NOW)
