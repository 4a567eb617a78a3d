"""`make dev`: run a program that serves, and run it anew whenever a source changes.

    scripts/dev.py [--watch FOLDER]… -- COMMAND…

The sources are looked at twice a second; a burst of changes is one change. The program is asked to end and has ten
seconds for it. If it ends by itself, the next change starts it again. Ctrl-C, or SIGTERM, ends both.
"""

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

PAUSE_S = 0.5
GRACE_S = 10.0
WATCHED = frozenset({".py", ".html", ".css", ".js", ".json", ".toml", ".svg"})


def main(words: Sequence[str] | None = None) -> int:
    """Serve until a signal comes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watch", type=Path, action="append", help="a folder of sources; src by default")
    parser.add_argument("command", nargs="+", help="what serves")
    arguments = parser.parse_args(words)
    folders = arguments.watch or [Path(__file__).parents[1] / "src"]
    signal.signal(signal.SIGTERM, _leave)
    with suppress(KeyboardInterrupt):
        serve(arguments.command, folders)
    return 0


def serve(command: Sequence[str], folders: Sequence[Path]) -> None:
    """Run the program, anew after every change, until an exception ends it."""
    seen = sources(folders)
    while True:
        process = subprocess.Popen(command)
        try:
            seen = _changed(seen, folders)
            sys.stderr.write("· a source has changed: starting again\n")
        finally:
            _end(process)


def sources(folders: Sequence[Path]) -> Mapping[Path, tuple[int, int]]:
    """Return when each source was written, and how long it is."""
    found = {}
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in WATCHED:
                try:
                    stat = path.stat()
                except FileNotFoundError:
                    continue
                found[path] = (stat.st_mtime_ns, stat.st_size)
    return found


def _changed(seen: Mapping[Path, tuple[int, int]], folders: Sequence[Path]) -> Mapping[Path, tuple[int, int]]:
    """Wait until the sources differ and have come to rest; return them."""
    before = seen
    while True:
        time.sleep(PAUSE_S)
        now = sources(folders)
        if now == before != seen:
            return now
        before = now


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _leave(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
