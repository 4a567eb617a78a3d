"""The committed artifacts are what the sources compile to, with the settings that forge tests with."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "contracts" / "build.py"
ARTIFACTS = ROOT / "src" / "rhumbline" / "gateways" / "nodes" / "evm" / "artifacts"


def build(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(BUILD), *arguments], capture_output=True, text=True, check=False)


def test_build_writes_what_is_committed(tmp_path: Path) -> None:
    run = build("--artifacts", str(tmp_path))
    assert run.returncode == 0, run.stderr
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_bytes() for path in ARTIFACTS.iterdir()}


def test_check_names_what_differs_or_is_missing_and_the_remedy(tmp_path: Path) -> None:
    """That it is content with what is committed, `make check` shows."""
    shutil.copy(ARTIFACTS / "Receiver.json", tmp_path)
    (tmp_path / "Executor.json").write_text((ARTIFACTS / "Executor.json").read_text("utf-8") + " ", "utf-8")
    (tmp_path / "Forgotten.json").write_text("{}", "utf-8")
    run = build("--check", "--artifacts", str(tmp_path))
    assert run.returncode == 1
    assert "Diamond.json is missing" in run.stderr
    assert "Executor.json is not what the sources compile to" in run.stderr
    assert "Forgotten.json has no source" in run.stderr
    assert "Receiver" not in run.stderr
    assert "contracts/build.py" in run.stderr


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
