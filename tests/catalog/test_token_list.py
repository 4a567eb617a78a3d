import json
from datetime import UTC, datetime
from typing import Any

import pytest

from rhumbline.catalog.token_list import ListRefused, ListVersion, read_token_list
from rhumbline.domain.token import Token
from tests.catalog.conftest import CHAINS, FAKE, OTHER, USDC, entry, token_list

SOLANA_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"


def read(document: object) -> Any:
    return read_token_list(json.dumps(document).encode(), CHAINS)


def test_a_list_becomes_tokens() -> None:
    found = read(
        token_list(
            entry(
                USDC.lower(), "USDC", logoURI="https://logos.example/usdc.svg", extensions={"a": {"b": 1}}, tags=["x"]
            ),
            entry(SOLANA_USDC, "USDC", 1000000001),
            entry(OTHER, "ELSE", 5),
            version="1.20.3",
            tags={"x": {"name": "X", "description": "Ex"}},
            keywords=["k"],
            logoURI="ipfs://logo",
        )
    )
    assert found.tokens == (
        Token(1, USDC, "USDC", 6, "Token USDC", logo_uri="https://logos.example/usdc.svg"),
        Token(1000000001, SOLANA_USDC, "USDC", 6, "Token USDC"),
    )
    assert (found.version, found.left_out) == (ListVersion(1, 20, 3, datetime(2026, 3, 1, tzinfo=UTC)), 0)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"name": ""}, "name"),
        ({"name": 7}, "name"),
        ({"timestamp": "yesterday"}, "timestamp"),
        ({"timestamp": "2026-03-01T00:00:00"}, "timestamp"),
        ({"version": {"major": 1, "minor": 0}}, "version.patch"),
        ({"version": {"major": "1", "minor": 0, "patch": 0}}, "version.major"),
        ({"version": {"major": -1, "minor": 0, "patch": 0}}, "version.major"),
        ({"version": {"major": 2**40, "minor": 0, "patch": 0}}, "version.major"),
        ({"tokens": []}, "tokens"),
        ({"tokens": {}}, "tokens"),
        ({"tokens": ["USDC"]}, "tokens.0"),
        ({"tags": {"x": {"name": "X"}}}, "tags.x.description"),
        ({"keywords": ["k"] * 21}, "keywords"),
    ],
)
def test_a_wrong_envelope_is_refused_and_named(changes: dict[str, object], place: str) -> None:
    with pytest.raises(ListRefused, match=rf"is no token list: {place}: "):
        read({**token_list(entry(USDC, "USDC")), **changes})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!doctype html><title>List</title>",
        b"[]",
        b"null",
        b'{"name":',
        b"[" * 100_000,
        b"\xff\xfe{}",
        b'{"name": NaN}',
    ],
)
def test_what_is_no_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(ListRefused, match="is no token list"):
        read_token_list(body, CHAINS)


@pytest.mark.parametrize(
    "changes",
    [
        {"address": USDC[:-1]},
        {"address": "vitalik.eth"},
        {"decimals": 256},
        {"decimals": -1},
        {"decimals": "6"},
        {"decimals": 6.5},
        {"decimals": True},
        {"symbol": ""},
        {"symbol": "TWO WORDS"},
        {"symbol": "X" * 21},
        {"symbol": "US\u200bDC"},
        {"name": "line\nbreak"},
        {"name": "N" * 61},
        {"name": "\u202eniameht"},
        {"chainId": "1"},
        {"chainId": 0},
        {"name": None},
    ],
)
def test_a_token_that_breaks_the_schema_is_left_out(changes: dict[str, object]) -> None:
    found = read(token_list(entry(USDC, "USDC"), {**entry(FAKE, "BAD"), **changes}))
    assert [token.symbol for token in found.tokens] == ["USDC"]
    assert found.left_out == 1


def test_a_list_of_mostly_broken_tokens_is_refused() -> None:
    broken = {**entry(FAKE, "BAD"), "decimals": "6"}
    assert read(token_list(entry(USDC, "USDC"), broken)).left_out == 1
    with pytest.raises(ListRefused, match="2 of its 3 tokens break the schema"):
        read(token_list(entry(USDC, "USDC"), broken, broken))


@pytest.mark.parametrize(
    ("uri", "kept"),
    [
        ("https://a.example/x.png", True),
        ("ipfs://Qm", True),
        ("http://a.example/x.png", False),
        ("javascript:alert(1)", False),
        ("data:image/svg+xml,<svg/>", False),
        ("https://a.example/\u202e", False),
        ("https://" + "a" * 3000, False),
        ("https://a b", False),
    ],
)
def test_only_harmless_logos_are_served(uri: str, kept: bool) -> None:
    (token,) = read(token_list(entry(USDC, "USDC", logoURI=uri))).tokens
    assert token.logo_uri == (uri if kept else None)


def test_the_native_markers_and_other_machines_addresses_are_passed_over() -> None:
    eee = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
    found = read(token_list(entry(eee, "ETH"), entry(SOLANA_USDC, "USDC", 1), entry(USDC, "USDC", 1000000001)))
    assert found.tokens == ()


def test_versions_are_ordered_by_number_then_time() -> None:
    early, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    assert ListVersion(1, 9, 9, late) < ListVersion(1, 10, 0, early) < ListVersion(1, 10, 0, late)
    assert str(ListVersion(1, 10, 0, early)) == "1.10.0"
