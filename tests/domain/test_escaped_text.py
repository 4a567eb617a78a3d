"""Text that is shown hides nothing, and names in any script can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.escaped_text import escaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Zoë 東京 👍 a b", "Zoë 東京 👍 a b"), ("\x1b[2J", "\\x1b[2J"), ("a\r\n\u2028b", "a\\x0d\\x0a\\u2028b"),
     ("\u202ecba", "\\u202ecba"), ("\U000e0041", "\\U000e0041"), ("\ud800", "\\ud800")],
)  # fmt: skip
def test_what_is_not_seen_is_written_as_an_escape(text: str, shown: str) -> None:
    assert escaped(text) == shown


@given(st.text())
def test_nothing_shown_moves_a_cursor_or_ends_a_line(text: str) -> None:
    assert escaped(text).isprintable()
