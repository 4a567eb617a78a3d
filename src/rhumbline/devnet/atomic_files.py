"""Files of the cache that are either whole or not there.

A sealed file begins with the SHA-256 of what follows. It is written beside its place and moved there at once, so a
reader sees the old, the new, or nothing; one that a full disk or a stray hand has spoilt fails its own digest and
counts as not there.
"""

import asyncio
import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_LOOK_AGAIN_S = 0.05


class CacheError(Exception):
    """The cache cannot be used."""


def write_whole(path: Path, payload: bytes) -> None:
    """Put the payload at `path`, with its digest before it."""
    write_atomically(path, hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload, 0o644)


def read_whole(path: Path) -> bytes | None:
    """Read the payload at `path`; None when there is none or it is not what was written."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    digest, _, payload = content.partition(b"\n")
    return payload if hashlib.sha256(payload).hexdigest().encode() == digest else None


def write_atomically(path: Path, content: bytes, mode: int) -> None:
    """Replace what is at `path` in one step; nobody ever sees half of it, nor sees it with other rights than `mode`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@asynccontextmanager
async def exclusive(path: Path, deadline_s: float) -> AsyncIterator[None]:
    """Hold the lock file at `path`, which the kernel frees when its holder dies; CacheError after the deadline."""
    path.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + deadline_s
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise CacheError(
                        f"another process has held {path} for {deadline_s:.0f} s; end it, or wait for it"
                    ) from None
                await asyncio.sleep(_LOOK_AGAIN_S)
        yield
    finally:
        os.close(descriptor)
