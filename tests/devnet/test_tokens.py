"""The sandbox's tokens are compiled, or it is said what is missing."""

from pathlib import Path

import pytest

from rhumbline.devnet.solc import CompileError
from rhumbline.devnet.tokens import compile_tokens


async def test_compiling_without_packages_says_so(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="run `npm ci`"):
        await compile_tokens(tmp_path / "node_modules")
