"""What the settings say of a chain."""

from pathlib import Path

import pytest

from rhumbline.app.chain_section import endpoints_of
from rhumbline.app.chains import known_to
from rhumbline.app.settings import SettingsError
from rhumbline.gateways.nodes.endpoint import EndpointTerms, Use
from tests.app.conftest import MAINNET, NOWHERE, WALLET, settings
from tests.app.test_settings import CHAIN, load


@pytest.mark.parametrize("url", ["ws://127.0.0.1:8546", "wss://user:very-secret@node.example/very-secret?key=1"])
def test_heads_may_be_announced(tmp_path: Path, url: str) -> None:
    settings = load(tmp_path, f"{CHAIN}ws = '{url}'")
    (chain,) = settings.chains
    assert chain.ws is not None
    assert chain.ws.get_secret_value() == url
    assert "very-secret" not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_what_solana_has_no_use_for_is_refused() -> None:
    with pytest.raises(SettingsError) as raised:
        known_to(settings({"id": MAINNET, "rpc": NOWHERE, "start_block": 5}))
    why = "is for EVM chains only; remove it"
    assert raised.value.faults == (f"chains: chain {MAINNET}: start_block: {why}",)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            {"id": MAINNET, "rpc": NOWHERE, "genesis": WALLET},
            "genesis: this ID is mainnet-beta's; remove genesis",
        ),
        ({"id": 1, "rpc": NOWHERE, "genesis": WALLET}, "genesis: is for Solana chains only; remove it"),
    ],
)
def test_a_first_block_that_cannot_be(entry: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError) as raised:
        known_to(settings(entry))
    assert raised.value.faults[0].startswith(f"chains: chain {entry['id']}: {said}")


@pytest.mark.parametrize(
    ("rpc", "found"),
    [
        ('"https://a.example/key"', [("https://a.example/key", EndpointTerms("1", 1))]),
        (
            '["https://a.example", "https://b.example"]',
            [("https://a.example", EndpointTerms("1", 1)), ("https://b.example", EndpointTerms("2", 2))],
        ),
        (
            '["https://a.example", { url = "https://b", name = "own", order = 0, weight = 3, for = ["archive"] }]',
            [
                ("https://a.example", EndpointTerms("1", 1)),
                ("https://b", EndpointTerms("own", 0, 3, frozenset({Use.ARCHIVE}))),
            ],
        ),
    ],
)
def test_a_chain_has_one_endpoint_or_several(tmp_path: Path, rpc: str, found: list[tuple[str, EndpointTerms]]) -> None:
    settings = load(tmp_path, f"[[chains]]\nid = 1\nrpc = {rpc}\n")
    assert settings.chains[0].rpc is not None
    assert endpoints_of(settings.chains[0].rpc) == found
    assert "example" not in f"{settings!r} {settings} {settings.model_dump_json()}"


@pytest.mark.parametrize(
    ("rpc", "fault"),
    [
        ("5", "chains.0.rpc: must be a URL, or a list of URLs and tables with url"),
        ("[]", "chains.0.rpc: needs at least one endpoint"),
        ('"node.example"', "chains.0.rpc: must be an http:// or https:// URL"),
        ('["https://a.example", "ftp://b.example"]', "chains.0.rpc.1.url: must be an http:// or https:// URL"),
        ('["https://a.example", "https://a.example"]', "chains.0.rpc: the same endpoint is listed twice"),
        ('[{ name = "a" }]', "chains.0.rpc.0.url: Field required"),
        ('[{ url = "https://a.example", kind = 1 }]', "chains.0.rpc.0.kind: there is no such setting"),
        (
            '[{ url = "https://a", name = "2" }, "https://b"]',
            "chains.0.rpc: two endpoints have the name 2; give each its own name",
        ),
        ('[{ url = "https://a", weight = 0 }]', "chains.0.rpc.0.weight: Input should be greater than or equal to 1"),
    ],
)  # fmt: skip
def test_endpoints_that_cannot_be(tmp_path: Path, rpc: str, fault: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load(tmp_path, f"[[chains]]\nid = 1\nrpc = {rpc}\n")
    assert raised.value.faults == (fault,)
