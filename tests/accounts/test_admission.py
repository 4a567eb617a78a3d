"""The bound on what is in progress, and who gets a place when there are not enough."""

import asyncio
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.accounts.admission import FIRST, LEAST, MOST, WAIT_S, Admission
from rhumbline.domain.errors import Overloaded
from tests.virtual_time import in_virtual_time


@in_virtual_time
async def test_beyond_the_bound_a_few_wait_for_a_moment_and_the_others_are_refused_at_once() -> None:
    admission, loop = Admission(16), asyncio.get_running_loop()
    for number in range(16):
        await admission.enter(f"caller {number}")
    waiting = [asyncio.create_task(admission.enter(name)) for name in ("a", "b")]
    await asyncio.sleep(0)
    began = loop.time()
    with pytest.raises(Overloaded):
        await admission.enter("c")
    assert (loop.time(), admission.in_progress, admission.waiting) == (began, 16, 2)
    admission.leave("caller 0")
    with await waiting[0]:
        assert (admission.in_progress, admission.waiting) == (16, 1)
        with pytest.raises(Overloaded):
            await waiting[1]
    assert loop.time() - began == pytest.approx(WAIT_S)
    assert (admission.in_progress, admission.waiting, admission.admitted, admission.refused) == (15, 0, 17, 2)


@in_virtual_time
async def test_one_requester_with_all_the_load_leaves_room_for_others() -> None:
    """Another one that asks now and then always has its quote, though nothing is ever free."""
    admission, served, refused = Admission(16), Counter[str](), Counter[str]()

    async def ask(name: str, every_s: float) -> None:
        while True:
            tasks.append(asyncio.create_task(once(name)))
            await asyncio.sleep(every_s)

    async def once(name: str) -> None:
        try:
            with await admission.enter(name):
                await asyncio.sleep(0.5)
                served[name] += 1
        except Overloaded:
            refused[name] += 1

    tasks: list[asyncio.Task[None]] = []
    asking = [asyncio.create_task(ask("greedy", 0.003)), asyncio.create_task(ask("modest", 0.5))]
    await asyncio.sleep(20)
    for task in (*asking, *tasks):
        task.cancel()
    assert refused["modest"] == 0
    assert served["modest"] >= 38
    assert served["greedy"] > 15 * 38


@in_virtual_time
async def test_who_goes_away_leaves_no_place_behind() -> None:
    admission = Admission(4)
    places = [await admission.enter("a") for _ in range(4)]
    waiting = asyncio.create_task(admission.enter("b"))
    await asyncio.sleep(0)
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    assert admission.waiting == 0
    # This one is given a place, and goes away before it learns of it.
    waiting = asyncio.create_task(admission.enter("b"))
    await asyncio.sleep(0)
    with places[0]:
        pass
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    assert (admission.in_progress, admission.waiting) == (3, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=60), st.integers(1, 6))
def test_whatever_comes_and_goes_the_bound_holds_and_nobody_waits_beside_a_free_place(
    events: list[tuple[str, bool]], bound: int
) -> None:
    @in_virtual_time
    async def go() -> None:
        admission, tasks = Admission(bound), []
        places: list[str] = []

        async def enter(name: str) -> None:
            with suppress(Overloaded):
                await admission.enter(name)
                places.append(name)

        for name, leaves in events:
            if leaves and places:
                admission.leave(places.pop())
            else:
                tasks.append(asyncio.create_task(enter(name)))
            for _ in range(4):
                await asyncio.sleep(0)
            assert admission.in_progress == len(places) <= bound
            assert admission.waiting == 0 or admission.in_progress == bound
            assert admission.waiting <= max(bound // 8, 1)
        await asyncio.gather(*tasks)
        assert admission.admitted + admission.refused == len(tasks)

    go()


@in_virtual_time
async def test_the_bound_follows_the_lateness_of_the_loop() -> None:
    admission = Admission()
    places = [await admission.enter(f"caller {number}") for number in range(FIRST)]
    waiting = asyncio.create_task(admission.enter("one more"))
    await asyncio.sleep(0)
    assert admission.waiting == 1
    admission.adapt(0.0)
    # What is on time takes more where more is wanted, at once.
    with await waiting:
        assert admission.bound > FIRST
    for _ in range(3):
        admission.adapt(0.1)
    assert admission.bound < FIRST
    for place in places:
        with place:
            pass
    admission.adapt(0.1)
    assert admission.bound == LEAST
    for _ in range(200):
        admission.adapt(0.0)
    assert admission.bound == pytest.approx(FIRST, abs=1)
    for _ in range(200):
        hungry = [asyncio.create_task(admission.enter(f"caller {number}")) for number in range(2 * MOST)]
        await asyncio.sleep(0)
        admission.adapt(0.0)
        for task in await asyncio.gather(*hungry, return_exceptions=True):
            if not isinstance(task, BaseException):
                with task:
                    pass
        if admission.bound == MOST:
            break
    assert admission.bound == MOST
