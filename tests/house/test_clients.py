"""The clients have the version of the service, and need nothing but what they declare."""

import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON, TYPESCRIPT = ROOT / "clients" / "python", ROOT / "clients" / "typescript"
PROJECT = tomllib.loads((PYTHON / "pyproject.toml").read_text("utf-8"))["project"]
MODULES = {"eth-account": "eth_account"}
BESIDE = {"solana.py": "solana", "co_signers.py": "solana", "signatures.py": "signatures"}
"""The extra that a file needs; what lies in the folder `mcp` needs the one of that name."""
WALLETS = {"kit.ts": {"@solana/kit"}, "viem.ts": {"viem"}}


def names_of(requirements: list[str]) -> set[str]:
    return {MODULES.get(name, name) for name in (re.split("[<>=~]", each)[0] for each in requirements)}


def test_versions_are_the_services() -> None:
    service = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    for path in (PYTHON / "src" / "rhumbline_client" / "version.py", TYPESCRIPT / "src" / "version.ts"):
        assert re.findall(r'VERSION = "(.+)"', path.read_text("utf-8")) == [service], path


def test_the_licence_is_the_projects() -> None:
    assert (PYTHON / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_python_client_imports_what_it_declares() -> None:
    """Wallets' libraries and the protocol of agents are extras: only what they are for imports one."""
    extras = {name: names_of(each) for name, each in PROJECT["optional-dependencies"].items()}
    known = names_of(PROJECT["dependencies"]) | set(sys.stdlib_module_names) | {"rhumbline_client"}
    for path in (PYTHON / "src").rglob("*.py"):
        found = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
        beyond = found - known
        extra = "mcp" if path.parent.name == "mcp" else BESIDE.get(path.name, "")
        assert beyond <= extras.get(extra, set()), path


def test_the_services_extra_is_the_client_of_its_version() -> None:
    service = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert service["optional-dependencies"] == {"mcp": [f"rhumbline-client[mcp]=={service['version']}"]}


def test_the_typescript_client_imports_nothing() -> None:
    for path in (TYPESCRIPT / "src").glob("*.ts"):
        found = set(re.findall(r'from "([^"]+)"', path.read_text("utf-8")))
        assert {name for name in found if not name.startswith("./")} <= WALLETS.get(path.name, set()), path
