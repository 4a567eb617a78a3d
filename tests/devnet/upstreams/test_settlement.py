"""Settlement contracts are compiled so that their code can be put at any address."""

import json
from pathlib import Path

import pytest

from rhumbline.devnet.solc import CompileError
from rhumbline.devnet.upstreams.settlement import compile_settlement

NODE_MODULES = Path(__file__).parents[3] / "node_modules"
HEAD = "// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\n"


async def test_only_contracts_are_made_and_each_its_own(tmp_path: Path) -> None:
    (tmp_path / "Two.sol").write_text(
        HEAD + 'import {Settle} from "./Settle.sol";\n'
        "contract Two { function a() external payable { Settle.notAfter(1); } }\n"
        "contract Three { function b() external pure returns (uint256) { return 3; } }\n"
        "abstract contract Four { function c() external virtual; }\ninterface Five { }\n"
    )
    made = await compile_settlement(NODE_MODULES, (), tmp_path)
    assert sorted(made) == ["Three", "Two"]
    content = json.loads(made["Two"])
    assert bytes.fromhex(content["runtime"].removeprefix("0x"))
    assert content["compiler"]["solc"].startswith("0.8.")


@pytest.mark.parametrize(
    "body",
    [
        "contract Bad { uint256 public x; constructor() { x = 1; } }",
        "contract Bad { uint256 public immutable X = block.number; }",
        "contract Bad { function broken() }",
    ],
)
async def test_what_cannot_be_put_at_an_address_is_refused(tmp_path: Path, body: str) -> None:
    (tmp_path / "Bad.sol").write_text(HEAD + body)
    with pytest.raises(CompileError):
        await compile_settlement(NODE_MODULES, ["Bad"], tmp_path)


async def test_a_name_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="no such contract: Nothing"):
        await compile_settlement(NODE_MODULES, ["Nothing"], tmp_path)
