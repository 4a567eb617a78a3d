"""Children end with their parent, however it ends; what goes wrong at the start says why."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rhumbline.gateways.processes.child import Child, ChildError

PARENT = """
import asyncio, sys, time
from pathlib import Path
from rhumbline.gateways.processes.child import Child

async def main():
    user = int(sys.argv[2]) if sys.argv[2] != "-" else None
    child = await Child.start(sys.argv[3:], log_path=Path(sys.argv[1]), user=user, orphan_grace_s=1.0)
    print(child.pid, flush=True)
    time.sleep(60)

asyncio.run(main())
"""
# Forks, lets the middle process end, goes on in a session of its own: what a daemon does.
DAEMON = (
    "import os, sys, time\n"
    "if os.fork(): os._exit(0)\n"
    "os.setsid()\n"
    "if os.fork(): os._exit(0)\n"
    "open(sys.argv[1], 'w').write(str(os.getpid()))\n"
    "time.sleep(60)\n"
)
# What a machine may take that is busy with other things: it decides nothing.
BUSY_S = 15
STUBBORN = (
    "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up', flush=True)\ntime.sleep(60)\n"
)


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone_within(pid: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while running(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not running(pid)


def text_of(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


async def read_when_written(path: Path, ending: str = "") -> str:
    for _ in range(500):
        if (text := text_of(path)) and text.endswith(ending):
            return text
        await asyncio.sleep(0.01)
    raise AssertionError(f"{path} was not written")


@pytest.mark.parametrize("user", ["-", "65534"])
def test_child_ends_when_parent_is_killed(tmp_path: Path, user: str) -> None:
    if user != "-" and os.geteuid() != 0:
        user = str(os.geteuid())
    command = [sys.executable, "-c", PARENT, str(tmp_path / "log"), user, "sleep", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert running(pid)
        if user != "-":
            assert Path(f"/proc/{pid}").stat().st_uid == int(user)
        parent.kill()
    assert gone_within(pid, BUSY_S)


def test_daemon_ends_when_parent_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    command = [sys.executable, "-c", PARENT, str(tmp_path / "log"), "-", sys.executable, "-c", DAEMON, str(note)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        daemon = int(asyncio.run(read_when_written(note)))
        assert running(daemon)
        parent.kill()
    assert gone_within(daemon, BUSY_S)


async def test_stop_ends_a_daemon(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = await Child.start([sys.executable, "-c", DAEMON, str(note)], log_path=tmp_path / "log")
    daemon = int(await read_when_written(note))
    assert gone_within(child.pid, BUSY_S)
    assert child.alive
    await child.stop()
    assert not running(daemon)
    assert not child.alive


async def test_killing_the_keeper_ends_the_child(tmp_path: Path) -> None:
    child = await Child.start(["sleep", "60"], log_path=tmp_path / "log")
    os.kill(parent_of(child.pid), signal.SIGKILL)
    assert gone_within(child.pid, BUSY_S)
    await child.stop()


async def test_stop_asks_first_and_kills_after_the_grace(tmp_path: Path) -> None:
    log = tmp_path / "log"
    child = await Child.start([sys.executable, "-c", STUBBORN], log_path=log)
    await read_when_written(log)
    began = time.monotonic()
    await child.stop(0.3)
    assert time.monotonic() - began > 0.25
    assert child.exit_status == 128 + signal.SIGKILL
    assert not running(child.pid)
    await child.stop(0.3)


async def test_polite_child_is_not_waited_for(tmp_path: Path) -> None:
    child = await Child.start(["sleep", "60"], log_path=tmp_path / "log")
    began = time.monotonic()
    await child.stop(4 * BUSY_S)
    assert time.monotonic() - began < BUSY_S
    assert child.exit_status == 128 + signal.SIGTERM


async def test_missing_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(ChildError, match=r"cannot start no-such-command: .*No such file"):
        await Child.start(["no-such-command"], log_path=tmp_path / "log")


async def test_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(ChildError, match="nowhere"):
        await Child.start(["sleep", "1"], cwd=tmp_path / "nowhere", log_path=tmp_path / "log")


async def test_early_death_carries_status_and_output(tmp_path: Path) -> None:
    async def never() -> bool:
        return False

    with pytest.raises(ChildError, match=r"status 3(.|\n)*port is taken"):
        await Child.start(["sh", "-c", "echo port is taken; exit 3"], log_path=tmp_path / "log", ready=never)


async def test_never_ready_is_stopped_at_the_deadline(tmp_path: Path) -> None:
    pids: list[int] = []

    async def never() -> bool:
        pids.append(int(text_of(tmp_path / "pid") or 0))
        return False

    with pytest.raises(ChildError, match="not ready in time"):
        await Child.start(
            ["sh", "-c", f"echo $$ > {tmp_path / 'pid'}; exec sleep 60"],
            log_path=tmp_path / "log",
            ready=never,
            deadline_s=0.5,
        )
    assert pids[-1] > 0
    assert not running(pids[-1])


async def test_cancelled_start_leaves_nothing(tmp_path: Path) -> None:
    async def never() -> bool:
        return False

    note = tmp_path / "pid"
    command = ["sh", "-c", f"echo $$ > {note}; exec sleep 60"]
    task = asyncio.create_task(Child.start(command, log_path=tmp_path / "log", ready=never))
    pid = int(await read_when_written(note))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not running(pid)


async def test_no_descriptor_of_ours_reaches_the_child(tmp_path: Path) -> None:
    log = tmp_path / "log"
    child = await Child.start(["sh", "-c", "ls /proc/self/fd; echo end; exec sleep 60"], log_path=log)
    text = await read_when_written(log, "end\n")
    # 0 to 2, and the one with which `ls` reads the directory.
    assert text.split() == ["0", "1", "2", "3", "end"]
    await child.stop()
