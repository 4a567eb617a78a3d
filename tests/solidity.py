"""Contracts of the tests, compiled when they are needed."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from rhumbline.devnet.atomic_files import exclusive, read_whole, write_whole
from rhumbline.devnet.solc import compiled, compiler_version, request
from tests.sandbox_fixture import CACHE

ROOT = Path(__file__).parents[1]
NODE_MODULES = ROOT / "node_modules"
COMPILED = CACHE / "solidity"
DEADLINE_S = 300


async def creation_codes(source: Path) -> Mapping[str, bytes]:
    """Compile a file that imports nothing, once for all processes; return each contract's creation code by its name."""
    settings = {
        "evmVersion": "cancun",
        "optimizer": {"enabled": True, "runs": 200},
        "outputSelection": {"*": {"*": ["evm.bytecode.object"]}},
    }
    asked = request({source.name: source.read_text()}, [], settings)
    key = hashlib.sha256(json.dumps([compiler_version(NODE_MODULES), asked]).encode()).hexdigest()[:16]
    kept = COMPILED / f"{source.stem}-{key}.json"
    async with exclusive(COMPILED / "lock", DEADLINE_S):
        payload = read_whole(kept)
        if payload is None:
            (output,) = await compiled([asked], NODE_MODULES)
            payload = json.dumps(output["contracts"][source.name]).encode()
            write_whole(kept, payload)
    codes = {name: each["evm"]["bytecode"]["object"] for name, each in json.loads(payload).items()}
    return {name: bytes.fromhex(code) for name, code in codes.items()}
