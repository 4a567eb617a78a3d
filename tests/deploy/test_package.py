"""What `make package` builds, which a tag releases."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

from tests.deploy.files import ROOT


def test_a_release_has_its_parts_and_says_what_is_in_it(tmp_path: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    words = [ROOT / "scripts" / "package", tmp_path]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == sorted([
        f"rhumbline-{version}-py3-none-any.whl", f"rhumbline-{version}.cdx.json", f"rhumbline-{version}.tar.gz",
        f"rhumbline-element-{version}.tgz", f"rhumbline-client-{version}.tgz",
        f"rhumbline_client-{version}-py3-none-any.whl",
    ])  # fmt: skip
    bill = json.loads((tmp_path / f"rhumbline-{version}.cdx.json").read_text("utf-8"))
    assert bill["metadata"]["component"]["version"] == version
    locked = re.findall(r"^([\w.-]+)==([^ ;]+)", (ROOT / "requirements-service.lock").read_text("utf-8"), re.M)
    assert {(each["name"], each["version"]) for each in bill["components"]} == set(locked)
