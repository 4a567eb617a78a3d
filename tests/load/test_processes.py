"""What a real process uses, as it is seen from outside, while it leaks."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

import pytest

from load.judge import faults, growth
from load.processes import Peers, cpu_s, serving, usage

LEAKING = """
import socket, sys
kept = []
print("began", flush=True)
for line in sys.stdin:
    kept += [socket.create_connection(("127.0.0.1", int(sys.argv[1]))), b"x" * 2_000_000]
    sum(range(200_000))
    print(len(kept), flush=True)
"""


@pytest.fixture
def node() -> Iterator[int]:
    """The port of a server that lets everybody wait."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(32)
        yield listening.getsockname()[1]


async def test_memory_files_and_connections_that_leak_are_seen(node: int) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LEAKING, str(node), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert process.stdin is not None
        await process.stdout.readline()
        peers, samples = Peers(1, {node: "nodes"}), list[tuple[float, Mapping[str, float]]]()
        for _ in range(20):
            samples.append((time.monotonic(), usage(process.pid, peers).figures()))
            process.stdin.write(b"more\n")
            await process.stdout.readline()
        used = cpu_s(serving(process.pid))
    finally:
        process.kill()
        await process.communicate()
    first, last = samples[0][1], samples[-1][1]
    assert last["rss_mb"] - first["rss_mb"] == pytest.approx(19 * 2_000_000 / 2**20, abs=4)
    assert last["connections: nodes"] - first["connections: nodes"] == 19
    assert last["files"] - first["files"] == 19
    assert last["connections: clients"] == 0
    assert used > 0
    wrong = faults([], growth(samples), 0, 0)
    assert {each.partition(" grows")[0] for each in wrong} == {"rss_mb", "pss_mb", "files", "connections: nodes"}
