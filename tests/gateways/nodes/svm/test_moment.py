"""What was asked a moment ago is told again, for no longer than it may be, and never where it failed."""

import asyncio
from collections import Counter
from collections.abc import Iterable

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.svm.answers import AccountsAt
from rhumbline.gateways.nodes.svm.moment import Moment
from tests.clocks import Seconds


class Chain:
    """Counts what it is asked; answers with how often that was."""

    def __init__(self) -> None:
        self.clock = Seconds()
        self.moment = Moment(self.clock)
        self.asked = Counter[object]()
        self.open = asyncio.Event()
        self.open.set()
        self.away = False

    async def ask(self, question: str = "rent") -> int:
        async def answer() -> int:
            self.asked[question] += 1
            await self.open.wait()
            if self.away:
                raise NodeUnavailable("away")
            return self.asked[question]

        return await self.moment.answer_to(question, answer, 2.0)

    async def seen(self, addresses: Iterable[str], *, anew: bool = False) -> int:
        wanted = frozenset(addresses)

        async def look() -> AccountsAt:
            self.asked[wanted] += 1
            return AccountsAt(self.asked.total(), dict.fromkeys(wanted))

        return (await self.moment.accounts(wanted, look, 2.0, anew=anew)).slot


async def test_all_who_ask_at_once_share_an_answer_and_later_ones_until_it_is_too_old() -> None:
    chain = Chain()
    assert await asyncio.gather(*(chain.ask() for _ in range(5))) == [1] * 5
    chain.clock.now += 1.9
    assert (await chain.ask(), await chain.ask("epoch")) == (1, 1)
    chain.clock.now += 0.1
    assert await chain.ask() == 2
    chain.moment.forget("rent")
    assert await chain.ask() == 3


async def test_a_failure_is_told_to_those_who_waited_and_the_next_one_asks_again() -> None:
    chain = Chain()
    chain.away = True
    failed = await asyncio.gather(chain.ask(), chain.ask(), return_exceptions=True)
    assert [type(each) for each in failed] == [NodeUnavailable] * 2
    chain.away = False
    assert await chain.ask() == 2


async def test_who_waits_no_longer_takes_the_answer_from_nobody() -> None:
    chain = Chain()
    chain.open.clear()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await chain.ask()
    waiting = asyncio.create_task(chain.ask())
    await asyncio.sleep(0)
    chain.open.set()
    assert (await waiting, chain.asked["rent"]) == (1, 1)


async def test_a_look_serves_for_all_that_it_was_for() -> None:
    chain = Chain()
    assert [await chain.seen(each) for each in ("abc", "ab", "c", "cd", "abcd")] == [1, 1, 1, 2, 3]
    assert await chain.seen("ab", anew=True) == 4
    assert [await chain.seen(each) for each in ("a", "abc", "c")] == [4, 5, 2]
    chain.clock.now += 2
    assert await chain.seen("abc") == 6


async def test_nothing_is_kept_that_is_told_no_more() -> None:
    """However few there are: what is told no more once filled some megabytes until there were 256 of them."""
    chain, now = Chain(), 0
    for now in range(100):
        chain.clock.now += 0.25
        await chain.ask(str(now))
    assert set(chain.moment._answers) == {str(each) for each in range(now - 7, now + 1)}
