"""The Python client, built and installed into an empty environment: its README's programs, from an empty folder."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import chain_of

CLIENT = ROOT / "clients" / "python"
FETCHES = "FETCH_PACKAGES" in os.environ
"""Whether what the client needs comes from the registry, as `make campaign` does; else it is this clone's."""


def programs() -> dict[str, str]:
    found = re.findall(r"^```python\n# (\S+)\n(.*?)^```$", (CLIENT / "README.md").read_text("utf-8"), re.M | re.S)
    return dict(found)


@pytest.fixture(scope="package")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has nothing but the client, and what the client needs."""
    folder = tmp_path_factory.mktemp("python-client")
    uv = Path(sys.executable).with_name("uv")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=CLIENT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder / "venv"], check=True)
    program = folder / "venv" / "bin" / "python"
    install = [str(uv), "pip", "install", "--quiet", "--python", str(program)]
    if FETCHES:
        subprocess.run([*install, f"{wheel}[evm,solana]"], check=True)
    else:
        subprocess.run([*install, "--no-index", "--no-deps", str(wheel)], check=True)
        (ours,) = [path for path in sys.path if path.endswith("site-packages")]
        (there,) = (folder / "venv").glob("lib/python*/site-packages")
        (there / "needed.pth").write_text(ours)
    return program


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
