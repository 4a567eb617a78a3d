"""Contracts of the tests, compiled when they are needed."""

from collections.abc import Mapping
from pathlib import Path

from rhumbline.devnet.solc import compiled, request

ROOT = Path(__file__).parents[1]


async def creation_codes(source: Path) -> Mapping[str, bytes]:
    """Compile a file that imports nothing; return each contract's creation code by its name."""
    settings = {
        "evmVersion": "cancun",
        "optimizer": {"enabled": True, "runs": 200},
        "outputSelection": {"*": {"*": ["evm.bytecode.object"]}},
    }
    (output,) = await compiled([request({source.name: source.read_text()}, [], settings)], ROOT / "node_modules")
    made = output["contracts"][source.name]
    return {name: bytes.fromhex(each["evm"]["bytecode"]["object"]) for name, each in made.items()}
