"""What a node says is told on, the address that it was asked at is not."""

import base64
import string
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import hex_bytes, quantity
from rhumbline.gateways.nodes.json_rpc import without_secrets

URL = "https://us%2Fer:pass%40word@node.example/v2/0123456789abcdef?key=fedcba98"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("execution reverted", "execution reverted"),
        ("header not found: block 0x10 on chain 1 (v2)", "header not found: block 0x10 on chain 1 (v2)"),
        ("see https://docs.node.example/errors#12 for more", "see … for more"),
        ("(wss://a.example) 1https://a.example, éhttps://b.example x+y-1.z://c :// d", "(… … é… … :// d"),
        (f"POST {URL} is over its quota", "POST … is over its quota"),
        ("key 0123456789abcdef is over its quota", "key … is over its quota"),
        ("key=fedcba98, user=us/er, password=pass@word or pass%40word", "key=…, user=…, password=… or …"),
        (f"authorization: Basic {base64.b64encode(b'us/er:pass@word').decode()}", "authorization: Basic …"),
    ],
)
def test_words_without_secrets(words: str, told: str) -> None:
    assert without_secrets(words, URL) == told


def test_an_address_without_secrets_changes_nothing() -> None:
    assert without_secrets("rate limit of 8545 on localhost /rpc", "http://localhost:8545/rpc") == (
        "rate limit of 8545 on localhost /rpc"
    )


KEY = st.text(string.ascii_letters + string.digits, min_size=12, max_size=40)


@given(KEY, KEY, KEY, KEY, st.lists(st.sampled_from(["{0}", "{1}", "{2}", "{3}", "{4}", "quota", ": ", " "])))
def test_no_key_comes_through(user: str, password: str, path: str, query: str, parts: list[str]) -> None:
    url = f"https://{user}:{password}@node.example/rpc/{path}?apikey={query}&chain=1"
    words = " ".join(parts).format(user, password, path, query, url)
    told = without_secrets(words, url)
    for secret in (user, password, path, query):
        assert secret not in told


@pytest.mark.parametrize("words", ["a" * 10**6, "a:" * 500_000, "a+1" * 300_000, "a:// " * 200_000, "://" * 300_000])
def test_no_words_take_long(words: str) -> None:
    """What tries again from every letter takes minutes."""
    began = process_time()
    without_secrets(words, URL)
    assert process_time() - began < 1


@pytest.mark.parametrize(
    ("said", "number"),
    [("0x0", 0), ("0x1", 1), ("0xaBc", 0xABC), ("0x" + 63 * "0" + "1", 1), ("0x" + 64 * "f", 2**256 - 1)],
)
def test_quantities(said: str, number: int) -> None:
    assert quantity(said) == number


@pytest.mark.parametrize(
    "said",
    ["", "0x", "1", "0X1", "0x1_0", "0x1 ", " 0x1", "0x1\n", "0x\u0661", "0x-1", "0x+1", "-0x1", "0x0x1", "0xg",
     "0x" + 65 * "0", "0x" + 5000 * "f", 1, True, None, ["0x1"]],
)  # fmt: skip
def test_what_is_no_quantity(said: object) -> None:
    with pytest.raises(NodeUnavailable, match="not a quantity"):
        quantity(said)


@pytest.mark.parametrize("said", ["", "12", "0x1", "0x1 2", "0x12 34", "0xzz", 12, None])
def test_data_is_hex_of_whole_bytes(said: object) -> None:
    assert hex_bytes("0x0aFF") == b"\x0a\xff"
    with pytest.raises(NodeUnavailable, match="not data"):
        hex_bytes(said)
