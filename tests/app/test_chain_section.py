"""What the settings say of a chain."""

from pathlib import Path

import pytest

from rhumbline.app.chains import known_to
from rhumbline.app.settings import SettingsError
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
    why = "is for EVM chains; on Solana there is no contract of ours whose first block it is"
    assert raised.value.faults == (f"chains: chain {MAINNET}: start_block: {why}",)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            {"id": MAINNET, "rpc": NOWHERE, "genesis": WALLET},
            "genesis: this ID is mainnet-beta's, whose first block is",
        ),
        ({"id": 1, "rpc": NOWHERE, "genesis": WALLET}, "genesis: is for Solana chains; an EVM node tells its chain by"),
    ],
)
def test_a_first_block_that_cannot_be(entry: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError) as raised:
        known_to(settings(entry))
    assert raised.value.faults[0].startswith(f"chains: chain {entry['id']}: {said}")
