"""`widget-size`: the element and every chunk that it can load, by gzip -9, against a quarter of LI.FI's widget."""

import asyncio
import gzip
import shutil
import tempfile
from pathlib import Path

from bench.rows import Row
from bench.tools import ToolMissing

ROOT = Path(__file__).parents[1]
THEIRS = 495_073
"""@lifi/widget 4.5.0 by esbuild, minified, gzip -9, wallets' providers not counted."""
GOAL = THEIRS // 4


async def run() -> list[Row]:
    """Bundle anew into a folder of its own, and weigh; ToolMissing without Node."""
    node = shutil.which("node")
    if node is None:
        raise ToolMissing("node is not on the PATH")
    with tempfile.TemporaryDirectory() as folder:
        bundling = await asyncio.create_subprocess_exec(node, "web/build.mjs", folder, cwd=ROOT)
        assert await bundling.wait() == 0
        # What resolves names is the front page's own: the element never loads it.
        files = sorted(set(Path(folder).glob("*.js")) - set(Path(folder).glob("rhumbline-swap-names*.js")))
        weight = sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)
    value = f"{weight:,} bytes in {len(files)} files ({weight / THEIRS:.0%} of LI.FI's)"
    return [Row(name="widget-size", value=value, goal=f"<= {GOAL:,} bytes", met=weight <= GOAL)]
