"""An environment that has nothing but the Python client, built and installed as from a registry, and what it needs."""

import os
import subprocess
import sys
from pathlib import Path

from tests.e2e.running_demo import ROOT

CLIENT = ROOT / "clients" / "python"
FETCHES = "FETCH_PACKAGES" in os.environ
"""Whether what clients need comes from the registry, as `make campaign` does; else it is this clone's."""


def client_environment(folder: Path) -> Path:
    """Build and install the client, and return the environment's Python."""
    uv = Path(sys.executable).with_name("uv")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=CLIENT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder / "venv"], check=True)
    program = folder / "venv" / "bin" / "python"
    install = [str(uv), "pip", "install", "--quiet", "--python", str(program)]
    if FETCHES:
        subprocess.run([*install, f"{wheel}[evm,solana,mcp]"], check=True)
    else:
        subprocess.run([*install, "--no-index", "--no-deps", str(wheel)], check=True)
        (ours,) = [path for path in sys.path if path.endswith("site-packages")]
        (there,) = (folder / "venv").glob("lib/python*/site-packages")
        (there / "needed.pth").write_text(ours)
    return program
