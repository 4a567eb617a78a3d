"""How long until things are ready: the sandbox from its cache, and the service on an initialised store."""

import asyncio
import os
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.rows import Row
from rhumbline.devnet.sandbox import SandboxConfig, running_sandbox

ROOT = Path(__file__).parents[1]
COMMAND = ROOT / ".venv" / "bin" / "rhumbline"
RUNS = 3


async def run() -> list[Row]:
    """Best of three each: the goal is what the code needs, not what the machine does besides."""
    config = SandboxConfig(cache=ROOT / ".rhumbline" / "cache")
    async with running_sandbox(config):
        pass
    sandbox, serve = [], []
    for _ in range(RUNS):
        began = time.perf_counter()
        async with running_sandbox(config):
            sandbox.append(time.perf_counter() - began)
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as folder:
        settings = Path(folder) / "settings.toml"
        settings.write_text(f'[store]\ndata_dir = "{folder}/store"\n[server]\nport = 0\n')
        for _ in range(RUNS + 1):
            serve.append(await _until_ready(settings))
    return [
        Row(name="start (serve)", value=f"{min(serve[1:]):.2f} s", goal="≤ 2 s", met=min(serve[1:]) <= 2),
        Row(name="start (sandbox)", value=f"{min(sandbox):.2f} s", goal="≤ 3 s", met=min(sandbox) <= 3),
    ]


async def _until_ready(settings: Path) -> float:
    """Start the service as an operator does and wait for its log to say that it is ready."""
    began = time.perf_counter()
    options: dict[str, Any] = {
        "stderr": asyncio.subprocess.PIPE,
        "env": {**os.environ, "RHUMBLINE_LOG__FORMAT": "json"},
    }
    process = await asyncio.create_subprocess_exec(COMMAND, "serve", "--config", settings, **options)
    assert process.stderr is not None
    async with asyncio.timeout(60):
        while line := await process.stderr.readline():
            if b'"ready"' in line:
                break
        else:
            raise RuntimeError("the service ended before it was ready")
    taken = time.perf_counter() - began
    process.send_signal(signal.SIGTERM)
    await process.wait()
    return taken
