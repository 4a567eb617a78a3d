"""What a Solana chain was asked a moment ago, or is being asked: the quotes of one moment share it."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from rhumbline.gateways.nodes.svm.answers import AccountsAt

_MOST = 256
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question that was put, and until when its answer is told to others."""

    until: float
    answer: asyncio.Task[Any]

    def serves(self, now: float) -> bool:
        answer = self.answer
        return now < self.until and not (answer.done() and (answer.cancelled() or answer.exception()))


class Moment:
    """One chain's; ``now`` is in seconds. An answer's age counts from the question, and a failure is not kept.

    A question that was put is answered, whoever does not wait for it any more.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._asked: dict[Hashable, _Asked] = {}
        self._looks: dict[frozenset[str], _Asked] = {}

    async def answer_to(self, question: Hashable, ask: Callable[[], Coroutine[Any, Any, T]], fresh_s: float) -> T:
        """Return what was asked no longer than ``fresh_s`` ago, or ask it."""
        now, known = self._now(), self._asked.get(question)
        if known is None or not known.serves(now):
            if len(self._asked) >= _MOST:
                self._asked = {each: asked for each, asked in self._asked.items() if asked.serves(now)}
            known = self._asked[question] = _put(ask(), now + fresh_s)
        answer: T = await asyncio.shield(known.answer)
        return answer

    def forget(self, question: Hashable) -> None:
        self._asked.pop(question, None)

    async def accounts(
        self,
        addresses: frozenset[str],
        look: Callable[[], Coroutine[Any, Any, AccountsAt]],
        fresh_s: float,
        *,
        anew: bool = False,
    ) -> AccountsAt:
        """Return what a look for these accounts, and others perhaps, has found.

        ``anew`` is another look, and older ones that have one of these accounts are told to nobody any more.
        """
        now = self._now()
        self._looks = {
            each: asked for each, asked in self._looks.items() if asked.serves(now) and not (anew and each & addresses)
        }
        known = next((asked for each, asked in self._looks.items() if addresses <= each), None)
        if known is None:
            known = self._looks[addresses] = _put(look(), now + fresh_s)
        found: AccountsAt = await asyncio.shield(known.answer)
        return found


def _put(asking: Coroutine[Any, Any, Any], until: float) -> _Asked:
    answer = asyncio.get_running_loop().create_task(asking)
    # Looked at, in case it fails when nobody waits any more.
    answer.add_done_callback(lambda done: done.cancelled() or done.exception())
    return _Asked(until, answer)
