"""Every adapter has the same files: who knows one finds the way in all others (docs/adapters.md)."""

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from rhumbline.app.registry import FOLDERS
from tests.house.rules import hold

ADAPTERS = Path(__file__).parents[2] / "src/rhumbline/adapters"
REQUIRED = ("__init__.py", "adapter.py", "client.py", "wire.py", "checking.py", "deployments.py")
LONGEST_ADAPTER = 150
CHAIN_TYPES = ("svm", "solana", "evm")
NOUNS = frozenset({"checking"})
"""The only name in -ing: what is compared before anything leaves."""


def broken(folder: str, files: Mapping[str, str]) -> list[str]:
    """Return what is not as the canon has it: ``path: what`` each; ``files`` are texts by path inside the folder."""
    is_bridge = "    async def status(" in files.get("adapter.py", "")
    wanted = (*REQUIRED, "transfer_status.py") if is_bridge else REQUIRED
    found = [f"{name}: is missing" for name in wanted if name not in files]
    lines = len(files.get("adapter.py", "").splitlines())
    if lines > LONGEST_ADAPTER:
        found.append(f"adapter.py: has {lines} lines, at most {LONGEST_ADAPTER}")
    if "client.py" in files and "ERRORS" not in _names(files["client.py"]):
        found.append("client.py: has no ERRORS, the table of the upstream's errors")
    for path in files:
        *rooms, name = path.removesuffix(".py").split("/")
        if name.endswith("ing") and name not in NOUNS:
            found.append(f"{path}: ends in -ing where a noun says it")
        if not rooms and name != "svm" and name.split("_")[0] in CHAIN_TYPES:
            found.append(f"{path}: what is of one chain type lies in svm/")
        if name in ("status", "following", folder) and name != "transfer_status":
            found.append(f"{path}: transfers are followed in transfer_status.py, the upstream is asked in client.py")
    return found


def _names(source: str) -> set[str]:
    """Return what a module assigns at its top."""
    targets = [
        target
        for each in ast.parse(source).body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
    ]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def test_every_adapter_has_the_files_of_the_canon() -> None:
    found: dict[str, list[str]] = {}
    for folder in FOLDERS:
        place = ADAPTERS / folder
        files = {path.relative_to(place).as_posix(): path.read_text("utf-8") for path in sorted(place.rglob("*.py"))}
        found[folder] = broken(folder, files)
    hold(
        "an adapter has adapter.py (at most 150 lines), client.py with ERRORS, wire.py, checking.py, deployments.py, a "
        "bridge transfer_status.py too, and what is Solana's in svm/; further files are named by nouns",
        [f"src/rhumbline/adapters/{folder}/{what}" for folder, each in found.items() for what in each],
        "name and split it as docs/adapters.md does",
    )


SOUND = dict.fromkeys(REQUIRED, "") | {"client.py": "ERRORS: int = 1\n", "svm/checking.py": "", "fees.py": ""}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"wire.py": None}, "wire.py: is missing"),
        ({"checking.py": None}, "checking.py: is missing"),
        ({"adapter.py": "class A:\n    async def status(self): ...\n"}, "transfer_status.py: is missing"),
        ({"adapter.py": "x = 1\n" * 151}, "adapter.py: has 151 lines, at most 150"),
        ({"client.py": "CODES = 1\n"}, "client.py: has no ERRORS, the table of the upstream's errors"),
        ({"following.py": ""}, "following.py: ends in -ing where a noun says it"),
        ({"svm/reading.py": ""}, "svm/reading.py: ends in -ing where a noun says it"),
        ({"solana_wire.py": ""}, "solana_wire.py: what is of one chain type lies in svm/"),
        ({"svm_proof.py": ""}, "svm_proof.py: what is of one chain type lies in svm/"),
        (
            {"status.py": ""},
            "status.py: transfers are followed in transfer_status.py, the upstream is asked in client.py",
        ),
    ],
)  # fmt: skip
def test_what_is_off_the_canon_is_found(changed: Mapping[str, str | None], words: str) -> None:
    files = {path: text for path, text in {**SOUND, **changed}.items() if text is not None}
    assert words in broken("toyswap", files)
    assert broken("toyswap", SOUND) == []
