"""The life of a key on the command line."""

import re
from pathlib import Path

from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_the_life_of_a_key(tmp_path: Path, command: Command) -> None:
    wallet = "0x52908400098527886E0F7030069857D2E4169EE7"
    made = command("keys", "create", "--integrator", "acme", "--evm-wallet", wallet)
    assert made.code == 0, made.err
    assert re.fullmatch(r"rl_live_[0-9A-Za-z]{32}\n", made.out)
    listed = command("keys", "list").out
    assert "acme" in listed
    assert made.out.strip() not in listed
    rotated = command("keys", "rotate", "1", "--overlap", "0")
    assert re.fullmatch(r"rl_live_[0-9A-Za-z]{32}\n", rotated.out), rotated.err
    assert command("keys", "revoke", "2").code == 0
    failed(command("keys", "revoke", "77"), 1, "77")
    failed(command("keys", "create", "--integrator", "two words"), 1, "integrator")
    wrong = command("keys", "create", "--integrator", "bcme", "--evm-wallet", wallet.replace("E7", "e7"))
    failed(wrong, 1, "evm_wallet")
