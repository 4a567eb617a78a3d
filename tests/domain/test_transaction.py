"""An ID is good for the order that it was made for, and for no other."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.transaction import (
    CrossingTerms,
    OrderKind,
    OrderTerms,
    make_transaction_id,
    verify_transaction_id,
)

KEY, OLD, OTHER = b"k" * 32, b"o" * 32, b"x" * 32
NONCES = st.binary(min_size=16, max_size=16)
WORDS = st.binary(min_size=32, max_size=32)
NUMBERS = st.integers(0, 2**256 - 1)
NAMES = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=32)
CROSSINGS = st.builds(
    CrossingTerms,
    destination_chain_id=NUMBERS,
    sent_token=WORDS,
    expected_output=NUMBERS,
    refund_to=WORDS,
    has_destination_call=st.booleans(),
    reference=WORDS,
)


def orders(kind: OrderKind, crossings: st.SearchStrategy[CrossingTerms | None]) -> st.SearchStrategy[OrderTerms]:
    return st.builds(
        OrderTerms,
        kind=st.just(kind),
        chain_id=NUMBERS,
        sender=WORDS,
        integrator=NAMES,
        adapter=NAMES,
        receiver=WORDS,
        input_token=WORDS,
        ordered_amount=NUMBERS,
        output_token=WORDS,
        min_output=NUMBERS,
        deadline=NUMBERS,
        crossing=crossings,
    )


TERMS = st.one_of(
    orders(OrderKind.SWAP, st.none()),
    orders(OrderKind.BRIDGE, CROSSINGS),
    orders(OrderKind.DIRECT, st.one_of(st.none(), CROSSINGS)),
)
SWAP = OrderTerms(OrderKind.SWAP, 1, b"s" * 32, "acme", "POOL", b"r" * 32, b"i" * 32, 1000, b"o" * 32, 5, 2_000_000_000)
CROSSING = CrossingTerms(2, b"t" * 32, 7, b"f" * 32, False, b"b" * 32)
BRIDGE = replace(SWAP, kind=OrderKind.BRIDGE, crossing=CROSSING)


def changed(value: object) -> Any:
    """Something near that is not it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value - 1 if value else 1
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    if isinstance(value, str):
        return value[:-1] if value else "x"
    raise AssertionError(f"no other {value!r}")


def neighbours(terms: OrderTerms) -> list[OrderTerms]:
    """The same order with one term changed, each term once."""
    plain = [field.name for field in fields(OrderTerms) if field.name not in {"kind", "crossing"}]
    found = [replace(terms, **{name: changed(getattr(terms, name))}) for name in plain]
    crossing = terms.crossing
    if crossing is not None:
        found += [
            replace(terms, crossing=replace(crossing, **{field.name: changed(getattr(crossing, field.name))}))
            for field in fields(CrossingTerms)
        ]
    others = (
        [OrderKind.DIRECT] if terms.kind is not OrderKind.DIRECT else [OrderKind.BRIDGE if crossing else OrderKind.SWAP]
    )
    return found + [replace(terms, kind=kind) for kind in others]


@given(NONCES, TERMS)
def test_an_id_is_good_for_its_own_order_only(nonce: bytes, terms: OrderTerms) -> None:
    identifier = make_transaction_id(KEY, nonce, terms)
    assert len(identifier) == 32
    assert identifier[:16] == nonce
    assert verify_transaction_id((KEY,), identifier, terms)
    assert not verify_transaction_id((OTHER,), identifier, terms)
    for other in neighbours(terms):
        assert not verify_transaction_id((KEY,), identifier, other), other


@given(TERMS, TERMS)
def test_two_orders_have_the_same_bytes_only_if_they_are_one(first: OrderTerms, second: OrderTerms) -> None:
    assert (first.serialised() == second.serialised()) is (first == second)


def test_a_letter_between_two_names_belongs_to_one_of_them() -> None:
    assert (
        replace(SWAP, integrator="ab", adapter="c").serialised()
        != replace(SWAP, integrator="a", adapter="bc").serialised()
    )


def test_the_bytes_are_fixed() -> None:
    """IDs that are out there must stay good, whatever becomes of the code."""
    assert SWAP.serialised() == b"".join(
        [
            b"\x04swap", (1).to_bytes(32), b"s" * 32, b"\x04acme", b"\x04POOL", b"r" * 32, b"i" * 32,
            (1000).to_bytes(32), b"o" * 32, (5).to_bytes(32), (2_000_000_000).to_bytes(32), bytes(32),
        ]
    )  # fmt: skip
    head = SWAP.serialised().replace(b"\x04swap", b"\x06bridge")[:-32]
    tail = [(1).to_bytes(32), (2).to_bytes(32), b"t" * 32, (7).to_bytes(32), b"f" * 32, bytes(32), b"b" * 32]
    assert BRIDGE.serialised() == head + b"".join(tail)


@given(NONCES, TERMS)
def test_old_keys_stay_valid_for_reading(nonce: bytes, terms: OrderTerms) -> None:
    assert verify_transaction_id((KEY, OLD), make_transaction_id(OLD, nonce, terms), terms)


@given(st.binary(max_size=64))
def test_an_invented_id_verifies_for_nobody(identifier: bytes) -> None:
    assert not verify_transaction_id((KEY, OLD), identifier, SWAP)


def test_a_nonce_has_sixteen_bytes() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        make_transaction_id(KEY, b"short", SWAP)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"sender": b"s" * 20}, "32 bytes"),
        ({"ordered_amount": 2**256}, "256 bits"),
        ({"min_output": -1}, "256 bits"),
        ({"integrator": "a" * 256}, "255 bytes"),
        ({"crossing": CROSSING}, "a swap's has none"),
        ({"kind": OrderKind.BRIDGE}, "a bridge's order has terms of the crossing"),
    ],
)
def test_what_no_order_can_say_is_no_terms(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replace(SWAP, **change)
