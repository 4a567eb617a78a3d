"""Cache files that are either complete or absent.

A file begins with the SHA-256 of its payload. It is written beside its place and then renamed, so a reader sees the old
file, the new one, or none. A damaged file does not match its digest and counts as absent.
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
    """Write a payload to `path`, its digest first."""
    write_atomically(path, hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload, 0o644)


def read_whole(path: Path) -> bytes | None:
    """Return the payload at `path`; None if the file is missing or damaged."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    digest, _, payload = content.partition(b"\n")
    return payload if hashlib.sha256(payload).hexdigest().encode() == digest else None


def write_atomically(path: Path, content: bytes, mode: int) -> None:
    """Replace the file at `path` in one step: nobody sees half of it, or other permissions than `mode`."""
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
    """Hold a lock file, which the kernel releases when its holder dies; raise CacheError after the deadline."""
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
