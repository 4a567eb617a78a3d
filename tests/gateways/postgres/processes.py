"""Processes that open an embedded store and wait, to be killed or asked to go; as root's child also as another user."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rhumbline.gateways.postgres.cluster import Cluster, server_processes
from rhumbline.gateways.postgres.installation import reachable

HOLDER = """
import asyncio, sys
from pathlib import Path
from rhumbline.gateways.postgres.embedded import embedded_postgres

async def main():
    async with embedded_postgres(Path(sys.argv[1])) as dsn:
        print(dsn, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main())
"""
NOBODY = 65534


@dataclass
class Holder:
    """A process inside `embedded_postgres`, and the DSN that it got."""

    process: "subprocess.Popen[str]"
    dsn: str

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def leave(self) -> int:
        self.process.communicate()
        return self.process.returncode


def as_ordinary_user() -> list[str]:
    """The words to put before a command so that it runs as an ordinary user, whoever we are."""
    if os.geteuid() != 0:
        return []
    words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    if not reachable(Path(sys.executable).resolve(), NOBODY):
        # The interpreter lives in a closed folder: lend the process the right to enter it, and nothing else.
        words += ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    return words


@contextmanager
def holder(data_dir: Path, *before: str) -> Iterator[Holder]:
    with subprocess.Popen(
        [*before, sys.executable, "-c", HOLDER, str(data_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().strip()
            if not line:
                _, errors = process.communicate()
                raise AssertionError(errors)
            yield Holder(process, line)
        finally:
            process.kill()


def servers(data_dir: Path) -> tuple[int, ...]:
    return server_processes(Cluster(data_dir, os.geteuid(), os.geteuid()))


def becomes_true(condition: Callable[[], bool], seconds: float = 10) -> bool:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()
