"""Whatever a bridge says can be kept, in bounded size."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.tracking.raw_status import LARGEST_BYTES, shown

answers = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=40,
)


@given(st.dictionaries(st.text(), answers))
def test_whatever_a_bridge_says_can_be_kept(raw: dict[str, object]) -> None:
    text = json.dumps(shown(raw))
    assert len(text) <= LARGEST_BYTES
    assert "\\u0000" not in text


@pytest.mark.parametrize("raw", [{"a": "x" * 10**6}, {"a": ["x" * 900] * 50}, {"a": {"b": {"c": {}}}}, {"n": 2**60}])
def test_large_answers_are_cut(raw: dict[str, object]) -> None:
    kept = shown(raw)
    assert kept
    if raw == {"n": 2**60}:
        assert kept == {"n": str(2**60)}
