"""The sandbox's own contracts are compiled, or it is said what is missing."""

from pathlib import Path

import pytest

from rhumbline.devnet.own_contracts import SOURCES, compile_own, own_codes
from rhumbline.devnet.solc import CompileError


@pytest.mark.parametrize("what", SOURCES)
async def test_compiling_without_packages_says_so(tmp_path: Path, what: str) -> None:
    with pytest.raises(CompileError, match="run `npm ci`"):
        await compile_own(tmp_path / "node_modules", what)


@pytest.mark.parametrize("what", SOURCES)
def test_every_contract_is_committed_compiled(what: str) -> None:
    codes = own_codes(what)
    assert set(codes) == {path.stem for path in SOURCES[what].glob("*.sol")}
    assert all(codes.values())
