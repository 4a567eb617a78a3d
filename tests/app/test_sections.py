"""What each key of the settings may hold."""

from decimal import Decimal
from pathlib import Path

import pytest

from rhumbline.app.settings import SettingsError
from tests.app.test_settings import load


def test_a_share_is_exact(tmp_path: Path) -> None:
    assert load(tmp_path, RHUMBLINE_FEES__SERVICE_SHARE="0.0005").fees.service_share == Decimal("0.0005")


def test_a_price_source_can_be_told_what_it_calls_a_chain(tmp_path: Path) -> None:
    text = "[prices]\ndefillama_url = 'http://127.0.0.1:9'\n[prices.defillama_chains]\n424242 = 'own'"
    for prices in (
        load(tmp_path, text).prices,
        load(
            tmp_path,
            RHUMBLINE_PRICES__DEFILLAMA_URL="http://127.0.0.1:9",
            RHUMBLINE_PRICES__DEFILLAMA_CHAINS='{"424242": "own"}',
        ).prices,
        load(
            tmp_path,
            RHUMBLINE_PRICES__DEFILLAMA_URL="http://127.0.0.1:9",
            RHUMBLINE_PRICES__DEFILLAMA_CHAINS__424242="own",
        ).prices,
    ):
        assert (prices.defillama_url, prices.defillama_chains) == ("http://127.0.0.1:9", {424242: "own"})


def test_the_relay_of_wallets_is_one_address_and_a_project(tmp_path: Path) -> None:
    """Both go into the page and its policy, so they may hold nothing else."""
    project = "0123456789abcdef0123456789abcdef"
    assert load(tmp_path).walletconnect.project_id is None
    found = load(tmp_path, RHUMBLINE_WALLETCONNECT__PROJECT_ID=project).walletconnect
    assert (found.project_id, found.relay_url) == (project, "wss://relay.walletconnect.org")
    for url in ("wss://relay.example", "wss://relay.example:8443", "ws://127.0.0.1:9"):
        assert load(tmp_path, RHUMBLINE_WALLETCONNECT__RELAY_URL=url).walletconnect.relay_url == url
    for key, values in {
        "project_id": ("", "demo", project.upper(), project + "0", project[:-1] + '"'),
        "relay_url": ("ws://relay.example", "https://relay.example", "wss://relay.example/x", "wss://a.example; *", ""),
    }.items():
        for value in values:
            with pytest.raises(SettingsError, match=f"walletconnect.{key}"):
                load(tmp_path, **{f"RHUMBLINE_WALLETCONNECT__{key.upper()}": value})
