"""nginx, wrk and others: the machine's own, else out of Debian's packages in the cache, without installing anything.

apt checks the packages by Debian's signatures; its lists are kept in the cache too, so that no rights are needed.
"""

import asyncio
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".rhumbline" / "cache" / "bench"
_PACKAGES = {
    "faketime": ("faketime", "libfaketime"),
    "nginx": ("nginx",),
    "promtool": ("prometheus",),
    "redis-server": ("redis-server", "redis-tools", "libatomic1", "libjemalloc2", "liblzf1"),
    "systemd-analyze": ("systemd", "libsystemd-shared"),
    "valkey-server": ("valkey-server", "valkey-tools", "libatomic1", "libjemalloc2", "liblzf1"),
    "wrk": ("wrk", "libluajit-5.1-2"),
}
_PLACES = ("usr/sbin", "usr/bin")


@dataclass(frozen=True)
class Tool:
    """A program, and the environment that it runs in."""

    program: Path
    env: dict[str, str]


class ToolMissing(Exception):
    """A program is neither there nor to be had; the message says what to install."""


async def tool(name: str) -> Tool:
    """Return a program, fetching it when the machine has none; raise ToolMissing."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is not None:
        return Tool(Path(found), dict(os.environ))
    root = CACHE / "debian" / name
    if not root.is_dir():
        await _fetch(name, root)
    for place in _PLACES:
        if (program := root / place / name).is_file():
            folders = [*(root / "usr/lib").glob("*-linux-gnu"), *(root / "usr/lib").glob("*-linux-gnu/systemd")]
            libraries = ":".join(map(str, folders))
            return Tool(program, {**os.environ, "LD_LIBRARY_PATH": libraries})
    raise ToolMissing(f"{name} is not in Debian's packages {', '.join(_PACKAGES[name])}; install {name}")


async def _fetch(name: str, root: Path) -> None:
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise ToolMissing(f"{name} is not installed, and there is no apt-get to fetch it with; install {name}")
    fresh = root.with_name(f"{name}.{os.getpid()}")
    lists, archives = root.parent / "lists", fresh / "archives"
    for folder in (lists / "partial", archives / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    own = ["-o", f"Dir::State::lists={lists}", "-o", f"Dir::Cache={fresh}", "-o", "APT::Sandbox::User="]
    await _run(name, fresh, "apt-get", "-q", *own, "update")
    await _run(name, archives, "apt-get", "-q", *own, "download", *_PACKAGES[name])
    for package in archives.glob("*.deb"):
        await _run(name, fresh, "dpkg-deb", "-x", str(package), str(fresh))
    shutil.rmtree(archives)
    fresh.rename(root)


async def _run(name: str, folder: Path, *argv: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=folder, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, words = await process.communicate()
    if process.returncode != 0:
        raise ToolMissing(f"{name} cannot be fetched: {words.decode(errors='replace').strip()[:500]}; install {name}")
