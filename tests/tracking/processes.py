"""The service as several processes on one store and one chain, each with a clock of its own that a test may set.

A process's clock is set by libfaketime, for all that the process asks the system; or the one place where the service
reads its own clock is replaced, which is what this module does when it is run: ``python -m tests.tracking.processes
FILE serve``. Both take it from a file, while they run.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp

from bench.tools import tool
from rhumbline.domain import clock
from tests.app.service_process import COMMAND
from tests.patience import until
from tests.tracking.market import Market

ROOT = Path(__file__).parents[2]
PATIENCE_S = 90.0
SETTINGS = """
[prices]
sources = []
[catalog]
shipped = false
[log]
format = "json"
[server]
port = {server}
[metrics]
port = {metrics}
[tracking]
poll_ms = 100
idle_poll_ms = 100
"""
_CHAIN = """
[[chains]]
id = {id}
key = "{key}"
name = "Local"
rpc = {rpc}
start_block = {start}
confirmations = 0
mainnet = false
multicall = "{multicall}"
wrapped_native = "{weth}"
native = {{ symbol = "ETH", name = "Ether", coin_key = "ETH" }}
"""


@dataclass
class Process:
    """A running service. ``shift`` is the file that its clock is set by."""

    folder: Path
    pid: int
    server: int
    metrics: int
    session: aiohttp.ClientSession = field(repr=False)

    def set_clock(self, seconds: int) -> None:
        """Have its clock be so far from the system's, from now on."""
        written = self.folder / "shift.new"
        written.write_text(f"{seconds:+d}\n")
        written.replace(self.folder / "shift")

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    async def kill(self) -> None:
        """Kill it, and wait until it is dead: what it has sent before is on its way, and nothing comes after."""
        os.kill(self.pid, signal.SIGKILL)
        await until(self._is_dead)

    async def _is_dead(self) -> bool:
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text("utf-8")
        except OSError:
            return True
        # Nothing is left of it but its exit status, until its parent has asked for that.
        return stat.rpartition(")")[2].split()[0] == "Z"

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    async def ready(self) -> tuple[int, dict[str, Any]]:
        """Ask whether it is ready: the status, and what it says."""
        async with self.session.get(f"http://127.0.0.1:{self.metrics}/health/ready") as answer:
            return answer.status, await answer.json()

    async def measured(self) -> dict[str, float]:
        """Read its metrics by their whole names."""
        async with self.session.get(f"http://127.0.0.1:{self.metrics}/metrics") as answer:
            lines = [line for line in (await answer.text()).splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}

    async def leads(self, chain: str) -> bool:
        told = (await self.ready())[1]
        return bool(told["chains"][chain]["leader"] == told["process"])

    async def until_ready(self) -> None:
        """Wait until it answers at all."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with contextlib.suppress(aiohttp.ClientError):
                    await self.ready()
                    return
                await asyncio.sleep(0.1)


def chain_section(market: Market, *urls: str) -> str:
    """Write the settings of the market's chain, read by its own node or by other endpoints."""
    facts = {"id": market.chain.id, "key": market.chain.key, "start": market.first_block}
    addresses = {"multicall": market.multicall, "weth": market.weth}
    return _CHAIN.format(rpc=json.dumps(urls or [market.rpc.url]), **facts, **addresses)


@asynccontextmanager
async def running(
    command: str, market: Market, folder: Path, dsn: str, *, shift: int = 0, faketime: bool = False
) -> AsyncIterator[Process]:
    """Run ``serve`` or ``worker`` on the market's chain until the block ends, with its clock so far off at first."""
    async with running_on(command, chain_section(market), folder, dsn, shift=shift, faketime=faketime) as process:
        yield process


@asynccontextmanager
async def running_on(
    command: str,
    chains: str,
    folder: Path,
    dsn: str,
    *,
    shift: int = 0,
    faketime: bool = False,
    settings: str = SETTINGS,
) -> AsyncIterator[Process]:
    """Run it with these chains in its settings."""
    folder.mkdir(exist_ok=True)
    server, metrics = free_ports(2)
    (folder / "rhumbline.toml").write_text(settings.format(server=server, metrics=metrics) + chains)
    (folder / "shift").write_text(f"{shift:+d}\n")
    environment = {**os.environ, "RHUMBLINE_STORE__DSN": dsn, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "tests.tracking.processes", str(folder / "shift"), command]
    if faketime:
        arguments = [str(COMMAND), command]
        environment |= {
            "LD_PRELOAD": str(await _faketime()),
            "FAKETIME_TIMESTAMP_FILE": str(folder / "shift"),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
    async with aiohttp.ClientSession() as session:
        with (folder / "log").open("ab") as log:
            child = await asyncio.create_subprocess_exec(
                *arguments, cwd=folder, env=environment, stderr=log, stdout=log
            )
        process = Process(folder, child.pid, server, metrics, session)
        try:
            await process.until_ready()
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                if child.returncode is None:
                    process.thaw()
                    child.terminate()
            async with asyncio.timeout(PATIENCE_S):
                await child.wait()


async def _faketime() -> Path:
    """Return the library, beside whose program Debian keeps it."""
    program = (await tool("faketime")).program
    (library, *_) = program.parents[1].glob("lib/*/faketime/libfaketime.so.1")
    return library


def free_ports(count: int) -> Sequence[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def main(shift: Path, arguments: Sequence[str]) -> None:
    """Run the service with its own clock off by as many seconds as a file says at the moment."""

    def shifted() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=int(shift.read_text()))

    if "rhumbline.gateways.postgres.store_clock" in sys.modules:
        raise RuntimeError("who reads the clock was imported before the clock was set")
    vars(clock)["system_clock"] = shifted
    from rhumbline.app.cli import main as run

    sys.argv = ["rhumbline", *arguments]
    run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
