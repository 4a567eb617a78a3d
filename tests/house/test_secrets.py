"""No secret lies in the repository, and one that is put there is found."""

from pathlib import Path

import pytest
from solders.keypair import Keypair

from rhumbline.gateways.svm.base58 import encode
from scripts.planted_secrets import files, found, known, mark, secrets_in

PLANTED = {
    "a key in PEM": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + "MIIEow" * 10 + "\n",
    "an API key of this service": "rl_live_" + "aB3dE6gH" * 4,
    "a secret of webhooks": "whsec_" + "C2FVsBQIhrscChlQIMV" * 2,
    "a private key of an EVM wallet": "private_key = '0x" + "4c0883a69102937d" * 4 + "'",
    "a secret key of Solana": encode(bytes(Keypair.from_seed(b"a seed that is thirty-two bytes!"))),
    "a secret key of Solana in numbers": str(list(bytes(Keypair.from_seed(b"a seed that is thirty-two bytes!")))),
    "a key of AWS": "AKIA" + "IOSFODNN7EXAMPL3",
    "a token of GitHub": "ghp_" + "0123456789" * 4,
    "a token of npm": "npm_" + "012345" * 6,
    "a token of PyPI": "pypi-AgEI" + "cHlwaS5vcmc" * 6,
    "a token of Slack": "xoxb-" + "123456789012-" * 2,
    "a key of Google": "AIza" + "SyD4a" * 7,
    "a node with its key": "https://eth-mainnet.g.alchemy.com/v2/" + "abcDEF12" * 4,
    "a signed token": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0." + "abcdefghij" * 3,
}


def test_there_is_none() -> None:
    assert found(files(), known()) == []


@pytest.mark.parametrize("kind", sorted(PLANTED))
def test_a_planted_one_is_found(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"# a file\nx = 1\n{PLANTED[kind]}\n", "utf-8")
    (told,) = found([file], set())
    assert told.startswith(f"{file}:3: {kind} (")
    assert PLANTED[kind][10:] not in told
    ((_, _, secret),) = secrets_in(PLANTED[kind])
    assert found([file], {mark(secret)}) == []


def test_signatures_and_hashes_are_no_keys() -> None:
    key = Keypair.from_seed(b"a seed that is thirty-two bytes!")
    assert secrets_in(f"{key.sign_message(b'text')} 0x{'ab' * 32} {list(range(64))}") == []
