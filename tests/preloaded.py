"""Workers of pytest-xdist that know all tests when they begin: one process imports them, and is forked for each.

Two programs, started by `tests/shares.py` (decision 0109). ``python -m tests.preloaded SOCKET ARGUMENTS…`` collects
what pytest would with these arguments, and forks a worker for each that asks. ``python tests/preloaded.py SOCKET``
asks: it is what execnet starts as a worker, gives its standard streams away, and ends when the worker does.
"""

import ast
import gc
import os
import select
import signal
import socket
import sys
from code import InteractiveInterpreter
from contextlib import ExitStack, redirect_stdout, suppress
from pathlib import Path

READY = b"!"


def stand_for_a_worker(path: str) -> None:
    """Have a fork work with this process's streams until it ends."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(path)
        socket.send_fds(server, [READY], [0, 1, 2])
        server.recv(1)


def work(streams: list[int]) -> None:
    """Run the line of Python that execnet sends first, the text of a program: it serves until the worker's end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    program = ast.literal_eval(sys.stdin.readline())
    InteractiveInterpreter({"__name__": "__main__"}).runcode(compile(program, "execnet", "exec"))


def forked(listener: socket.socket) -> list[int]:
    """Fork a worker for each that asks, until standard input ends; return the streams it is for, none in the end."""
    workers: dict[socket.socket, int] = {}
    ends: dict[int, socket.socket] = {}
    while True:
        awaited: list[int | socket.socket] = [0, listener, *workers, *ends]
        for each in select.select(awaited, [], [])[0]:
            if each == 0:
                return []
            if each is listener:
                asking, _ = listener.accept()
                _, streams, *_ = socket.recv_fds(asking, 1, 3)
                worker = os.fork()
                if worker == 0:
                    # Were they open here too, who stands for another worker would not see that one's end.
                    for connection in (asking, *workers):
                        connection.close()
                    for end in ends:
                        os.close(end)
                    return streams
                for stream in streams:
                    os.close(stream)
                workers[asking] = worker
                ends[os.pidfd_open(worker)] = asking
            elif isinstance(each, int):
                asking = ends.pop(each)
                os.waitpid(workers.pop(asking), 0)
                os.close(each)
                asking.close()
            elif each in workers:
                # Who stands for it was killed.
                os.kill(workers[each], signal.SIGKILL)


def main(path: str, arguments: list[str]) -> None:
    """Import all tests, say so on standard output, and fork workers."""
    import pytest

    with ExitStack() as stack:
        nowhere = stack.enter_context(Path(os.devnull).open("w"))
        stack.enter_context(redirect_stdout(nowhere))
        # What cannot be imported is told by the workers, which try again.
        pytest.main([*arguments, "--collect-only"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        os.write(1, READY)
        streams = forked(listener)
    if streams:
        work(streams)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        if __package__:
            main(sys.argv[1], sys.argv[2:])
        else:
            stand_for_a_worker(sys.argv[1])
