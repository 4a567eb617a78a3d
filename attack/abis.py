"""Which functions there are: by the compiler's word for all settlement contracts, and the standards around them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attack.tree import Known
from rhumbline.devnet.solc import compiled, request
from rhumbline.devnet.upstreams.settlement import SOURCES
from rhumbline.gateways.evm.calldata import Function

ROOT = Path(__file__).parents[1]
OWN = Path(__file__).with_name("solidity")
_NODE_MODULES = ROOT / "node_modules"
# ERC-20, WETH9, SwapRouter02 and SpokePool: other people's, whose sources are not compiled here.
_STANDARDS = (
    "transfer(address,uint256)",
    "transferFrom(address,address,uint256)",
    "approve(address,uint256)",
    "deposit()",
    "withdraw(uint256)",
    "multicall(bytes[])",
    "multicall(uint256,bytes[])",
    "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
    "exactInput((bytes,address,uint256,uint256))",
    "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
    "swapExactTokensForTokens(uint256,uint256,address[],address)",
    "swapTokensForExactTokens(uint256,uint256,address[],address)",
    "unwrapWETH9(uint256,address)",
    "unwrapWETH9(uint256)",
    "sweepToken(address,uint256,address)",
    "sweepToken(address,uint256)",
    "refundETH()",
    "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)",
    "deposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,uint32,bytes)",
)


@dataclass(frozen=True)
class Compiled:
    """``known`` functions by selector, ``siblings`` the functions of the contracts that have this one, by signature.

    ``codes`` is the runtime code of the attacker's own contracts by name.
    """

    known: Known
    siblings: Mapping[str, tuple[Function, ...]]
    codes: Mapping[str, bytes]


async def compile_all(cache: Path) -> Compiled:
    """Ask the compiler, or the cache where nothing changed since. Raise CompileError."""
    paths = [*sorted(SOURCES.glob("*.sol")), *sorted(OWN.glob("*.sol"))]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in paths) + Path(__file__).read_bytes()).hexdigest()
    place = cache / f"attack-{digest[:16]}.json"
    if not place.is_file():
        content = await _compiled(paths)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(content))
    kept = json.loads(place.read_text())
    codes = {name: bytes.fromhex(code) for name, code in kept["codes"].items()}
    return Compiled(*_indexed([*kept["contracts"], list(_STANDARDS)]), codes)


def _indexed(contracts: Iterable[list[str]]) -> tuple[Known, Mapping[str, tuple[Function, ...]]]:
    known: dict[bytes, tuple[Function, ...]] = {}
    siblings: dict[str, tuple[Function, ...]] = {}
    for signatures in contracts:
        functions = tuple(Function(signature) for signature in signatures)
        for function in functions:
            known[function.selector] = tuple(dict.fromkeys((*known.get(function.selector, ()), function)))
            others = (*siblings.get(function.signature, ()), *(each for each in functions if each != function))
            siblings[function.signature] = tuple(dict.fromkeys(others))
    return known, siblings


async def _compiled(paths: list[Path]) -> dict[str, Any]:
    selection = {"*": {"*": ["abi"]}}
    own = {"*": {"*": ["abi", "evm.deployedBytecode.object"]}}
    requests = [
        request(
            {path.name: path.read_text("utf-8")},
            (SOURCES, _NODE_MODULES),
            {"evmVersion": "cancun", "outputSelection": own if path.parent == OWN else selection},
        )
        for path in paths
    ]
    outputs = await compiled(requests, _NODE_MODULES)
    contracts, codes = [], {}
    for path, output in zip(paths, outputs, strict=True):
        for file in output["contracts"].values():
            contracts += [_functions(contract["abi"]) for contract in file.values()]
        if path.parent == OWN:
            for name, contract in output["contracts"][path.name].items():
                codes[name] = contract["evm"]["deployedBytecode"]["object"]
    unique = {tuple(signatures): None for signatures in contracts if signatures}
    return {"contracts": [list(signatures) for signatures in unique], "codes": codes}


def _functions(abi: list[dict[str, Any]]) -> list[str]:
    return sorted(f"{item['name']}{_tuple(item['inputs'])}" for item in abi if item["type"] == "function")


def _tuple(inputs: list[dict[str, Any]]) -> str:
    return "(" + ",".join(_type(each) for each in inputs) + ")"


def _type(item: dict[str, Any]) -> str:
    kind: str = item["type"]
    return _tuple(item["components"]) + kind.removeprefix("tuple") if kind.startswith("tuple") else kind
