"""The compiled code of the sandbox's own contracts: tokens, and pools of kinds whose code is in no npm package.

`python -m rhumbline.devnet.own_contracts` compiles `solidity/*.sol` and `solidity/pools/*.sol` with the npm packages
`solc` and `@openzeppelin/contracts`; `--check` only compares. Starting a sandbox needs neither: the results are
committed, as `tokens.json` and `pools.json`.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rhumbline.devnet.solc import CompileError, compiled, compiler_version, request

_HERE = Path(__file__).parent
SOURCES: Mapping[str, Path] = MappingProxyType(
    {"tokens": _HERE / "solidity", "pools": _HERE / "solidity" / "pools"},
)
_TARGET = MappingProxyType({"evmVersion": "cancun", "optimizer": {"enabled": True, "runs": 200}})


def own_codes(what: str) -> dict[str, bytes]:
    """Return the committed creation code of "tokens" or "pools", by contract name."""
    codes = json.loads(_compiled(what).read_text())["bytecode"]
    return {str(name): bytes.fromhex(code.removeprefix("0x")) for name, code in codes.items()}


async def compile_own(node_modules: Path, what: str) -> dict[str, object]:
    """Compile the sources of a name with `node` from the PATH; raise CompileError."""
    own = {path.name: path.read_text() for path in sorted(SOURCES[what].glob("*.sol"))}
    wanted = {"outputSelection": {name: {"*": ["evm.bytecode.object"]} for name in own}}
    (output,) = await compiled([request(own, (node_modules,), {**_TARGET, **wanted})], node_modules)
    return {
        "compiler": {"solc": compiler_version(node_modules), **_TARGET},
        "bytecode": {
            contract: "0x" + output["contracts"][f"{contract}.sol"][contract]["evm"]["bytecode"]["object"]
            for contract in (name.removesuffix(".sol") for name in own)
        },
    }


def main() -> int:
    """Write the compiled code, or with --check compare it; exit status 1 if it differs."""
    parser = argparse.ArgumentParser(description="Compile the sandbox's own tokens and pools.")
    parser.add_argument("--check", action="store_true", help="compare with what is committed instead of writing it")
    parser.add_argument("--node-modules", type=Path, default=Path("node_modules"), help="where npm put the compiler")
    arguments = parser.parse_args()
    try:
        for what in SOURCES:
            made = asyncio.run(compile_own(arguments.node_modules.absolute(), what))
            text = json.dumps(made, indent=1, sort_keys=True) + "\n"
            if not arguments.check:
                _compiled(what).write_text(text)
            elif _compiled(what).read_text() != text:
                remedy = "run `python -m rhumbline.devnet.own_contracts`"
                raise CompileError(f"{_compiled(what)} is not what the sources give; {remedy}")
    except CompileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _compiled(what: str) -> Path:
    return _HERE / f"{what}.json"


if __name__ == "__main__":
    sys.exit(main())
