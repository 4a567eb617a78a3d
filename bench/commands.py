"""The `rhumbline` command in a process of its own, which ends with the block."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMAND = ROOT / ".venv" / "bin" / "rhumbline"


@asynccontextmanager
async def started(*arguments: str, ready: bytes) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a command of ours until the block ends; it is there when a line of its has ``ready`` in it.

    Raise SystemExit where it ends before.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, COMMAND, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    assert process.stdout is not None
    rest = None
    try:
        async with asyncio.timeout(300):
            while ready not in (line := await process.stdout.readline()):
                if not line:
                    raise SystemExit(f"bench: rhumbline {arguments[0]} ended before it was ready")
        rest = asyncio.create_task(process.stdout.read())
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        if rest is not None:
            rest.cancel()


@asynccontextmanager
async def sandbox(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the sandbox until the block ends; ``sandbox.json`` in the folder describes it."""
    arguments = ("devnet", "--port", "0", "--folder", str(folder), "--end-with-parent")
    async with started(*arguments, ready=b"open ") as process:
        yield process
