"""Programs for Node, each in one file with its packages: to load those module by module takes longer than the rest."""

import fcntl
import hashlib
import re
import subprocess
from pathlib import Path

from rhumbline.devnet.atomic_files import write_atomically
from tests.sandbox_fixture import CACHE

ROOT = Path(__file__).parents[1]
PROGRAMS = CACHE / "programs"
INSTALLED = ROOT / "node_modules" / ".package-lock.json"
"""What npm says that it installed."""
KEPT = 3
_IMPORT = re.compile(r'\b(?:from|import)\b[\s(]*"(\.[^"]+)"')
# What packages require of Node itself is not in the file.
_REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'
_BUNDLE = (
    *("--bundle", "--platform=node", "--format=esm", "--target=node20", "--keep-names", "--log-level=warning"),
    # What says how the sources are checked changes nothing here.
    "--tsconfig-raw={}",
    f"--banner:js={_REQUIRE}",
)


def sources(program: Path) -> list[Path]:
    """The program and all that it imports but packages."""
    found, left = set[Path](), [program]
    while left:
        path = left.pop().resolve()
        if path not in found:
            found.add(path)
            left += [path.parent / name for name in _IMPORT.findall(path.read_text("utf-8"))]
    return sorted(found)


def bundled(program: Path) -> Path:
    """Bundle a program, once for all processes as long as its sources and the packages stay what they are."""
    digest = hashlib.sha256(repr(_BUNDLE).encode())
    for path in (INSTALLED, *sources(program)):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    bundle = PROGRAMS / f"{program.stem}-{digest.hexdigest()[:16]}.mjs"
    if bundle.exists():
        return bundle
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    with (PROGRAMS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not bundle.exists():
            command = [str(ROOT / "node_modules" / ".bin" / "esbuild"), str(program), *_BUNDLE]
            made = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
            write_atomically(bundle, made, 0o644)
            others = sorted(PROGRAMS.glob(f"{program.stem}-*.mjs"), key=lambda path: path.stat().st_mtime)
            for old in others[:-KEPT]:
                old.unlink()
    return bundle
