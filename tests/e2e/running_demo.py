"""Starts the sandbox with the service on it, the way a person does, and watches its processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("rhumbline")


def descendants(pid: int) -> set[int]:
    """All processes below one, as /proc tells."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found: set[int] = set()
    grown = {pid}
    while grown:
        grown = {child for child, parent in parents.items() if parent in grown} - found
        found |= grown
    return found


def alive(pids: set[int]) -> set[int]:
    """Those that still run; a zombie has ended."""
    running = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            running.add(pid)
    return running


def wait_until_gone(pids: set[int], seconds: float = 20) -> set[int]:
    deadline = time.monotonic() + seconds
    while (left := alive(pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@dataclass(frozen=True)
class SandboxFile:
    """What clients read: the sandbox and its service, as `sandbox.json` in a folder describes them."""

    folder: Path

    @property
    def sandbox(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((self.folder / "sandbox.json").read_text())
        return content


@dataclass(frozen=True)
class Demo(SandboxFile):
    process: subprocess.Popen[str]
    log: Path

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


@contextmanager
def running_demo(folder: Path, *options: str) -> Iterator[Demo]:
    """Run `rhumbline devnet` in a folder of its own until the block ends; interrupted, it leaves no process behind."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "output.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [str(COMMAND), "devnet", "--port", "0", "--folder", str(folder), *options],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "COLUMNS": "200"},
        )
    demo = Demo(folder, process, log)
    try:
        deadline = time.monotonic() + 90
        while "\nready http" not in "\n" + log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield demo
    finally:
        if process.poll() is None:
            children = descendants(process.pid)
            assert demo.stop() == 0
            assert wait_until_gone(children) == set()
