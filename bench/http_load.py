"""Load on a server, and its cost: requests per CPU second of the server's whole process tree.

Wall time would measure other processes too; the servers share one core and the load has another, if there are two.
"""

import asyncio
import os
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.tools import tool
from rhumbline.gateways.processes.keeper import descendants

_TICKS = os.sysconf("SC_CLK_TCK")
_ANSWERED = re.compile(r"(\d+) requests in ")
_FAILED = re.compile(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)")


@dataclass(frozen=True)
class Server:
    """A running server: where it answers, and the process whose tree is charged."""

    name: str
    url: str
    pid: int


@dataclass(frozen=True)
class Load:
    """The request, the number of concurrent connections, and the duration in seconds."""

    path: str
    headers: Mapping[str, str]
    connections: int = 32
    seconds: int = 1


def pinned(core: int, *argv: str | os.PathLike[str]) -> list[str | os.PathLike[str]]:
    """Return the command that runs on the first (0) or the last (-1) core that we may use."""
    return ["taskset", "-c", str(sorted(os.sched_getaffinity(0))[core]), *argv]


async def compared(servers: Sequence[tuple[Server, Load]], rounds: int) -> dict[str, float]:
    """Return each server's requests per second of CPU: the median of rounds in which all take turns."""
    figures: dict[str, list[float]] = {server.name: [] for server, _ in servers}
    for turn in range(rounds):
        # In reverse order every other time, so that none always follows the same other.
        for server, load in servers if turn % 2 else reversed(servers):
            figures[server.name].append(await _measured(server, load))
    return {name: statistics.median(values) for name, values in figures.items()}


async def _measured(server: Server, load: Load) -> float:
    before = cpu_s(server.pid)
    headers = [word for name, value in load.headers.items() for word in ("-H", f"{name}: {value}")]
    program = await tool("wrk")
    options = ("-t1", f"-c{load.connections}", f"-d{load.seconds}s", *headers, server.url + load.path)
    wrk = await asyncio.create_subprocess_exec(
        *pinned(-1, program.program, *options), stdout=asyncio.subprocess.PIPE, env=program.env
    )
    try:
        async with asyncio.timeout(load.seconds + 20):
            text = (await wrk.communicate())[0].decode()
    finally:
        if wrk.returncode is None:
            wrk.kill()
            await wrk.wait()
    taken = cpu_s(server.pid) - before
    answered = _ANSWERED.search(text)
    if answered is None or _FAILED.search(text) or taken <= 0:
        raise SystemExit(f"{server.name} did not answer the load as it should:\n{text}")
    return int(answered[1]) / taken


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU, user and system, that a process and its descendants have taken."""
    return sum(_own_cpu_s(each) for each in (pid, *descendants(pid)))


def _own_cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
