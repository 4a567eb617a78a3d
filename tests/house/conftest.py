import subprocess
from pathlib import Path

import pytest

from tests.house.rules import LOCKS, File

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def files() -> list[File]:
    """Every text of the project that git keeps or would keep."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    found = []
    for name in listed:
        path = ROOT / name
        if not name or path.name in LOCKS or not path.is_file():
            continue
        try:
            found.append(File(name, path.read_text("utf-8")))
        except UnicodeDecodeError:
            continue
    return found
