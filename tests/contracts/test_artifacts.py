"""The committed artifacts are what the sources compile to, with the settings that forge tests with."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from eth_utils.crypto import keccak

from contracts import build
from contracts.build import ARTIFACTS, BY_YUL
from rhumbline.gateways.nodes.evm.deployment import artifact

ROOT = Path(__file__).parents[2]


def test_the_command_writes_what_is_committed_and_names_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the contracts that are compiled in a moment; that all are what is committed, `make check` shows."""
    names = [name for name, by_yul in BY_YUL.items() if not by_yul]
    monkeypatch.setattr(build, "BY_YUL", dict.fromkeys(names, False))
    compiled = build.compile_sources()
    monkeypatch.setattr(build, "compile_sources", lambda: compiled)
    assert build.main(["--artifacts", str(tmp_path)]) == 0
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {f"{name}.json": (ARTIFACTS / f"{name}.json").read_bytes() for name in names}
    (tmp_path / "Lens.json").unlink()
    (tmp_path / "SignatureCheck.json").write_text((ARTIFACTS / "Lens.json").read_text("utf-8"), "utf-8")
    (tmp_path / "Forgotten.json").write_text("{}", "utf-8")
    capsys.readouterr()
    assert build.main(["--check", "--artifacts", str(tmp_path)]) == 1
    errors = capsys.readouterr().err
    assert "Lens.json is missing" in errors
    assert "SignatureCheck.json is not what the sources compile to" in errors
    assert "Forgotten.json has no source" in errors
    assert "contracts/build.py" in errors


@pytest.mark.parametrize("name", BY_YUL)
def test_compiler_settings_are_those_that_forge_tests(name: str) -> None:
    profile = tomllib.loads((ROOT / "contracts" / "foundry.toml").read_text("utf-8"))["profile"]["default"]
    compiler = json.loads((ARTIFACTS / f"{name}.json").read_text("utf-8"))["compiler"]
    assert compiler["evmVersion"] == profile["evm_version"]
    assert compiler["optimizer"] == {"enabled": profile["optimizer"], "runs": profile["optimizer_runs"]}
    assert compiler["metadata"] == {"bytecodeHash": profile["bytecode_hash"], "appendCBOR": profile["cbor_metadata"]}
    restricted = {limit["paths"]: limit["via_ir"] for limit in profile["compilation_restrictions"]}
    assert restricted.get(f"src/{name}.sol", False) is compiler["viaIR"]


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


OPERATIONS = "(uint8,address,address,address,uint256,uint256,bytes)[]"
FEES = "(address,bytes32,uint256)[]"
ORDER = "(bytes32,bytes32,bytes32,address,address,uint256,address,uint256,uint256,uint256,address[])"
BRIDGE_ORDER = (
    "(bytes32,bytes32,bytes32,bytes32,uint256,address,uint256,address,uint256,bytes32,uint256,uint256,address,bool,bytes32,"
    "uint256,uint256,address[])"
)
SWAP_RECORD = "(address,address,uint256,uint256,uint256,address,uint256,uint256,uint256,bytes32)"
BRIDGE_RECORD = (
    "(bytes32,bytes32,uint256,address,uint256,uint256,address,uint256,bytes32,uint256,uint256,uint256,address,bool,bool,"
    "bytes32)"
)


def written(parameter: Mapping[str, Any]) -> str:
    kind = str(parameter["type"])
    if not kind.startswith("tuple"):
        return kind
    return f"({','.join(written(inner) for inner in parameter['components'])}){kind.removeprefix('tuple')}"


def signatures(kind: str, contract: str = "Diamond") -> Iterable[str]:
    entries: Iterable[Mapping[str, Any]] = artifact(contract).abi
    for entry in entries:
        if entry["type"] == kind:
            yield f"{entry['name']}({','.join(written(item) for item in entry['inputs'])})"


def test_functions_are_those_of_the_page() -> None:
    assert set(signatures("function")) == {
        f"swap({ORDER},{FEES},{OPERATIONS})",
        f"bridge({BRIDGE_ORDER},{FEES},{OPERATIONS})",
        f"swapWithPermit({ORDER},{FEES},{OPERATIONS},uint8,bytes)",
        f"bridgeWithPermit({BRIDGE_ORDER},{FEES},{OPERATIONS},uint8,bytes)",
        "executor()",
        "facets()",
        "facetFunctionSelectors(address)",
        "facetAddresses()",
        "facetAddress(bytes4)",
        "supportsInterface(bytes4)",
    }


def test_events_are_those_of_the_page() -> None:
    assert set(signatures("event")) == {
        f"Swapped(bytes32,address,bytes32,{SWAP_RECORD})",
        f"BridgeStarted(bytes32,address,bytes32,{BRIDGE_RECORD})",
        "FeePaid(bytes32,address,bytes32,address,uint256)",
        "FeeSkipped(bytes32,address,bytes32,address,uint256)",
    }


@pytest.mark.parametrize("name", ["Swapped", "BridgeStarted", "FeePaid", "FeeSkipped"])
def test_the_first_three_fields_of_an_event_are_indexed(name: str) -> None:
    entries: Iterable[Mapping[str, Any]] = artifact("Diamond").abi
    (event,) = [entry for entry in entries if entry["type"] == "event" and entry["name"] == name]
    assert [item["indexed"] for item in event["inputs"]] == [True] * 3 + [False] * (len(event["inputs"]) - 3)


@pytest.mark.parametrize("kind", ["swap", "bridge"])
def test_the_selectors_are_in_the_code(kind: str) -> None:
    (signature,) = [item for item in signatures("function") if item.startswith(f"{kind}(")]
    assert keccak(text=signature)[:4] in artifact("Diamond").runtime_code


def test_the_receivers_functions_are_those_of_the_page() -> None:
    message = f"(bytes32,address,address,uint256,uint256,{OPERATIONS})"
    assert set(signatures("function", "Receiver")) == {
        "handleV3AcrossMessage(address,uint256,address,bytes)",
        f"complete(address,uint256,{message})",
        "executor()",
        "spokePool()",
    }
    assert set(signatures("event", "Receiver")) == {
        "DestinationCompleted(bytes32,address,address,uint256,address,uint256)",
        "Recovered(bytes32,address,address,uint256,bytes)",
    }
