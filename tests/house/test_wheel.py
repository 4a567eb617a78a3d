"""What the wheel carries that git does not keep."""

import json
import sys
from pathlib import Path
from subprocess import run
from zipfile import ZipFile

import pytest

from rhumbline.api.reference.guide_site import BUILT
from scripts.reference_files import FILES, TARGET, copy

ROOT = Path(__file__).parents[2]


def test_the_wheel_serves_the_reference_without_node(tmp_path: Path) -> None:
    """The hook copies what is pinned and written, byte for byte, with the licences."""
    built = run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=ROOT, check=False,
                capture_output=True, text=True)  # fmt: skip
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    folder = str(TARGET).removeprefix("src/")
    with ZipFile(wheel) as archive:
        for name in FILES:
            source = ROOT / "node_modules" / "swagger-ui-dist" / name
            assert archive.read(f"{folder}/vendor/{name}") == source.read_bytes()
        for guide in (ROOT / "docs" / "guides").glob("*.md"):
            assert archive.read(f"{folder}/guides/{guide.name}") == guide.read_bytes()
        site = Path(str(BUILT))
        pages = {f"{folder}/site/{path.relative_to(site).as_posix()}" for path in site.rglob("*") if path.is_file()}
        assert {f"{folder}/site/index.html", f"{folder}/site/search.json"} <= pages <= set(archive.namelist())


def test_the_npm_package_is_pinned_to_one_version() -> None:
    pinned = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]["swagger-ui-dist"]
    installed = json.loads((ROOT / "node_modules" / "swagger-ui-dist" / "package.json").read_text("utf-8"))["version"]
    assert pinned == installed


def test_no_package_is_built_without_them(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="run make setup first"):
        copy(tmp_path)
