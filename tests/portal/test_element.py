"""The element's sources: strictly typed, tests too, and tested by Node's own runner."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "command",
    [["node_modules/.bin/tsc", "-p", "web"], ["node_modules/.bin/tsc", "-p", "web/test"], ["node", "web/test.mjs"]],
    ids=["types", "types of the tests", "tests"],
)
def test_the_element_s_sources_hold(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
