"""The key of signed answers: checked at the start, and never shown."""

import base64
import json
import stat
from pathlib import Path

import pytest

from rhumbline.app.settings import SettingsError
from tests.app.conftest import Command
from tests.app.test_settings import load

SEED = base64.urlsafe_b64encode(bytes(range(32))).rstrip(b"=").decode()
SHORT = "c2hvcnQta2V5LTA0NTE"


def test_off_without_a_key(tmp_path: Path) -> None:
    assert load(tmp_path).signing.signer() is None


def test_the_key_is_given_or_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(SEED + "\n")
    given = load(tmp_path, RHUMBLINE_SIGNING__KEY=SEED).signing
    read = load(tmp_path, RHUMBLINE_SIGNING__KEY_FILE=str(file)).signing
    signers = given.signer(), read.signer()
    assert signers[0] is not None
    assert signers[1] is not None
    assert signers[0].kid == signers[1].kid
    assert SEED not in repr((given, signers)) + str(signers[0].key_set())


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"KEY": SHORT}, "must be an Ed25519 private key (key): 32 bytes in base64url"),
        ({"KEY": f"{SHORT}!"}, "rhumbline signing-key"),
        ({"KEY_FILE": "/nowhere/key-0451"}, "key_file /nowhere/key-0451: cannot be read"),
        ({"KEY": SEED, "KEY_FILE": "/nowhere"}, "key and key_file are both set"),
        ({"PUBLISHED": f'["{SEED}"]'}, "published is set and neither"),
        ({"KEY": SEED, "PUBLISHED": f'["{SHORT}"]'}, "must be an Ed25519 public key"),
    ],
)
def test_what_is_wrong_is_named_and_no_secret_told(tmp_path: Path, variables: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError) as told:
        load(tmp_path, **{f"RHUMBLINE_SIGNING__{name}": value for name, value in variables.items()})
    (fault,) = told.value.faults
    assert fault.startswith("signing")
    assert words in fault
    assert SHORT not in fault
    assert SEED not in fault


def test_a_made_key_signs_and_is_the_owners_alone(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "signing-key"
    made = command("signing-key", "--file", str(file), "--json")
    assert made.code == 0, made.err
    shown = json.loads(made.out)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    signer = load(tmp_path, RHUMBLINE_SIGNING__KEY_FILE=str(file)).signing.signer()
    assert signer is not None
    assert (signer.kid, signer.key_set()["keys"][0]["x"]) == (shown["kid"], shown["x"])
    assert file.read_text().strip() not in made.out + made.err
    again = command("signing-key", "--file", str(file))
    assert again.code == 1
    assert "already exists and is not overwritten" in again.err
