"""The life of a key on the command line."""

import re
from datetime import UTC, datetime, timedelta
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


def test_a_key_is_made_with_terms_and_restricted(tmp_path: Path, command: Command) -> None:
    create = ("keys", "create", "--integrator", "acme")
    last, sooner = (datetime.now(UTC).date() + timedelta(days=days) for days in (400, 100))
    browser = command(*create, "--browser", "--origin", "https://app.example", "--expires", str(last))
    assert re.fullmatch(r"rl_pub_[0-9A-Za-z]{32}\n", browser.out), browser.err
    server = command(*create, "--scope", "tracking", "--network", "10.0.0.0/8", "--network", "203.0.113.7")
    assert re.fullmatch(r"rl_live_[0-9A-Za-z]{32}\n", server.out), server.err
    listed = command("keys", "list").words
    assert f"{last + timedelta(days=1)}T00:00:00+00:00 for quotes; from https://app.example" in listed
    assert "for tracking; within 10.0.0.0/8, 203.0.113.7/32" in listed
    assert browser.out.strip() not in listed
    changed = command("keys", "restrict", "2", "--scope", "quotes", "--scope", "tracking", "--expires", str(sooner))
    told = f"for quotes, tracking; within 10.0.0.0/8, 203.0.113.7/32; until the end of {sooner}"
    assert (changed.code, changed.err) == (0, f"key 2: {told}\n")
    freed = command("keys", "restrict", "2", "--network", "none", "--expires", "none")
    assert freed.err == "key 2: for quotes, tracking\n"
    more = command("keys", "restrict", "1", "--origin", "https://app.example", "--origin", "https://b.example/")
    assert more.err == f"key 1: for quotes; from https://app.example, https://b.example; until the end of {last}\n"
    for words, fault in (
        ((*create, "--browser"), "origin: a key for browsers needs"),
        ((*create, "--browser", "--scope", "tracking", "--origin", "https://a.example"), "scope: a key for browsers"),
        ((*create, "--origin", "*"), "origin: must be that of a page"),
        ((*create, "--network", "10.0.0.0/99"), "network: must be an address"),
        ((*create, "--expires", "2001-01-01"), "expires: must not be a day that is over"),
        (("keys", "restrict", "1", "--origin", "none"), "origin: a key for browsers needs"),
        (("keys", "restrict", "77"), "key: there is no key with the number 77"),
    ):
        failed(command(*words), 1, fault)
    assert len(command("keys", "list").out.splitlines()) == 3
