"""How long until `rhumbline serve` is ready on an initialised store, against what it must load of others.

The least that any such service takes is a fresh interpreter that imports the same modules of third-party packages and
ends: what is above it is our own code, the settings, the store, and the sockets. Which modules these are is seen in a
start of the service.
"""

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

from bench.rows import Row

ROOT = Path(__file__).parents[1]
COMMAND = ROOT / ".venv" / "bin" / "rhumbline"
RUNS = 5
MOST = 1.4
_IMPORT = "import sys; from contextlib import suppress; from importlib import import_module\n" + (
    "for name in sys.argv[1:]:\n with suppress(ImportError): import_module(name)"
)


async def run() -> list[Row]:
    """Best of five each, in turns: it is about what the code needs, not about what the machine does besides."""
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as folder:
        settings = Path(folder) / "settings.toml"
        settings.write_text(f'[store]\ndata_dir = "{folder}/store"\n[server]\nport = 0\n')
        await _ready(settings)
        modules = _third_party([line async for line in _started(settings, "-X", "importtime")])
        serve, imports = [], []
        for _ in range(RUNS):
            serve.append(await _ready(settings))
            imports.append(await _imported(modules))
    ratio = min(serve) / min(imports)
    value = f"{ratio:.2f}× ({min(serve):.2f} s, {min(imports):.2f} s)"
    return [Row(name="start", value=value, goal=f"≤ {MOST}× its third-party imports", met=ratio <= MOST)]


async def _ready(settings: Path) -> float:
    """Start the service as an operator does, return when its log says that it is ready, and stop it."""
    began = time.perf_counter()
    taken = 0.0
    async for _ in _started(settings):
        taken = time.perf_counter() - began
    return taken


async def _started(settings: Path, *options: str) -> AsyncIterator[str]:
    """Start the service, yield its lines until it is ready, and end it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *options, COMMAND, "serve", "--config", settings,
        stderr=asyncio.subprocess.PIPE, env={**os.environ, "RHUMBLINE_LOG__FORMAT": "json"},
    )  # fmt: skip
    assert process.stderr is not None
    try:
        async with asyncio.timeout(60):
            while line := await process.stderr.readline():
                yield line.decode()
                if b'"ready"' in line:
                    break
            else:
                raise SystemExit("start: the service ended before it was ready")
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.communicate()


def _third_party(lines: list[str]) -> list[str]:
    """Return the modules of installed packages that the interpreter said it loaded, in that order."""
    names = [line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")]
    ours: dict[str, bool] = {}
    for name in names:
        top = name.partition(".")[0]
        if top not in ours:
            spec = find_spec(top) if top not in ("imported package", "__main__") else None
            ours[top] = spec is not None and spec.origin is not None and "site-packages" in spec.origin
    return [name for name in names if ours[name.partition(".")[0]] and not name.startswith("rhumbline")]


async def _imported(modules: list[str]) -> float:
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _IMPORT, *modules)
    if await process.wait() != 0:
        raise SystemExit("start: the packages cannot be imported alone")
    return time.perf_counter() - began
