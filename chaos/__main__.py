"""`make chaos`: everything that the service needs fails, lies or is killed, row by row; what is lost?

Ends within 30 minutes with one table. Exit status 1 where anything is lost, doubled, wrong or stale, or a row did not
do what it was to do; 2 for an unknown row.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import structlog

from chaos.bench import open_bench
from chaos.result import summary, table, write_into
from chaos.run import ROWS, run_rows

PAGE = Path(__file__).parents[1] / "docs" / "reliability.md"
TABLE = Path(".rhumbline/chaos.md")
DISK = Path(".rhumbline/chaos-disk")
"""Where the small file system is mounted, for this program alone; else an empty folder."""
_DISK_MB = 640
_MOUNTED = "CHAOS_DISK"
"""The variable that says where it is. With the prefix of the settings the service would take it for one."""
_OWNER = "mount -t tmpfs -o size={size}m,mode=755 tmpfs {folder} && exec"
_ANSWERS_S = 20.0
_INTERRUPTED = 130


def on_small_disk(folder: Path, *, is_root: bool, user: int, group: int) -> list[str]:
    """Return the beginning of a command line: what follows finds a small file system in ``folder``, and nobody else.

    The mount ends with the last process that sees it. Without root it needs user namespaces, in which one may mount,
    and a second one in which one is oneself again: PostgreSQL does not run as root.
    """
    mount = _OWNER.format(size=_DISK_MB, folder=folder)
    if is_root:
        return ["unshare", "--mount", "sh", "-c", f'{mount} "$@"', "sh"]
    again = f"unshare --user --map-user={user} --map-group={group}"
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", f'{mount} {again} "$@"', "sh"]


def _begin_on_small_disk() -> str:
    """Run this command again where the store's disk is small; return why that is not possible."""
    disk = DISK.absolute()
    disk.mkdir(parents=True, exist_ok=True)
    begin = on_small_disk(disk, is_root=os.geteuid() == 0, user=os.getuid(), group=os.getgid())
    try:
        tried = subprocess.run([*begin, "true"], capture_output=True, text=True, timeout=_ANSWERS_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.returncode:
        return tried.stderr.strip() or f"unshare ended with {tried.returncode}"
    environment = {**os.environ, _MOUNTED: str(disk)}
    return os.execvpe(begin[0], [*begin, sys.executable, "-m", "chaos", *sys.argv[1:]], environment)


async def _run(rows: list[str], seed: int, folder: Path, disk: Path | None, *, write: bool) -> int:
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    async with open_bench(seed, folder, disk, partial(print, flush=True)) as bench:
        done = await run_rows(bench, rows)
    text = summary(done, seed, datetime.now(UTC).date()) + "\n" + table(done)
    print(f"\n{text}")
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(text, "utf-8")
    if write:
        write_into(PAGE, text)
    return 0 if done and all(each.result.is_good for each in done) else 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m chaos", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"rows to run, all without any: {', '.join(ROWS)}")
    parser.add_argument("--seed", type=int, default=1, help="what happens when (default 1)")
    parser.add_argument("--write", action="store_true", help="put the table into docs/reliability.md")
    given = parser.parse_args()
    if unknown := [row for row in given.rows if row not in ROWS]:
        print(f"no such row: {', '.join(unknown)}; there are: {', '.join(ROWS)}", file=sys.stderr)
        return 2
    mounted = os.environ.get(_MOUNTED)
    if mounted is None and (reason := _begin_on_small_disk()):
        print(f"no small file system may be mounted here, so the row `disk` cannot be run: {reason}")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    disk = None if mounted is None else Path(mounted)
    with tempfile.TemporaryDirectory(prefix="rhumbline-chaos-") as name:
        folder = Path(name)
        # The store's own user must enter it where we are root.
        folder.chmod(0o755)
        try:
            return asyncio.run(_run(given.rows or list(ROWS), given.seed, folder, disk, write=given.write))
        except asyncio.CancelledError:
            print("interrupted")
            return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
