"""How a command's process runs: what only the garbage collector frees is freed in time."""

import asyncio
import gc
import subprocess
import sys
import weakref

from rhumbline.app.run import free_rings
from tests.virtual_time import in_virtual_time


class Ring:
    """Held by itself only, as a connection to the store by the transaction in which it was given up."""

    def __init__(self) -> None:
        self.itself = self


@in_virtual_time
async def test_a_ring_is_freed_within_a_minute_however_long_it_was_in_use() -> None:
    ring = Ring()
    freed = weakref.ref(ring)
    # Now it is among those that the collector hardly ever looks at.
    gc.collect()
    gc.disable()
    freeing = asyncio.create_task(free_rings())
    try:
        await asyncio.sleep(0)
        del ring
        assert freed() is not None
        await asyncio.sleep(61)
        assert freed() is None
    finally:
        gc.enable()
        freeing.cancel()


def test_a_large_buffer_that_is_freed_goes_back_to_the_system() -> None:
    """Also after one was freed before: what the process has in use is what it needs, not its heap's holes."""
    program = """
import ctypes
from rhumbline.app.run import run

async def mapped():
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks".split()] + [
            (name, ctypes.c_size_t) for name in "hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]
    libc.mallinfo2.restype = Info
    found = []
    for _ in range(3):
        before = libc.mallinfo2().hblks
        buffer = libc.malloc(1 << 20)
        found.append(libc.mallinfo2().hblks - before)
        libc.free(buffer)
    return found

print(run(mapped()))
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.split("\n")[0] == "[1, 1, 1]"
