"""Child processes that never outlive us: a crash or SIGKILL leaves none behind, under any user.

Each child runs below a keeper (`child_keeper.py` says how and why). Linux only.
"""

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rhumbline.gateways.processes.keeper import PR_SET_PDEATHSIG, prctl

_KEEPER = Path(__file__).with_name("keeper.py")
_TAIL_BYTES = 4000
_LOOK_AGAIN_S = 0.01
_KEEPER_SLACK_S = 5.0


class ChildError(Exception):
    """A child could not be started, or ended before it was ready. The message ends with the tail of its log."""


def end_with_parent(stop_signal: int = signal.SIGTERM) -> None:
    """Have the kernel send this process a signal when the process that started it ends, however that ends.

    Must be called from the main thread of a process whose parent started it from its own main thread. When the parent
    is gone already, the signal is raised at once.
    """
    parent = os.getppid()
    prctl(PR_SET_PDEATHSIG, stop_signal)
    if os.getppid() != parent or parent == 1:
        signal.raise_signal(stop_signal)


@dataclass(slots=True)
class Child:
    """A running command with all its descendants, daemons included.

    `pid` is the command's own; `alive` holds as long as anything of its tree lives, so a command that puts itself into
    the background (`pg_ctl start`) counts as alive after it has exited with 0. Any other exit status ends the tree.
    """

    argv: tuple[str, ...]
    log_path: Path
    pid: int
    _keeper: "subprocess.Popen[bytes]" = field(repr=False)
    _life: int = field(repr=False)

    @classmethod
    async def start(
        cls,
        argv: Sequence[str | os.PathLike[str]],
        *,
        log_path: Path,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        user: int | None = None,
        ready: Callable[[], Awaitable[bool]] | None = None,
        deadline_s: float = 30.0,
        stop_signal: int = signal.SIGTERM,
        orphan_grace_s: float = 5.0,
    ) -> "Child":
        """Start `argv` and wait until `ready()` returns True (called every 10 ms; without it the child counts at once).

        `env` None inherits ours; `user` (a uid) needs root unless it is our own; the output goes to `log_path`, which
        is emptied first. When this process ends, the command gets `stop_signal`, and its tree SIGKILL after
        `orphan_grace_s`. Raise ChildError: the command is missing, ended early, or was not ready after `deadline_s`;
        then nothing of it is left running, nor after a cancelled wait.
        """
        words = tuple(os.fspath(word) for word in argv)
        until = time.monotonic() + deadline_s
        keeper, life, report = _spawn(words, log_path, cwd, env, _identity(user), stop_signal, orphan_grace_s)
        child = cls(words, log_path, 0, keeper, life)
        try:
            child.pid = await _reported_pid(child, report, until)
            while ready is not None and not await ready():
                child._check(until)
                await asyncio.sleep(_LOOK_AGAIN_S)
        except BaseException:
            await asyncio.shield(child.stop(0.0))
            raise
        finally:
            os.close(report)
        return child

    @property
    def alive(self) -> bool:
        return self._keeper.poll() is None

    @property
    def exit_status(self) -> int | None:
        """None while alive; else the command's status, 128 + n for signal n."""
        return self._keeper.poll()

    async def stop(self, grace_s: float = 5.0) -> None:
        """End the process tree: `stop_signal` to the command, after `grace_s` SIGKILL to the rest. May be repeated."""
        if self._life >= 0:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._life, f"stop {grace_s}\n".encode())
            os.close(self._life)
            self._life = -1
        until = time.monotonic() + grace_s + _KEEPER_SLACK_S
        while self.alive:
            if time.monotonic() > until:
                # Only a keeper that is stopped or traced takes so long; its death takes the command along.
                self._keeper.kill()
            await asyncio.sleep(_LOOK_AGAIN_S)

    def log_tail(self) -> str:
        try:
            with self.log_path.open("rb") as file:
                file.seek(max(0, self.log_path.stat().st_size - _TAIL_BYTES))
                return file.read().decode(errors="replace").strip()
        except FileNotFoundError:
            return ""

    def _check(self, until: float) -> None:
        if not self.alive:
            raise ChildError(self._obituary())
        if time.monotonic() > until:
            raise ChildError(f"{self.argv[0]} was not ready in time; its output ({self.log_path}):\n{self.log_tail()}")

    def _obituary(self) -> str:
        return f"{self.argv[0]} ended with status {self.exit_status}; its output ({self.log_path}):\n{self.log_tail()}"


def _identity(user: int | None) -> tuple[int, int]:
    """Find uid and gid to take on, -1 for those we have already."""
    if user is None or user == os.geteuid():
        return -1, -1
    if os.geteuid() != 0:
        raise ChildError(f"user: only root may start a child as another user (uid {user}); leave it out or run as root")
    try:
        return user, pwd.getpwuid(user).pw_gid
    except KeyError:
        return user, user


def _spawn(
    argv: tuple[str, ...],
    log_path: Path,
    cwd: Path | None,
    env: Mapping[str, str] | None,
    identity: tuple[int, int],
    stop_signal: int,
    orphan_grace_s: float,
) -> "tuple[subprocess.Popen[bytes], int, int]":
    """Start the keeper; return it, our end of its life line, and where it will report the command's pid."""
    if sys.platform != "linux":
        raise ChildError("child processes are supervised with Linux' means; run this on Linux or in a container")
    if not argv:
        raise ChildError("argv: is empty; name a command")
    program = shutil.which(argv[0], path=None if env is None else env.get("PATH", os.defpath))
    if program is None:
        raise ChildError(f"cannot start {argv[0]}: No such file, or not executable, or not on the PATH")
    log_path.parent.mkdir(parents=True, exist_ok=True)
    line_end, life = os.pipe()
    report, report_end = os.pipe()
    os.set_blocking(report, False)
    facts = (os.getpid(), report_end, int(stop_signal), orphan_grace_s, *identity)
    try:
        with log_path.open("wb") as log:
            keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_KEEPER), *map(str, facts), str(Path(program).absolute()), *argv[1:]],
                stdin=line_end,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=None if env is None else dict(env),
                pass_fds=(report_end,),
                start_new_session=True,
            )
    except OSError as error:
        os.close(life)
        os.close(report)
        raise ChildError(f"cannot start {argv[0]} in {cwd or Path.cwd()}: {error}") from error
    finally:
        os.close(line_end)
        os.close(report_end)
    return keeper, life, report


async def _reported_pid(child: Child, report: int, until: float) -> int:
    """Wait for the pid of the command itself, which is executing then."""
    text = b""
    while True:
        try:
            more = os.read(report, 4096)
        except BlockingIOError:
            child._check(until)
            await asyncio.sleep(_LOOK_AGAIN_S / 4)
            continue
        if more:
            text += more
            continue
        pid, _, reason = text.decode(errors="replace").partition("\n")
        if reason:
            raise ChildError(f"cannot start {child.argv[0]}: {reason}")
        if not pid:
            raise ChildError(child._obituary())
        return int(pid)
