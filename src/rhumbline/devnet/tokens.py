"""The sandbox's own tokens: which there are, and their compiled code.

`python -m rhumbline.devnet.tokens` compiles `solidity/*.sol` anew with the npm packages `solc` and
`@openzeppelin/contracts`, and `--check` only compares. Starting a sandbox needs neither: the result is committed.
"""

import argparse
import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from rhumbline.devnet.solc import CompileError, compiled, compiler_version, request

_HERE = Path(__file__).parent
_COMPILED = _HERE / "tokens.json"


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
    wanted = {"outputSelection": {name: {"*": ["evm.bytecode.object"]} for name in own}}
    (output,) = await compiled([request(own, (node_modules,), {**target, **wanted})], node_modules)
    return {
        "compiler": {"solc": compiler_version(node_modules), **target},
        "bytecode": {
            contract: "0x" + output["contracts"][f"{contract}.sol"][contract]["evm"]["bytecode"]["object"]
            for contract in (name.removesuffix(".sol") for name in own)
        },
    }


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
