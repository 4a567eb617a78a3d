"""Nothing is left behind, however the sandbox ends, and it starts again."""

import signal
import socket
import subprocess
import time
from pathlib import Path

from tests.e2e.running_demo import COMMAND, ROOT, alive, descendants, running_demo, wait_until_gone


def test_no_process_is_left_and_the_next_start_works(tmp_path: Path) -> None:
    """Killed or asked to end: the second start finds what the first has left. `running_demo` itself interrupts it."""
    for number in (signal.SIGKILL, signal.SIGTERM):
        with running_demo(tmp_path / "demo") as running:
            children = descendants(running.process.pid)
            assert len(alive(children)) >= 3, "two chains and a database"
            code = running.stop(number)
            assert wait_until_gone(children) == set()
            assert code == 0 or number is signal.SIGKILL


def test_make_demo_ends_when_make_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with socket.socket() as free, log.open("w") as output:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        process = subprocess.Popen(["make", "demo", f"PORT={port}"], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 120
    while "the best is" not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)
    children = descendants(process.pid)
    assert len(alive(children)) >= 4, "the service, two chains and a database"
    process.kill()
    process.wait()
    assert wait_until_gone(children) == set()


def test_a_taken_port_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = subprocess.run(
            [str(COMMAND), "devnet", "--port", port, "--folder", str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert result.returncode == 1
    assert port in result.stderr
    assert "Traceback" not in result.stderr
