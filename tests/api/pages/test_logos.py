"""Logos that the service draws: the address says all of them, and nothing else can be drawn."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.pages.logos import drawn
from rhumbline.api.wire.token import logo_of, logo_url
from rhumbline.domain.token import Token
from tests.api.api_service import USDC, USDT
from tests.api.conftest import Client


@given(st.text(max_size=12), st.text(min_size=1, max_size=70))
def test_any_name_has_an_address_that_is_one(symbol: str, subject: str) -> None:
    base, logos, initials, name = logo_url("https://host.example/", symbol, subject).rsplit("/", 3)
    assert (base, logos) == ("https://host.example", "logos")
    drawing = drawn(initials, name.removesuffix(".svg"))
    flag = (
        r'<clipPath id="disc"><circle [^<>]*/></clipPath><g clip-path="url\(#disc\)"><rect [^<>]*/><path [^<>]*/></g>'
    )
    found = re.fullmatch(rf"<svg [^<>]*>{flag}<text [^<>]*>([A-Za-z0-9]{{0,4}})</text></svg>", drawing)
    assert found is not None
    assert (found[1] or "-") == initials


async def test_what_is_named_is_served(client: Client) -> None:
    tokens = (await client.ask("/v1/tokens")).json
    urls = {token["logoURI"] for listed in tokens.values() for token in listed}
    own = [url for url in urls if "/logos/" in url and url.startswith("http://127.0.0.1:8700/")]
    assert own
    for url in own:
        answer = await client.ask(url.removeprefix("http://127.0.0.1:8700"))
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert "x-ratelimit-limit" not in answer.headers
    assert all(token["coinKey"] and token["logoURI"] for listed in tokens.values() for token in listed)


def test_the_colour_follows_from_the_address() -> None:
    assert drawn("USD", USDC) == drawn("USD", USDC.lower())
    assert drawn("USD", USDC) != drawn("USD", USDC[:-1] + "0")


def test_assets_are_told_apart_and_are_the_same_everywhere() -> None:
    here, there = Token(1, USDC, "USDC", 6, "USD Coin", "USDC"), Token(8453, USDT, "USDC", 6, "USD Coin", "USDC")
    tether = Token(1, USDT, "USDT", 6, "Tether USD", "USDT")
    assert logo_of(here, "") == logo_of(there, "") == "/logos/USDC/USDC.svg"
    assert logo_of(tether, "") == "/logos/USDT/USDT.svg"
    # A name alone is nobody's: what no list has gets the flag of its address.
    assert logo_of(replace(here, coin_key=None), "") == f"/logos/USDC/{USDC}.svg"
    flags = {re.sub(r">[^<]*</text>", "", drawn("X", subject)) for subject in ("USDC", "USDT", "DAI", "ETH", "WBTC")}
    assert len(flags) == 5


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Sandbox A", "SA"),
        ("BNB Smart Chain", "BSC"),
        ("NEAR Intents", "NI"),
        ("Base", "Base"),
        ("<b> x", "bx"),
        ("¥", "-"),
    ],
)
def test_words_are_told_by_their_first_letters(name: str, initials: str) -> None:
    assert logo_url("", name, "key") == f"/logos/{initials}/key.svg"


@pytest.mark.parametrize(
    "path",
    ["USDCX/a.svg", "US/a.png", "US/a", "US/.svg", "%3Cb/a.svg", "US/a%22b.svg", "US/" + "a" * 65 + ".svg", "é/a.svg"],
)
async def test_nothing_else_is_drawn(client: Client, path: str) -> None:
    answer = await client.ask(f"/logos/{path}")
    assert (answer.status, answer.json["code"]) == (404, "NOT_FOUND")
