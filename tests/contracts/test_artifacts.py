"""The committed artifacts are what the sources compile to, with the settings that forge tests with."""

import json
import tomllib
from pathlib import Path

import pytest

from contracts import build
from contracts.build import ARTIFACTS

ROOT = Path(__file__).parents[2]


def test_the_command_writes_what_is_committed_and_names_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """That the check is content with what is committed, `make check` shows."""
    compiled = build.compile_sources()
    monkeypatch.setattr(build, "compile_sources", lambda: compiled)
    assert build.main(["--artifacts", str(tmp_path)]) == 0
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_bytes() for path in ARTIFACTS.iterdir()}
    (tmp_path / "Diamond.json").unlink()
    (tmp_path / "Executor.json").write_text((ARTIFACTS / "Executor.json").read_text("utf-8") + " ", "utf-8")
    (tmp_path / "Forgotten.json").write_text("{}", "utf-8")
    capsys.readouterr()
    assert build.main(["--check", "--artifacts", str(tmp_path)]) == 1
    errors = capsys.readouterr().err
    assert "Diamond.json is missing" in errors
    assert "Executor.json is not what the sources compile to" in errors
    assert "Forgotten.json has no source" in errors
    assert "Receiver" not in errors
    assert "contracts/build.py" in errors


@pytest.mark.parametrize("name", ["Diamond", "Executor", "Receiver"])
def test_compiler_settings_are_those_that_forge_tests(name: str) -> None:
    profile = tomllib.loads((ROOT / "contracts" / "foundry.toml").read_text("utf-8"))["profile"]["default"]
    compiler = json.loads((ARTIFACTS / f"{name}.json").read_text("utf-8"))["compiler"]
    assert compiler["evmVersion"] == profile["evm_version"]
    assert compiler["optimizer"] == {"enabled": profile["optimizer"], "runs": profile["optimizer_runs"]}
    assert compiler["metadata"] == {"bytecodeHash": profile["bytecode_hash"], "appendCBOR": profile["cbor_metadata"]}


@pytest.mark.parametrize(("name", "arguments"), [("Diamond", {0}), ("Executor", set()), ("Receiver", {0, 1})])
def test_only_the_constructors_addresses_are_left_open(name: str, arguments: set[int]) -> None:
    """Code without metadata, with places for each address that the constructor is given and for nothing else."""
    artifact = json.loads((ARTIFACTS / f"{name}.json").read_text("utf-8"))
    code = bytes.fromhex(artifact["deployedBytecode"][2:])
    assert 0 < len(code) <= 24576
    assert b"ipfs" not in code
    assert b"solc" not in code
    places = artifact["immutableReferences"]
    assert {place["argument"] for place in places} == arguments
    assert all(code[place["start"] : place["start"] + 32] == bytes(32) for place in places)
