import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[3] / "src"


def test_deeply_nested_json_is_an_error_and_not_the_end() -> None:
    code = """
import json
import rhumbline.gateways.evm.signatures
try:
    json.loads(b"[" * 200_000)
except RecursionError:
    print("refused")
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "refused\n")


def test_nobody_else_imports_eth_account() -> None:
    importers = {path.name for path in SOURCES.rglob("*.py") if "eth_account" in path.read_text()}
    assert importers <= {"signatures.py", "deployment.py", "contracts.py"}, "the last two for types only"
    for name in ("gateways/nodes/evm/deployment.py", "app/commands/contracts.py"):
        lines = (SOURCES / "rhumbline" / name).read_text().splitlines()
        assert all(line.startswith("    from eth_account.signers.local") for line in lines if "eth_account" in line)
