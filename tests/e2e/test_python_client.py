"""The Python client, built and installed into an empty environment: its README's programs, from an empty folder."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.client_environment import CLIENT
from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import chain_of


def programs() -> dict[str, str]:
    found = re.findall(r"^```python\n# (\S+)\n(.*?)^```$", (CLIENT / "README.md").read_text("utf-8"), re.M | re.S)
    return dict(found)


def run(python: Path, folder: Path, name: str, settings: Mapping[str, object]) -> str:
    (folder / name).write_text(programs()[name])
    environment = {**os.environ, "no_proxy": "127.0.0.1", **{key: str(value) for key, value in settings.items()}}
    command = [str(python), "-W", "error", name]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def settings(demo: Demo, key: str, sell: str, amount: int, to: str, buy: str) -> dict[str, object]:
    """What the programs read: the demo's addresses and an account that holds something."""
    here, there = chain_of(demo, key), chain_of(demo, to)
    account = demo.sandbox["accounts"]["svm" if key == "sbxs" else "evm"][3]
    return {
        "API": demo.sandbox["base_url"],
        "RPC_URL": here["rpc_url"],
        "CHAIN_ID": here["id"],
        "TO_CHAIN_ID": there["id"],
        "PRIVATE_KEY": account["private_key"],
        "RECEIVER": demo.sandbox["accounts"]["evm"][3]["address"],
        "SELL": here["tokens"][sell]["address"],
        "BUY": there["tokens"][buy]["address"],
        "AMOUNT": amount,
    }


SWAP = ("sbxa", "USDC", 40_000_000, "sbxa", "WETH")
BRIDGE = ("sbxa", "USDC", 60_000_000, "sbxb", "USDC")
SOLANA = ("sbxs", "USDC", 50_000_000, "sbxa", "USDC")


def check_arrival(written: str) -> None:
    """Whether a program says that it has sent something, and that what was promised arrived."""
    promised = re.search(r"^[A-Z_]+ brings at least (\d+)$", written, re.M)
    arrived = re.search(r"^success (\d+)$", written, re.M)
    assert promised is not None, written
    assert arrived is not None, written
    assert int(arrived[1]) >= int(promised[1]) > 0
    assert re.search(r"^sent as (?:0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})$", written, re.M), written


@pytest.mark.parametrize(("name", "asked"), [("swap", SWAP), ("bridge", BRIDGE), ("solana_transfer", SOLANA)])
def test_a_program_of_the_readme_moves_money(
    demo: Demo, python: Path, tmp_path: Path, name: str, asked: tuple[str, str, int, str, str]
) -> None:
    check_arrival(run(python, tmp_path, f"{name}.py", settings(demo, *asked)))


def test_an_error_is_one_of_its_code(demo: Demo, python: Path, tmp_path: Path) -> None:
    written = run(python, tmp_path, "errors.py", settings(demo, "sbxa", "USDC", 1, "sbxb", "USDC"))
    assert re.fullmatch(r"AMOUNT_TOO_LOW [1-9]\d* True\n", written)


def test_every_program_of_the_readme_is_run() -> None:
    """`webhook.py` is run by tests/clients/python/test_webhooks.py, with the service's own signature."""
    assert sorted(programs()) == ["bridge.py", "errors.py", "solana_transfer.py", "swap.py", "webhook.py"]
