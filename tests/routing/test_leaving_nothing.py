"""A call that is given up is gone: nothing of it waits for the garbage collector, which would stop everything else."""

import asyncio
import gc
import weakref

import pytest

from rhumbline.domain.quote import QuoteRequest
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fan_out import Deadlines, gather_quotes
from rhumbline.routing.selection import Ask
from tests.routing.venues import Toy, toy_request


class Held:
    """What a call has in hand."""


@pytest.mark.parametrize("deadlines", [Deadlines(0.05, 5.0), Deadlines(0.05, 0.05)], ids=["soft", "hard"])
async def test_what_a_call_held_is_let_go_at_once(deadlines: Deadlines) -> None:
    seen: list[weakref.ref[Held]] = []

    async def forever(request: QuoteRequest) -> int:
        held = Held()
        seen.append(weakref.ref(held))
        await asyncio.Event().wait()
        return id(held)

    async def at_once(request: QuoteRequest) -> int:
        return 1

    asks = [Ask(Toy(key, act), toy_request()) for key, act in (("A", forever), ("B", at_once))]
    gc.disable()
    try:
        gathered = await gather_quotes(asks, CallNotes(), deadlines)
        # The task that was cancelled ends in the next turn of the loop.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [held() for held in seen] == [None]
    finally:
        gc.enable()
    assert [refusal.adapter for refusal in gathered.refusals] == ["A"]
