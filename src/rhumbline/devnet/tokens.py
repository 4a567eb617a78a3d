"""The sandbox's own tokens: which there are, and their compiled code.

`python -m rhumbline.devnet.tokens` compiles `solidity/*.sol` anew with the npm packages `solc` and
`@openzeppelin/contracts`, and `--check` only compares. Starting a sandbox needs neither: the result is committed.
"""

import argparse
import asyncio
import json
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
_COMPILED = _HERE / "tokens.json"
_IMPORT = re.compile(r'^import .*?"([^"]+)";', re.MULTILINE)
_COMPILE = "process.stdout.write(require('solc').compile(require('fs').readFileSync(0, 'utf8')))"


class CompileError(Exception):
    """The tokens cannot be compiled, or what is committed differs from what the sources give."""


@dataclass(frozen=True, slots=True)
class TokenPlan:
    """A token to deploy; `contract` names the Solidity contract."""

    symbol: str
    name: str
    decimals: int
    contract: str


TOKENS = (
    TokenPlan("USDC", "USD Coin", 6, "SandboxToken"),
    TokenPlan("USDT", "Tether USD", 6, "TetherToken"),
    TokenPlan("DAI", "Dai Stablecoin", 18, "SandboxToken"),
    TokenPlan("WBTC", "Wrapped BTC", 8, "SandboxToken"),
    TokenPlan("TAX", "Taxed Token", 18, "TaxedToken"),
)


def token_codes() -> dict[str, bytes]:
    """Give creation code by contract name, as committed."""
    compiled = json.loads(_COMPILED.read_text())["bytecode"]
    return {str(name): bytes.fromhex(code.removeprefix("0x")) for name, code in compiled.items()}


async def compile_tokens(node_modules: Path) -> dict[str, object]:
    """Compile the sources with `node` from the PATH; raises CompileError."""
    own = {path.name: path.read_text() for path in sorted((_HERE / "solidity").glob("*.sol"))}
    target = {"evmVersion": "cancun", "optimizer": {"enabled": True, "runs": 200}}
    request = {
        "language": "Solidity",
        "sources": {name: {"content": text} for name, text in _with_imports(own, node_modules).items()},
        "settings": {
            **target,
            "metadata": {"bytecodeHash": "none", "appendCBOR": False},
            "outputSelection": {name: {"*": ["evm.bytecode.object"]} for name in own},
        },
    }
    output = json.loads(await _solc(json.dumps(request), node_modules.parent))
    faults = [fault["formattedMessage"] for fault in output.get("errors", []) if fault["severity"] == "error"]
    if faults:
        raise CompileError("\n".join(faults))
    version = json.loads((node_modules / "solc" / "package.json").read_text())["version"]
    return {
        "compiler": {"solc": version, **target},
        "bytecode": {
            contract: "0x" + output["contracts"][f"{contract}.sol"][contract]["evm"]["bytecode"]["object"]
            for contract in (name.removesuffix(".sol") for name in own)
        },
    }


async def _solc(request: str, folder: Path) -> bytes:
    node = shutil.which("node")
    if node is None:
        raise CompileError("node is not on the PATH; install Node.js 20 or later")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        node, "-e", _COMPILE, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe
    )
    answer, words = await process.communicate(request.encode())
    if process.returncode != 0:
        raise CompileError(f"solc did not run; is `npm ci` done in {folder}?\n{words.decode(errors='replace')}")
    return answer


def _with_imports(own: dict[str, str], node_modules: Path) -> dict[str, str]:
    """Add everything the sources import, by the name the compiler will ask for."""
    sources = dict(own)
    waiting = list(own)
    while waiting:
        name = waiting.pop()
        for target in _IMPORT.findall(sources[name]):
            full = _resolved(name, target)
            if full not in sources:
                try:
                    sources[full] = (node_modules / full).read_text()
                except FileNotFoundError as error:
                    raise CompileError(f"{full} is missing; run `npm ci` in {node_modules.parent}") from error
                waiting.append(full)
    return sources


def _resolved(importer: str, target: str) -> str:
    if not target.startswith("."):
        return target
    parts = importer.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def main() -> int:
    """Write `tokens.json`, or with --check compare it; exit status 1 when it differs."""
    parser = argparse.ArgumentParser(description="Compile the sandbox's tokens.")
    parser.add_argument("--check", action="store_true", help="compare with what is committed instead of writing it")
    parser.add_argument("--node-modules", type=Path, default=Path("node_modules"), help="where npm put the compiler")
    arguments = parser.parse_args()
    try:
        text = (
            json.dumps(asyncio.run(compile_tokens(arguments.node_modules.absolute())), indent=1, sort_keys=True) + "\n"
        )
        if arguments.check and _COMPILED.read_text() != text:
            raise CompileError(f"{_COMPILED} is not what the sources give; run `python -m rhumbline.devnet.tokens`")
    except CompileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not arguments.check:
        _COMPILED.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
