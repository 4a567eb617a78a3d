"""Several processes that serve on one socket: forked, restarted when they die, and ended together.

The parent only waits: it has no event loop, no threads and no open files but the socket, so that it can fork at any
time. Connections not yet accepted stay with the socket, whichever process dies.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from rhumbline.app.failures import exit_status
from rhumbline.gateways.processes.keeper import PR_SET_PDEATHSIG, prctl

GRACE_S = 20.0
_WAITED_FOR = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD})
_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _STEADY_S = 0.5, 30.0, 60.0
Work = Callable[[int, Callable[[], None]], None]
"""Serves as one worker, by its number, until it is signalled; calls its second argument when it is ready."""


@dataclass(slots=True)
class _Worker:
    """One worker's number, its running process, and the time of its next start."""

    number: int
    pid: int = 0
    report_fd: int = -1
    began: float = 0.0
    pause_s: float = _FIRST_PAUSE_S
    start_at: float = 0.0


@dataclass(slots=True)
class Workers:
    """``count`` processes that do the same ``work``."""

    count: int
    work: Work
    _workers: list[_Worker] = field(default_factory=list, init=False)

    def run(self) -> int:
        """Keep them running until SIGTERM or SIGINT; return the exit status.

        A process that ends before it was ever ready ends all, with its status: the others would fail alike.
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, _WAITED_FOR)
        at_terminal = os.isatty(2)
        self._workers = [_Worker(number) for number in range(self.count)]
        status = None
        while status is None:
            self._start_due()
            received = signal.sigtimedwait(_WAITED_FOR, self._next_s())
            number = None if received is None else received.si_signo
            if number in (signal.SIGTERM, signal.SIGINT) or (
                number == signal.SIGHUP and at_terminal and not os.isatty(2)
            ):
                status = 0
            elif number == signal.SIGHUP:
                self._signal(signal.SIGHUP)
            else:
                status = self._reap()
        self._end()
        return status

    def _start_due(self) -> None:
        for worker in self._workers:
            if not worker.pid and time.monotonic() >= worker.start_at:
                self._start(worker)

    def _start(self, worker: _Worker) -> None:
        parent, (worker.report_fd, report_fd) = os.getpid(), os.pipe()
        os.set_blocking(worker.report_fd, False)
        worker.began = time.monotonic()
        worker.pid = os.fork()
        if worker.pid == 0:
            self._become(worker, parent, report_fd)
        os.close(report_fd)

    def _become(self, worker: _Worker, parent: int, report_fd: int) -> None:
        """Be the worker, and end with it: nothing of the parent's is run after it."""
        status = 1
        try:
            prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() == parent:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, _WAITED_FOR)
                self.work(worker.number, lambda: _report(report_fd))
                status = 0
        except BaseException as error:
            status = _status_of(error)
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _next_s(self) -> float:
        waiting = [worker.start_at for worker in self._workers if not worker.pid]
        return max(min(waiting, default=time.monotonic() + _LONGEST_PAUSE_S) - time.monotonic(), 0.0)

    def _reap(self) -> int | None:
        """Record ended processes; return the exit status if one cannot start."""
        for worker in self._workers:
            if not worker.pid:
                continue
            pid, ended = os.waitpid(worker.pid, os.WNOHANG)
            if not pid:
                continue
            was_ready = _has_reported(worker.report_fd)
            os.close(worker.report_fd)
            worker.pid = 0
            status = os.waitstatus_to_exitcode(ended)
            if not was_ready and status >= 0:
                return status or 1
            lived_s = time.monotonic() - worker.began
            worker.pause_s = _FIRST_PAUSE_S if lived_s > _STEADY_S else min(2 * worker.pause_s, _LONGEST_PAUSE_S)
            worker.start_at = time.monotonic() + worker.pause_s
            fields = {"worker": worker.number, "status": status, "again_in_s": round(worker.pause_s, 1)}
            structlog.get_logger().error("worker_ended", **fields)
        return None

    def _signal(self, number: int) -> None:
        for worker in self._workers:
            if worker.pid:
                os.kill(worker.pid, number)

    def _end(self) -> None:
        """End all in order; kill those left after the grace period."""
        self._signal(signal.SIGTERM)
        until = time.monotonic() + GRACE_S
        while living := [worker for worker in self._workers if worker.pid]:
            for worker in living:
                if os.waitpid(worker.pid, os.WNOHANG)[0]:
                    worker.pid = 0
            left_s = until - time.monotonic()
            if left_s <= 0:
                self._signal(signal.SIGKILL)
            if any(worker.pid for worker in living):
                signal.sigtimedwait({signal.SIGCHLD}, max(left_s, 0.05))


def _status_of(error: BaseException) -> int:
    try:
        return exit_status(error) if isinstance(error, Exception) else 1
    except Exception:
        structlog.get_logger().exception("worker_failed")
        return 1


def _report(report_fd: int) -> None:
    os.write(report_fd, b"1")
    os.close(report_fd)


def _has_reported(reports: int) -> bool:
    try:
        return os.read(reports, 1) == b"1"
    except BlockingIOError:
        return False
