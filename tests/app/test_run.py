"""How a command's process runs: what only the garbage collector frees is freed in time."""

import asyncio
import gc
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
