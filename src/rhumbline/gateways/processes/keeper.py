"""The process between us and a child: it ends the child's whole process tree as soon as we are gone.

Run as a script, by path, with `python -I -S`: standard library only, nothing of this package is imported.

Why a process, and not only `PR_SET_PDEATHSIG` (prctl(2)): that signal fires when the *thread* that forked ends, reaches
the direct child only, and is lost when the child changes its user. The keeper waits at a pipe instead, whose other end
only its parent holds: end of file means that the parent closed it or is dead, whoever the two run as. It is also a
subreaper (`PR_SET_CHILD_SUBREAPER`), so what the child forks off and daemonises falls to the keeper and is found again.
Should the keeper itself be killed, `PR_SET_PDEATHSIG` in the direct child, set by this single-threaded process after
the change of user, still ends that one.

Arguments: pid of the parent, number of the report descriptor, stop signal, seconds of grace after the parent's death,
uid and gid (-1: unchanged), then the command, its first word an absolute path. Standard input is the pipe; the line
`stop <seconds>` in it asks for the end. Reported: a line with the command's pid, and after it, if the command cannot be
executed, the reason; then end of file. Exit status: the command's, 128 + n for signal n, once its whole tree is gone.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LIFE = 0
LOOK_AGAIN_S = 0.5


def prctl(option: int, value: int) -> None:
    """Make the system call of that name with one argument; raises OSError."""
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")


def descendants(root: int) -> list[int]:
    """List the pids of all living descendants of `root`, parents before children, zombies left out."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The command's name, in brackets, may hold blanks and brackets: what counts begins after the last one.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except OSError:
            continue
        if state not in (b"Z", b"X"):
            children.setdefault(int(parent), []).append(int(name))
    found: list[int] = []
    level = [root]
    while level:
        level = [child for pid in level for child in children.get(pid, [])]
        found += level
    return found


def become(argv: list[str], keeper: int, uid: int, gid: int) -> None:
    """In the forked child: a session of its own, the user asked for, the death signal, then the command."""
    os.setsid()
    if gid >= 0:
        os.setgroups([])
        os.setgid(gid)
    if uid >= 0:
        os.setuid(uid)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(125)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    # Not execvp: searching the path imports modules, which the user taken on may not be allowed to read.
    os.execv(argv[0], argv)


class Tree:
    """The command and its descendants."""

    def __init__(self, main: int) -> None:
        self.main = main
        self.status: int | None = None

    def reap(self) -> bool:
        """Collect the dead; tell whether anything is left alive."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.main:
                code = os.waitstatus_to_exitcode(status)
                self.status = 128 - code if code < 0 else code

    def signal_all(self, number: int, most: int | None = None) -> None:
        for pid in descendants(os.getpid())[:most]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def end(self, number: int, grace_s: float) -> None:
        """Ask the command (or, when it has gone and left a daemon, what is left) to stop; kill after the grace."""
        if self.status is None:
            os.kill(self.main, number)
        else:
            # The oldest of the daemon's processes is its head; the others follow it in order.
            self.signal_all(number, most=1)
        until = time.monotonic() + grace_s
        while self.reap() and time.monotonic() < until:
            time.sleep(0.005)
        while self.reap():
            self.signal_all(signal.SIGKILL)
            time.sleep(0.002)


def watch(tree: Tree, parent: int, wake: int, grace_s: float) -> float | None:
    """Wait for the end of the tree (None) or for a reason to end it (the seconds of grace to give)."""
    while tree.reap():
        if tree.status not in (None, 0):
            return 0.0
        ready, _, _ = select.select([LIFE, wake], [], [], LOOK_AGAIN_S)
        if wake in ready:
            os.read(wake, 4096)
        if LIFE in ready:
            word, _, seconds = os.read(LIFE, 64).decode().strip().partition(" ")
            return float(seconds) if word == "stop" else grace_s
        # A copy of the pipe's other end may live on in some process that the parent forked without exec.
        if os.getppid() != parent:
            return grace_s
    return None


def main() -> int:
    parent, report, number = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    grace_s, uid, gid, argv = float(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6]), sys.argv[7:]
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    # The command's exec closes the report, which tells the parent that it came to pass.
    os.set_inheritable(report, False)
    keeper = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(report, f"{os.getpid()}\n".encode())
            become(argv, keeper, uid, gid)
        except Exception as error:
            os.write(report, str(error).encode())
        os._exit(127)
    os.close(report)
    tree = Tree(pid)
    grace = watch(tree, parent, wake, grace_s)
    if grace is not None:
        tree.end(number, grace)
    return tree.status or 0


if __name__ == "__main__":
    sys.exit(main())
