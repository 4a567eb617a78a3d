"""The service as a process of its own: `rhumbline serve` with a settings file, a limit of open files, and its log."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

COMMAND = Path(sys.executable).with_name("rhumbline")
SETTINGS = """
[prices]
sources = ["onchain"]
[server]
port = 0
{server}
[log]
format = "{format}"
{chains}
"""


@dataclass(frozen=True)
class Process:
    port: int
    written: Path
    pid: int

    @property
    def log(self) -> str:
        # As bytes say it: universal newlines would hide what a line is.
        return self.written.read_bytes().decode("utf-8", "surrogateescape")

    async def until_logged(self, pattern: str) -> None:
        for _ in range(1200):
            if re.search(pattern, self.log):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(self.log)


@asynccontextmanager
async def serving(
    folder: Path, dsn: str, *, server: str = "", format: str = "json", chains: str = "", open_files: int | None = None
) -> AsyncIterator[Process]:
    """Run the service until the block ends; ``server`` and ``chains`` are further settings."""
    (folder / "rhumbline.toml").write_text(SETTINGS.format(server=server, format=format, chains=chains))
    written = folder / "log"
    bound = "" if open_files is None else f"ulimit -n {open_files}; "
    with written.open("wb") as log:
        running = await asyncio.create_subprocess_exec(
            *("sh", "-c", f'{bound}exec "$0" serve', str(COMMAND)),
            cwd=folder,
            env={**os.environ, "RHUMBLINE_STORE__DSN": dsn},
            stderr=log,
        )
    try:
        process = Process(0, written, running.pid)
        await process.until_logged(r"http://127\.0\.0\.1:\d+")
        found = re.search(r"http://127\.0\.0\.1:(\d+)", process.log)
        assert found is not None
        yield Process(int(found[1]), written, running.pid)
    finally:
        running.terminate()
        async with asyncio.timeout(30):
            await running.wait()
