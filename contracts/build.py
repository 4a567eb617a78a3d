"""Compile the contracts and write the artifacts that the service carries, or check that they fit the sources.

    .venv/bin/python contracts/build.py            write src/rhumbline/gateways/nodes/evm/artifacts/*.json
    .venv/bin/python contracts/build.py --check    exit 1 if an artifact differs from what the sources compile to

Needs node (from PATH, or beside the running Python) and `npm ci`; works offline. The same sources give the same bytes:
compiler, EVM version and optimiser are fixed, and the compiler's metadata, which depends on file names, is left out.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
SHIM = ROOT / "solc.js"
SOURCES = ROOT / "src"
ARTIFACTS = ROOT.parent / "src" / "rhumbline" / "gateways" / "nodes" / "evm" / "artifacts"
COMPILER_VERSION = "0.8.37"
# By way of Yul (`viaIR`), which makes code cheaper to run. Two are never in a transaction.
BY_YUL: Mapping[str, bool] = {
    "Diamond": True,
    "Executor": True,
    "Lens": False,
    "Receiver": True,
    "SignatureCheck": False,
}
# The same as in foundry.toml, which the tests compare.
SETTINGS: Mapping[str, object] = {
    "evmVersion": "cancun",
    "optimizer": {"enabled": True, "runs": 20000},
    "metadata": {"bytecodeHash": "none", "appendCBOR": False},
}
# The compiler warns of transient storage in general; the lock clears what it sets before every return.
TRANSIENT_STORAGE = "2394"


class BuildError(Exception):
    """The contracts cannot be compiled; the message says what to do."""


def find_node() -> str:
    """Path of node: from PATH, else beside the running Python (where a wheel of node puts it)."""
    beside = Path(sys.executable).parent / "node"
    found = shutil.which("node") or (str(beside) if beside.exists() else None)
    if found is None:
        raise BuildError("node is neither on PATH nor beside the running Python: install it, or put it on PATH")
    return found


def compile_sources() -> dict[str, Any]:
    """Give the compiler every source and answer its outputs by contract; its errors and warnings are raised."""
    sources = {
        path.relative_to(ROOT).as_posix(): {"content": path.read_text(encoding="utf-8")}
        for path in sorted(SOURCES.rglob("*.sol"))
    }
    return {name: contract for by_yul in (True, False) for name, contract in _compiled(sources, by_yul).items()}


def _compiled(sources: Mapping[str, object], by_yul: bool) -> dict[str, Any]:
    names = [name for name, chosen in BY_YUL.items() if chosen is by_yul]
    wanted = ["abi", "evm.bytecode.object", "evm.deployedBytecode.object", "evm.deployedBytecode.immutableReferences"]
    request = {
        "language": "Solidity",
        "sources": sources,
        "settings": {
            **SETTINGS,
            "viaIR": by_yul,
            "outputSelection": {f"src/{name}.sol": {name: wanted} for name in names},
        },
    }
    run = subprocess.run(
        [find_node(), str(SHIM), "--standard-json"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        raise BuildError(f"{SHIM.name} failed (has `npm ci` been run?):\n{run.stderr}")
    output: dict[str, Any] = json.loads(run.stdout)
    findings = [finding for finding in output.get("errors", []) if finding.get("errorCode") != TRANSIENT_STORAGE]
    if findings:
        raise BuildError("\n".join(finding["formattedMessage"] for finding in findings))
    return {name: output["contracts"][f"src/{name}.sol"][name] for name in names}


def render(output: Mapping[str, Any]) -> dict[str, str]:
    """Write the text of each artifact by file name, always with the same bytes for the same code."""
    files = {}
    for name, by_yul in BY_YUL.items():
        contract = output[name]
        evm = contract["evm"]
        artifact = {
            "contractName": name,
            "abi": contract["abi"],
            "bytecode": "0x" + evm["bytecode"]["object"],
            "deployedBytecode": "0x" + evm["deployedBytecode"]["object"],
            "immutableReferences": _places(evm["deployedBytecode"]["immutableReferences"]),
            "compiler": {"name": "solc", "version": COMPILER_VERSION, "viaIR": by_yul, **SETTINGS},
        }
        files[f"{name}.json"] = json.dumps(artifact, indent=1, sort_keys=True) + "\n"
    return files


def _places(references: Mapping[str, list[dict[str, int]]]) -> list[dict[str, int]]:
    """Return where the constructor writes addresses into the code; ``argument`` counts them as they are declared.

    The compiler keys them by the numbers of their declarations, which depend on all sources.
    """
    declared = sorted(references.items(), key=lambda item: int(item[0]))
    found = [{**place, "argument": number} for number, (_, places) in enumerate(declared) for place in places]
    return sorted(found, key=lambda place: place["start"])


def differences(files: Mapping[str, str], folder: Path) -> list[str]:
    """One line for each artifact in the folder that is missing, differs, or has no source."""
    faults = []
    for name, text in files.items():
        path = folder / name
        if not path.exists():
            faults.append(f"{name} is missing")
        elif path.read_bytes() != text.encode():
            faults.append(f"{name} is not what the sources compile to")
    faults += [f"{path.name} has no source" for path in sorted(folder.glob("*.json")) if path.name not in files]
    return faults


def main(arguments: list[str]) -> int:
    """Run the command line and answer the exit code."""
    parser = argparse.ArgumentParser(description="Compile the contracts into the artifacts that the service carries.")
    parser.add_argument("--check", action="store_true", help="compare with the committed artifacts, write nothing")
    parser.add_argument("--artifacts", type=Path, default=ARTIFACTS, help="folder of the artifacts")
    options = parser.parse_args(arguments)
    try:
        files = render(compile_sources())
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    if options.check:
        faults = differences(files, options.artifacts)
        for fault in faults:
            print(fault, file=sys.stderr)
        if faults:
            print("Run `.venv/bin/python contracts/build.py` and commit what it writes.", file=sys.stderr)
        return 1 if faults else 0
    options.artifacts.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (options.artifacts / name).write_bytes(text.encode())
        print(f"wrote {options.artifacts / name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
