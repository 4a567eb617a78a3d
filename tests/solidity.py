"""Contracts of the tests, compiled when they are needed."""

from collections.abc import Mapping
from pathlib import Path

from rhumbline.devnet.solc import compiled, request

ROOT = Path(__file__).parents[1]


_compiled: dict[Path, Mapping[str, bytes]] = {}


async def creation_codes(source: Path) -> Mapping[str, bytes]:
    """Compile a file that imports nothing, once; return each contract's creation code by its name."""
    if source in _compiled:
        return _compiled[source]
    settings = {
        "evmVersion": "cancun",
        "optimizer": {"enabled": True, "runs": 200},
        "outputSelection": {"*": {"*": ["evm.bytecode.object"]}},
    }
    (output,) = await compiled([request({source.name: source.read_text()}, [], settings)], ROOT / "node_modules")
    made = output["contracts"][source.name]
    codes = {name: bytes.fromhex(each["evm"]["bytecode"]["object"]) for name, each in made.items()}
    _compiled[source] = codes
    return codes
