"""Slots go by by themselves, at their pace, and none is lost."""

import asyncio
import contextlib

from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.server import passing_slots
from tests.devnet.svm.set_up_chain import STARTED
from tests.virtual_time import VirtualTimeLoop, in_virtual_time


@in_virtual_time
async def test_a_slot_every_400_ms() -> None:
    chain, told = SvmChain(STARTED), []
    begun = chain.slots.slot
    task = asyncio.create_task(passing_slots(chain, lambda: told.append(chain.slots.slot - begun), 0.4))
    await asyncio.sleep(4.1)
    assert told == list(range(1, 11))
    assert chain.slots.time(chain.slots.slot) - chain.slots.time(begun) == 4
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@in_virtual_time
async def test_what_was_due_while_the_process_was_busy_is_made_up() -> None:
    chain = SvmChain(STARTED)
    begun, loop = chain.slots.slot, asyncio.get_running_loop()
    assert isinstance(loop, VirtualTimeLoop)
    task = asyncio.create_task(passing_slots(chain, lambda: None, 0.4))
    await asyncio.sleep(0)
    # As if the loop had been held up for ten seconds.
    loop.seconds += 10.0
    await asyncio.sleep(0.01)
    assert chain.slots.slot - begun == 25
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
