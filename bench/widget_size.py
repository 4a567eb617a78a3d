"""`widget-size`: the element and every chunk that it can load, by gzip -9, against a quarter of LI.FI's widget.

What speaks WalletConnect's protocol is loaded only where somebody chooses it, and is weighed apart, as theirs is.
Of the languages beside English the largest counts, for one is loaded at a time; the weight of all is said too.
"""

import asyncio
import gzip
import re
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

from bench.rows import Row
from bench.tools import ToolMissing

ROOT = Path(__file__).parents[1]
THEIRS = 495_073
"""@lifi/widget 4.5.0 by esbuild, minified, gzip -9, wallets' providers not counted."""
GOAL = THEIRS // 4
LANGUAGE = re.compile(r"rhumbline-swap-[a-z]{2}-[A-Z0-9]+\.js")


async def run() -> list[Row]:
    """Bundle into a temporary folder, and measure; ToolMissing without Node."""
    node = shutil.which("node")
    if node is None:
        raise ToolMissing("node is not on the PATH")
    with tempfile.TemporaryDirectory() as folder:
        bundling = await asyncio.create_subprocess_exec(node, "web/build.mjs", folder, cwd=ROOT)
        assert await bundling.wait() == 0
        remote = set(Path(folder).glob("rhumbline-swap-walletconnect*.js"))
        # What resolves names is the front page's own, and receipts are pages: the element loads neither.
        names = set(Path(folder).glob("rhumbline-swap-names*.js"))
        sizes = _sizes(set(Path(folder).glob("rhumbline-swap*.js")) - names - remote)
        apart = sum(_sizes(remote).values())
    languages = {name: size for name, size in sizes.items() if LANGUAGE.match(name)}
    assert languages, "no chunk has the name of a language"
    every = sum(sizes.values())
    weight = every - sum(languages.values()) + max(languages.values())
    value = (
        f"{weight:,} bytes ({weight / THEIRS:.0%} of LI.FI's); with all languages {every:,}; "
        f"WalletConnect, where it is chosen, {apart:,} more"
    )
    return [Row(name="widget-size", value=value, goal=f"<= {GOAL:,} bytes", met=weight <= GOAL)]


def _sizes(files: Collection[Path]) -> dict[str, int]:
    return {file.name: len(gzip.compress(file.read_bytes(), 9)) for file in files}
