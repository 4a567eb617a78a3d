"""What was read of an upstream is written again with every digit: some of them compare checksums over it."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.http.strict_json import Json, read_json, write_json

NUMBERS = st.integers(-(10**60), 10**60) | st.decimals(
    allow_nan=False, allow_infinity=False, min_value=Decimal("-1e40"), max_value=Decimal("1e40")
)
LEAVES = st.none() | st.booleans() | NUMBERS | st.text()
DOCUMENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


@given(DOCUMENTS)
def test_what_is_written_is_read_again(document: Json) -> None:
    assert read_json(write_json(document)) == document


@pytest.mark.parametrize(
    "text",
    ["0.10", "1461300573427867316570072651998408279850435624081", "1.0", '{"a":[1,{"b":"\\u00e9"}],"c":null}', "[]"],
)
def test_compact_json_comes_back_to_the_letter(text: str) -> None:
    assert write_json(read_json(text.encode())) == text.encode()


def test_plain_documents_are_written_as_the_library_writes_them() -> None:
    document = {"a": [1, 2.5, "é\u2028", True, None], "b": {"c": (1, 2)}}
    assert write_json(document) == json.dumps(document, separators=(",", ":")).encode()


@pytest.mark.parametrize("number", [Decimal("NaN"), Decimal("Infinity"), float("nan"), float("inf")])
def test_numbers_that_are_none_are_not_written(number: object) -> None:
    with pytest.raises(ValueError, match=r"finite|compliant"):
        write_json({"number": number})


def test_what_json_has_no_word_for_is_not_written() -> None:
    with pytest.raises(TypeError):
        write_json([b"bytes"])
