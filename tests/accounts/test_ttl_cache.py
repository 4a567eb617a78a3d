"""The cache is bounded in age and number, and forgets at once when told."""

import asyncio

from rhumbline.accounts.ttl_cache import TtlCache


class Source:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self) -> int:
        self.asked += 1
        return self.asked


async def test_an_answer_is_kept_for_its_age_only() -> None:
    now, source = 100.0, Source()
    cache = TtlCache[int](0.5, 10, lambda: now)
    assert [await cache.get("a", source.ask) for _ in range(3)] == [1, 1, 1]
    now = 100.499
    assert (await cache.get("a", source.ask), cache.known("a")) == (1, 1)
    now = 100.5
    assert cache.known("a") is None
    assert await cache.get("a", source.ask) == 2


async def test_age_counts_from_the_question_not_the_answer() -> None:
    """What an answer says was true when it was asked for; a slow store must not prolong it."""
    now, source = 100.0, Source()
    cache = TtlCache[int](0.5, 10, lambda: now)

    async def slow() -> int:
        nonlocal now
        now += 0.5
        return await source.ask()

    assert await cache.get("a", slow) == 1
    assert await cache.get("a", source.ask) == 2


async def test_the_number_is_bounded_and_the_oldest_goes_first() -> None:
    cache, source = TtlCache[int](60, 3), Source()
    for question in "abcd":
        await cache.get(question, source.ask)
    assert [await cache.get(question, source.ask) for question in "bcd"] == [2, 3, 4]
    assert await cache.get("a", source.ask) == 5


async def test_what_was_asked_before_forgetting_is_not_kept() -> None:
    cache, source, gate = TtlCache[int](60, 10), Source(), asyncio.Event()

    async def waiting() -> int:
        answer = await source.ask()
        await gate.wait()
        return answer

    under_way = asyncio.create_task(cache.get("a", waiting))
    await asyncio.sleep(0)
    cache.forget()
    gate.set()
    assert await under_way == 1
    assert await cache.get("a", source.ask) == 2
    cache.forget()
    assert await cache.get("a", source.ask) == 3


async def test_a_failure_is_not_kept() -> None:
    cache, source = TtlCache[int](60, 10), Source()

    async def failing() -> int:
        raise ConnectionError

    outcome = await asyncio.gather(cache.get("a", failing), return_exceptions=True)
    assert isinstance(outcome[0], ConnectionError)
    assert await cache.get("a", source.ask) == 1


async def test_what_is_forgotten_is_not_known() -> None:
    async def ask() -> int:
        return 7

    kept, gone = TtlCache[int](60, 3), TtlCache[int](0, 3)
    for cache in (kept, gone):
        await cache.get("a", ask)
    assert (kept.known("a"), kept.known("b"), gone.known("a")) == (7, None, None)
    kept.forget()
    assert kept.known("a") is None


async def test_nothing_is_kept_beyond_its_age() -> None:
    """However many there may be: what nobody is told any more takes no memory."""
    now, source = 100.0, Source()
    cache = TtlCache[int](0.5, 1_000, lambda: now)
    for question in range(100):
        now += 0.125
        await cache.get(question, source.ask)
    assert list(cache._answers) == [96, 97, 98, 99]
