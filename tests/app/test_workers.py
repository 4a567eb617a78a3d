"""Several processes on one port, as the operating system sees them."""

import asyncio
import contextlib
import os
import random
import signal
import socket
import sys
from pathlib import Path

from rhumbline.gateways.processes.keeper import descendants
from tests.api.limited_service import ask
from tests.app.service_process import serving

SCRIPT = """
import os, signal, sys, structlog
from rhumbline.app.workers import Workers

structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))

def say(line):
    # One write: no line of another process comes between, whether or not Python buffers.
    os.write(1, f"{line}\\n".encode())

def work(number, ready):
    signal.signal(signal.SIGHUP, lambda *_: say(f"hung up {number}"))
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if sys.argv[1:] == [str(number)]:
        raise SystemExit("cannot begin")
    ready()
    say(f"ready {number} {os.getpid()}")
    while True:
        signal.pause()

sys.exit(Workers(2, work).run())
"""


async def started(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", SCRIPT, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )


async def lines(process: asyncio.subprocess.Process, count: int) -> list[list[str]]:
    assert process.stdout is not None
    return sorted([(await process.stdout.readline()).decode().split() for _ in range(count)])


async def test_who_dies_is_started_again_and_signals_reach_all() -> None:
    process = await started()
    async with asyncio.timeout(60):
        (_, zero, first), (_, one, second) = await lines(process, 2)
        assert (zero, one) == ("0", "1")
        os.kill(int(first), signal.SIGKILL)
        ((_, zero, third),) = await lines(process, 1)
        assert (zero, third not in (first, second)) == ("0", True)
        process.send_signal(signal.SIGHUP)
        assert await lines(process, 2) == [["hung", "up", "0"], ["hung", "up", "1"]]
        process.terminate()
        assert await process.wait() == 0
    for pid in (first, second, third):
        assert not Path("/proc", pid).exists()


async def test_what_keeps_one_from_beginning_ends_all() -> None:
    process = await started("1")
    async with asyncio.timeout(60):
        assert await process.wait() == 1


async def test_workers_do_not_outlive_their_parent() -> None:
    process = await started()
    async with asyncio.timeout(60):
        await lines(process, 2)
        process.kill()
        assert process.stdout is not None
        # Its end: nobody holds the other one any more.
        assert await process.stdout.read() == b""
        await process.wait()


def two_free_ports() -> int:
    """The first of two neighbours, below those which Linux gives to connections: nobody takes the second meanwhile."""
    for _ in range(100):
        port = random.randrange(20_000, 32_000, 2)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            socket.create_server(("127.0.0.1", port + 1)).close()
            return port
    raise AssertionError("no two free ports beside each other in 100 attempts")


async def test_a_service_of_two_goes_on_when_one_is_killed(tmp_path: Path, store_dsn: str) -> None:
    """Each has its own port of metrics; both answer on one."""
    port = two_free_ports()
    more = f"workers = 2\n[metrics]\nport = {port}"
    async with serving(tmp_path, store_dsn, server=more) as process:
        await process.until_logged(r'"worker": ?0')
        await process.until_logged(r'"worker": ?1')
        assert "each_worker_counts_by_itself" in process.log
        pids = set()
        for number in range(2):
            answer = await ask(f"http://127.0.0.1:{port + number}", "/health/ready")
            assert answer.status == 200
            pids.add(answer.json["process"])
        assert len(pids) == 2
        os.kill(descendants(process.pid)[0], signal.SIGKILL)
        for _ in range(20):
            assert (await ask(f"http://127.0.0.1:{process.port}", "/v1/chains")).status == 200
        await process.until_logged("worker_ended")
