"""Compiles the settlement contracts: `python -m rhumbline.devnet.upstreams.settlement [--check] [Name…]`.

Each contract of `solidity/upstreams/*.sol` becomes `compiled/<Contract>.json`, which is committed, so that starting a
sandbox needs no compiler. The node places the code at its address, so no constructor runs and no immutable is set: a
contract's configuration is in the call, or in its storage.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from rhumbline.devnet.solc import CompileError, compiled, compiler_version, request

SOURCES = Path(__file__).parents[1] / "solidity" / "upstreams"
COMPILED = Path(__file__).with_name("compiled")
_CONTRACT = re.compile(r"^contract (\w+)", re.MULTILINE)
_TARGET = {"evmVersion": "cancun", "optimizer": {"enabled": True, "runs": 200}, "viaIR": True}.items()
_WANTED = ("abi", "evm.deployedBytecode.object", "evm.deployedBytecode.immutableReferences")


async def compile_settlement(node_modules: Path, names: Collection[str], sources: Path = SOURCES) -> Mapping[str, str]:
    """Compile the files of these names, all if there is none; return the content of each contract's file by name.

    Each file is compiled separately, so none depends on its neighbours. Raise CompileError.
    """
    files = [path for path in sorted(sources.glob("*.sol")) if not names or path.stem in names]
    if missing := set(names) - {path.stem for path in files}:
        raise CompileError(f"no such contract: {', '.join(sorted(missing))}")
    contracts = {path.name: _CONTRACT.findall(path.read_text()) for path in files}
    files = [path for path in files if contracts[path.name]]
    requests = [
        request(
            {path.name: path.read_text()},
            (sources, SOURCES, node_modules),
            {**dict(_TARGET), "outputSelection": {path.name: dict.fromkeys(contracts[path.name], _WANTED)}},
        )
        for path in files
    ]
    outputs = await compiled(requests, node_modules)
    version = compiler_version(node_modules)
    return {
        name: _content(name, output["contracts"][path.name][name], version)
        for path, output in zip(files, outputs, strict=True)
        for name in contracts[path.name]
    }


def _content(name: str, output: Mapping[str, Any], version: str) -> str:
    code = output["evm"]["deployedBytecode"]
    if code.get("immutableReferences") or any(item["type"] == "constructor" for item in output["abi"]):
        raise CompileError(f"{name} has a constructor or an immutable: neither is there when code is put at an address")
    content = {"compiler": {"solc": version, **dict(_TARGET)}, "runtime": "0x" + code["object"]}
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def main() -> int:
    """Write the compiled contracts, or with --check compare them; exit status 1 if one differs."""
    parser = argparse.ArgumentParser(description="Compile the settlement contracts of the upstream emulators.")
    parser.add_argument("names", nargs="*", help="files without .sol; all when none is given")
    parser.add_argument("--check", action="store_true", help="compare with what is committed instead of writing it")
    parser.add_argument("--node-modules", type=Path, default=Path("node_modules"), help="where npm put the compiler")
    arguments = parser.parse_args()
    try:
        made = asyncio.run(compile_settlement(arguments.node_modules.absolute(), arguments.names))
        if arguments.check:
            _compare(made, everything=not arguments.names)
    except CompileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not arguments.check:
        for name, text in made.items():
            (COMPILED / f"{name}.json").write_text(text, "utf-8")
    return 0


def _compare(made: Mapping[str, str], *, everything: bool) -> None:
    kept = {path.stem: path.read_text("utf-8") for path in COMPILED.glob("*.json")}
    wrong = {name for name, text in made.items() if kept.get(name) != text}
    if everything:
        wrong |= set(kept) - set(made)
    if wrong:
        remedy = "run `python -m rhumbline.devnet.upstreams.settlement`"
        raise CompileError(f"not what the sources give: {', '.join(sorted(wrong))}; {remedy}")


if __name__ == "__main__":
    sys.exit(main())
