"""The element's unit tests, by Node's own runner; its types are a part of the checks."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_element_s_sources_hold() -> None:
    done = subprocess.run(["node", "web/test.mjs"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
