"""Sealed files are whole or not there, and a lock is one process's."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.devnet.atomic_files import CacheError, exclusive, read_whole, write_whole


@settings(deadline=None)
@given(payload=st.binary(max_size=200), place=st.integers(0, 10**6), flip=st.integers(1, 255))
def test_sealed_file_is_whole_or_not_there(
    tmp_path_factory: pytest.TempPathFactory, payload: bytes, place: int, flip: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "sealed"
    path.unlink(missing_ok=True)
    assert read_whole(path) is None
    write_whole(path, payload)
    assert read_whole(path) == payload
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= flip
    path.write_bytes(content)
    assert read_whole(path) is None


async def test_lock_is_held_by_one_and_given_up_in_time(tmp_path: Path) -> None:
    async with exclusive(tmp_path / "lock", 1):
        with pytest.raises(CacheError, match="another process has held"):
            async with exclusive(tmp_path / "lock", 0.1):
                raise AssertionError("held twice")
        waiting = asyncio.create_task(_hold(tmp_path / "lock"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
    await waiting


async def _hold(path: Path) -> None:
    async with exclusive(path, 60):
        pass
