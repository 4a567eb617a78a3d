"""What an upstream answered is held against what it was asked, and what it wrote is shown to nobody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain import expectations
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed

HEX = st.binary(min_size=1, max_size=40).map(lambda raw: "0x" + raw.hex())


@given(st.integers() | st.text() | st.binary() | st.none())
def test_equals_are_accepted(value: object) -> None:
    expectations.expect("thing", value, value)
    expectations.expect_one_of("thing", value, frozenset({str(value)})) if isinstance(value, str) else None


@given(HEX)
def test_hex_compares_without_case(text: str) -> None:
    for other in (text.upper(), "0x" + text[2:].upper(), "0X" + text[2:]):
        expectations.expect("address", other, text)
        expectations.expect("address", text, other)
        expectations.expect_one_of("address", other, frozenset({text}))


@given(st.text(min_size=1), st.text(min_size=1))
def test_what_differs_is_refused_without_being_shown(found: str, wanted: str) -> None:
    if found == wanted or {found[:2].lower(), wanted[:2].lower()} == {"0x"}:
        return
    with pytest.raises(UpstreamFailed) as caught:
        expectations.expect("mint", found, wanted)
    assert caught.value.reason == "answered with another mint than was asked for"


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ("So11111111111111111111111111111111111111112", "so11111111111111111111111111111111111111112"),
        ("1", 1), (1, "1"), (b"", ""), (None, ""), (None, 0), ("0xab", "ab"), ("0xab ", "0xab"), ("0xab", "0xabab"),
    ],
)  # fmt: skip
def test_what_only_looks_alike(found: object, wanted: object) -> None:
    with pytest.raises(UpstreamFailed, match="another thing"):
        expectations.expect("thing", found, wanted)


@given(st.integers(), st.integers())
def test_bounds(found: int, bound: int) -> None:
    for check, holds, word, side in (
        (expectations.expect_at_least, found >= bound, "smaller", "least"),
        (expectations.expect_at_most, found <= bound, "larger", "most"),
    ):
        if holds:
            check("amount", found, bound)
        else:
            with pytest.raises(UpstreamFailed) as caught:
                check("amount", found, bound)
            assert caught.value.reason == f"answered with a {word} amount than was asked for, at {side} {bound}"


@given(st.integers(), st.integers(), st.integers())
def test_both_bounds(found: int, least: int, most: int) -> None:
    if least <= found <= most:
        expectations.expect_within("amount", found, least, most)
        return
    with pytest.raises(UpstreamFailed) as caught:
        expectations.expect_within("amount", found, least, most)
    assert caught.value.reason == f"answered with its amount outside of the bounds, from {least} to {most}"


@pytest.mark.parametrize("told", [-1, expectations.MOST_GAS + 1, 2**256 - 1])
def test_gas_that_no_block_takes(told: int) -> None:
    assert [expectations.expect_gas(each) for each in (None, 0, expectations.MOST_GAS)] == [
        None,
        0,
        expectations.MOST_GAS,
    ]
    with pytest.raises(UpstreamFailed, match="estimate of gas"):
        expectations.expect_gas(told)


@given(st.frozensets(HEX, max_size=4), HEX)
def test_one_of_those_pinned(allowed: frozenset[str], found: str) -> None:
    if found in allowed:
        expectations.expect_one_of("router", found.upper(), allowed)
        return
    with pytest.raises(UpstreamFailed) as caught:
        expectations.expect_one_of("router", found, allowed)
    assert caught.value.reason == "answered with a router that is not among those known"


@pytest.mark.parametrize("found", [None, 1, b"0xab", "", "0x", "0xab\n"])
def test_what_is_no_pinned_text(found: object) -> None:
    with pytest.raises(UpstreamFailed, match="not among those known"):
        expectations.expect_one_of("router", found, frozenset({"0xab"}))


@pytest.mark.parametrize(
    ("said", "gas"), [("231000", 231_000), ("0", 0), (231_000, None), ("2.5", None), ("\u0663", None), (None, None)]
)
def test_an_estimate_in_other_words_is_none(said: object, gas: int | None) -> None:
    assert expectations.read_gas(said) == gas


@pytest.mark.parametrize(("found", "output", "least"), [(99, 100, 99), (100, 100, 99), (1, 1, 0)])
def test_a_minimum_from_the_least_to_the_output(found: int, output: int, least: int) -> None:
    expectations.expect_minimum(found, output, least)


@pytest.mark.parametrize(("found", "output", "least"), [(98, 100, 99), (101, 100, 99), (0, 100, 99)])
def test_a_minimum_beyond_its_bounds(found: int, output: int, least: int) -> None:
    with pytest.raises(UpstreamFailed, match="minimum"):
        expectations.expect_minimum(found, output, least)


def test_an_output_that_leaves_no_minimum() -> None:
    with pytest.raises(BelowMinimum):
        expectations.expect_minimum(0, 1, 0)
