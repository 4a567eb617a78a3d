"""What each key of the settings may hold."""

from decimal import Decimal
from pathlib import Path

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
