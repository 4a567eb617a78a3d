"""Keys are random, have one form, and are known by their digest."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.accounts.keys import digest, is_key, new_key, prefix


def test_a_new_key_has_the_form_and_is_like_no_other() -> None:
    keys = {new_key() for _ in range(2000)}
    assert len(keys) == 2000
    assert all(is_key(key) for key in keys)
    # Every character of the alphabet turns up: 64,000 draws of 62.
    assert len(set("".join(key.removeprefix("rl_live_") for key in keys))) == 62


@pytest.mark.parametrize(
    "text",
    ["", "rl_live_", "rl_live_" + "a" * 31, "rl_live_" + "a" * 33, "RL_LIVE_" + "a" * 32, "rl_test_" + "a" * 32]
    + ["rl_live_" + "a" * 31 + c for c in ("-", " ", "\n", "é", "٣", "\x00", "\ud800")]
    + [" rl_live_" + "a" * 32, "rl_live_" + "a" * 32 + "\n"],
)
def test_anything_else_is_no_key(text: str) -> None:
    assert not is_key(text)


@given(st.text())
def test_no_text_breaks_the_check(text: str) -> None:
    assert is_key(text) is False
    assert is_key("rl_live_" + text) is (len(text) == 32 and text.isascii() and text.isalnum())


@given(st.from_regex(r"[0-9A-Za-z]{32}", fullmatch=True))
def test_the_digest_is_sha256_and_the_prefix_tells_little(body: str) -> None:
    key = "rl_live_" + body
    assert is_key(key)
    assert digest(key) == sha256(key.encode("ascii")).digest()
    assert prefix(key) == "rl_live_" + body[:4]
