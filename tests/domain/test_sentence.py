"""Sentences that remember how they were made."""

from rhumbline.domain.sentence import Sentence, joined


def test_it_is_the_english_text_and_remembers_its_form() -> None:
    told = Sentence("key: %(key)s has %(text)r", key=7, text="a'b")
    assert told == 'key: 7 has "a\'b"'
    assert (told.form, dict(told.holes), told.several) == ("key: %(key)s has %(text)r", {"key": 7, "text": "a'b"}, None)
    assert type(f"{told}") is str


def test_without_holes_a_percent_sign_is_one() -> None:
    assert Sentence("95 % within") == "95 % within"


def test_what_is_counted_chooses_its_form() -> None:
    told = [Sentence.counted("%(count)s block of %(chain)s", "%(count)s blocks of %(chain)s", n, chain="Base") for n in
            (0, 1, 2)]  # fmt: skip
    assert told == ["0 blocks of Base", "1 block of Base", "2 blocks of Base"]
    assert {each.form for each in told} == {"%(count)s block of %(chain)s"}


def test_several_are_joined_into_one_that_remembers_each() -> None:
    one, two, three = Sentence("a %(n)s", n=1), Sentence("b"), "c"
    told = joined([one, two, three])
    assert told == "a 1; b; c"
    assert isinstance(told, Sentence)
    first = told.holes["first"]
    assert isinstance(first, Sentence)
    assert first.holes == {"first": one, "second": two}
    assert joined([one]) is one
