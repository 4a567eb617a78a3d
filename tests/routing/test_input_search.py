"""The search for an input: whatever is answered, nothing is promised that was not answered, in a few questions."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.domain.errors import NoRoute
from rhumbline.domain.quote import Refusal
from rhumbline.routing.input_search import MOST_QUESTIONS, Answered, Unsettled, find_input

LARGEST = 2**128 - 1
AMOUNTS = st.integers(1, LARGEST)
NONE = Refusal("TOY", NoRoute.kind, "has no route")


async def search(
    curve: Callable[[int], int | None], wanted: int, first: int, largest: int = LARGEST
) -> tuple[Answered[int] | Refusal | Unsettled, list[int]]:
    asked: list[int] = []

    async def ask(amount: int) -> Answered[int] | Refusal:
        asked.append(amount)
        output = curve(amount)
        return NONE if output is None else Answered(amount, output, len(asked))

    return await find_input(wanted, first, largest, ask), asked


def affine(rate: tuple[int, int], fixed: int) -> Callable[[int], int]:
    return lambda amount: max(amount * rate[0] // rate[1] - fixed, 1)


def pool(reserve: int, other: int) -> Callable[[int], int]:
    return lambda amount: max(other * amount * 997 // (reserve * 1000 + amount * 997), 1)


@given(wanted=AMOUNTS, first=AMOUNTS, answers=st.dictionaries(st.integers(0, 9), st.integers(0, 2**130) | st.none()))
async def test_an_adversary_s_answers_never_make_a_promise(
    wanted: int, first: int, answers: Mapping[int, int | None]
) -> None:
    found, asked = await search(lambda amount: answers.get(amount % 10, 1), wanted, first)
    assert len(asked) <= MOST_QUESTIONS
    assert len(set(asked)) == len(asked)
    assert all(0 < amount <= LARGEST for amount in asked)
    if isinstance(found, Answered):
        assert found.output >= wanted
        assert answers.get(found.amount % 10, 1) == found.output


CURVES = st.one_of(
    st.builds(affine, st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)), st.integers(0, 10**6)),
    st.builds(pool, st.integers(10**12, 10**24), st.integers(10**12, 10**24)),
)


@settings(max_examples=200)
@given(curve=CURVES, true=st.integers(10**8, 10**11), guess=st.integers(970, 1030))
async def test_curves_of_upstreams_are_solved_from_a_guess_near_the_price(
    curve: Callable[[int], int], true: int, guess: int
) -> None:
    wanted = curve(true)
    if wanted < 10**6:
        # Fewer units than a price is exact to: a step is worth more than the search's room.
        return
    found, asked = await search(curve, wanted, true * guess // 1000)
    assert isinstance(found, Answered), (found, asked)
    assert found.output >= wanted
    assert (found.output - wanted) * 2_000 <= wanted, "more than five basis points too much"


@pytest.mark.parametrize(
    ("curve", "reason"),
    [
        (lambda amount: min(amount, 500), "it ends below"),
        (lambda amount: 1, "it never rises"),
        (lambda amount: 10**5 // amount + 1, "it falls"),
    ],
)
async def test_what_never_gives_so_much_is_unsettled(curve: Callable[[int], int], reason: str) -> None:
    found, asked = await search(curve, 1000, 1000, 10**9)
    assert not isinstance(found, Answered), reason
    assert len(asked) <= MOST_QUESTIONS


async def test_an_input_beyond_the_largest_is_not_asked_for() -> None:
    found, asked = await search(lambda amount: amount // 10**6 + 1, 10**6, 10**6, largest=10**7)
    assert isinstance(found, Unsettled)
    assert found.needed is not None
    assert found.needed > 10**7
    assert all(amount <= 10**7 for amount in asked)


async def test_a_refusal_after_an_answer_that_suffices_changes_nothing() -> None:
    found, _ = await search(lambda amount: 2 * amount if amount >= 1000 else None, 1000, 1000)
    assert isinstance(found, Answered)
    assert (found.amount, found.output) == (1000, 2000)
    refused, asked = await search(lambda _: None, 1000, 1000)
    assert refused is NONE
    assert asked == [1000]


async def test_a_good_first_guess_is_one_question() -> None:
    found, asked = await search(lambda amount: amount, 10**6, 10**6 + 100)
    assert isinstance(found, Answered)
    assert asked == [10**6 + 100]
