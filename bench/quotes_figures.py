"""Runs the upstreams and the measuring process of the quote scenarios, on two cores where there are two."""

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.http_load import pinned
from bench.quotes_upstream import upstreams
from bench.tools import CACHE

_LONGEST_S = 300


async def figures(what: str) -> dict[str, Any]:
    """Return what `bench.quotes_client` has seen; end when a call has failed, for that is not to be measured."""
    with tempfile.TemporaryDirectory(dir=CACHE) as name:
        folder = Path(name)
        async with upstreams(folder) as server:
            seen = await _client_output(server.url.rpartition(":")[2], what, folder / "asking.log")
    if seen["failed"]:
        raise SystemExit(f"{seen['failed']} calls failed: this is nothing to measure")
    return seen


async def _client_output(port: str, what: str, log: Path) -> dict[str, Any]:
    with log.open("wb") as lines:
        client = await asyncio.create_subprocess_exec(
            *pinned(-1, sys.executable, "-m", "bench.quotes_client", port, what),
            stdout=asyncio.subprocess.PIPE,
            stderr=lines,
        )
        try:
            async with asyncio.timeout(_LONGEST_S):
                output = (await client.communicate())[0]
        finally:
            if client.returncode is None:
                client.kill()
                await client.wait()
    if client.returncode != 0:
        raise SystemExit(f"the measuring process failed:\n{log.read_text()[-2000:]}")
    seen: dict[str, Any] = json.loads(output)
    return seen


def quantile(seconds: Sequence[float], share: float) -> float:
    """Return, in milliseconds, what that share of the values is not above."""
    return 1000 * sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))]
