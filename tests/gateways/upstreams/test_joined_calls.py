"""Calls that ask the same at the same time are one; who leaves harms nobody else."""

import asyncio
import gc
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from tests.virtual_time import VirtualTimeLoop, in_virtual_time


class Upstream:
    """Answers after a second, by the question; counts calls and those that were cancelled."""

    def __init__(self, error: Exception | None = None) -> None:
        self.calls: list[Hashable] = []
        self.cancelled: list[Hashable] = []
        self.error = error

    def ask(self, question: Hashable) -> Callable[[], Coroutine[Any, Any, Hashable]]:
        async def call() -> Hashable:
            self.calls.append(question)
            try:
                await asyncio.sleep(1)
            except asyncio.CancelledError:
                self.cancelled.append(question)
                raise
            if self.error is not None:
                raise self.error
            return question

        return call


async def asking(joined: JoinedCalls, upstream: Upstream, question: Hashable, first: float = 0.0) -> Hashable:
    with joined.join(question, upstream.ask(question)) as answering:
        await asyncio.sleep(first)
        answer: Hashable = await answering
    return answer


@in_virtual_time
async def test_the_same_question_is_asked_once_while_it_is_in_flight() -> None:
    joined, upstream = JoinedCalls(), Upstream()
    answers = await asyncio.gather(*(asking(joined, upstream, question, 0.5) for question in "aabab"))
    assert answers == list("aabab")
    assert sorted(map(str, upstream.calls)) == ["a", "b"]
    await asking(joined, upstream, "a")
    assert upstream.calls.count("a") == 2, "nothing is kept"


@in_virtual_time
async def test_a_failure_is_everybodys() -> None:
    joined, upstream = JoinedCalls(), Upstream(KeyError("x"))
    ends = await asyncio.gather(*(asking(joined, upstream, "a") for _ in range(3)), return_exceptions=True)
    assert [type(end) for end in ends] == [KeyError] * 3
    assert upstream.calls == ["a"]


@in_virtual_time
async def test_who_fails_meanwhile_leaves_the_others_their_answer() -> None:
    joined, upstream = JoinedCalls(), Upstream()

    async def failing() -> None:
        with joined.join("a", upstream.ask("a")), pytest.raises(ZeroDivisionError):
            raise ZeroDivisionError

    alone = asyncio.create_task(asking(joined, upstream, "a"))
    await failing()
    assert await alone == "a"
    await failing()
    await asyncio.sleep(0.1)
    assert (upstream.calls, upstream.cancelled) == (["a"], []), "nobody wanted it before it began"


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 3), st.floats(0.01, 3)), min_size=1, max_size=8))
def test_cancelling_one_never_cancels_another(callers: list[tuple[str, float, float]]) -> None:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(_come_and_go(callers))


async def _come_and_go(callers: list[tuple[str, float, float]]) -> None:
    joined, upstream = JoinedCalls(), Upstream()

    async def come(question: str, late: float, stays: float) -> bool:
        await asyncio.sleep(late)
        try:
            async with asyncio.timeout(stays):
                return await asking(joined, upstream, question) == question
        except TimeoutError:
            return False

    answered = await asyncio.gather(*(come(*caller) for caller in callers))
    for (_, _, stays), got in zip(callers, answered, strict=True):
        assert got or stays < 1 + 0.01, "an answer takes a second at the most"
    await asyncio.sleep(2)
    assert len(upstream.cancelled) <= len(upstream.calls)
    assert len(upstream.calls) <= len(callers)


async def test_a_failure_that_nobody_awaits_is_not_told_as_lost() -> None:
    """As when an upstream is paused while the one who asks still waits for a node, which then fails."""
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))

    async def paused() -> None:
        raise OSError

    with JoinedCalls().join("a", paused):
        await asyncio.sleep(0.01)
    gc.collect()
    assert told == []
