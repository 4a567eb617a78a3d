"""A trail names no wallet, whatever form it has, and is short."""

import pytest

from rhumbline.domain.trail import LONGEST_REASON, Trail
from tests.api.api_service import NOW, OTHER_WALLET, SOLANA_WALLET, WALLET


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"{WALLET} cannot pay", "(a wallet) cannot pay"),
        (f"{WALLET.upper()} and {OTHER_WALLET.lower()}", "(a wallet) and (a wallet)"),
        (f"data 0x{WALLET[2:].lower().zfill(64)} reverts", f"data 0x{'0' * 24}(a wallet) reverts"),
        (f"account {SOLANA_WALLET} is frozen", "account (a wallet) is frozen"),
        ("nobody", "nobody"),
        ("x" * 1000, "x" * (LONGEST_REASON - 1) + "…"),
    ],
)
def test_no_text_names_a_wallet(said: str, kept: str) -> None:
    trail = Trail("r", "/v1/quotes", NOW, wallets=frozenset({WALLET, OTHER_WALLET, SOLANA_WALLET}))
    trail.end(422, "NO_AVAILABLE_QUOTES", said)
    assert trail.body().message == kept
    assert WALLET not in repr(trail)
