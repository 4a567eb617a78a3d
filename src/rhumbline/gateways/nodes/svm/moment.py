"""Calls to a Solana chain that are in flight or were just answered: quotes of the same moment share them."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from rhumbline.gateways.nodes.svm.answers import AccountsAt

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _SharedAnswer:
    """A call that was made, and until when its answer is shared."""

    until: float
    answer: asyncio.Task[Any]

    def serves(self, now: float) -> bool:
        answer = self.answer
        return now < self.until and not (answer.done() and (answer.cancelled() or answer.exception()))


class Moment:
    """The shared calls of one chain; ``now`` is in seconds. Answers age from their request; failures are not cached.

    A call that has begun is completed, even if nobody waits for it any more. An answer that is shared no longer is
    dropped with the next call.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._answers: dict[Hashable, _SharedAnswer] = {}
        self._looks: dict[frozenset[str], _SharedAnswer] = {}

    async def answer_to(self, question: Hashable, call: Callable[[], Coroutine[Any, Any, T]], fresh_s: float) -> T:
        """Return an answer no older than ``fresh_s``, or make the call."""
        now, known = self._now(), self._answers.get(question)
        if known is None or not known.serves(now):
            # At once and not when there are many: each set of accounts has fees of its own, of 150 slots.
            self._answers = {each: shared for each, shared in self._answers.items() if shared.serves(now)}
            known = self._answers[question] = _put(call(), now + fresh_s)
        answer: T = await asyncio.shield(known.answer)
        return answer

    def forget(self, question: Hashable) -> None:
        self._answers.pop(question, None)

    async def accounts(
        self,
        addresses: frozenset[str],
        look: Callable[[], Coroutine[Any, Any, AccountsAt]],
        fresh_s: float,
        *,
        anew: bool = False,
    ) -> AccountsAt:
        """Return the result of a read of these accounts, perhaps with others.

        ``anew`` reads again, and no older read with one of these accounts is used any more.
        """
        now = self._now()
        self._looks = {
            each: shared
            for each, shared in self._looks.items()
            if shared.serves(now) and not (anew and each & addresses)
        }
        known = next((shared for each, shared in self._looks.items() if addresses <= each), None)
        if known is None:
            known = self._looks[addresses] = _put(look(), now + fresh_s)
        found: AccountsAt = await asyncio.shield(known.answer)
        return found


def _put(call: Coroutine[Any, Any, Any], until: float) -> _SharedAnswer:
    answer = asyncio.get_running_loop().create_task(call)
    # Retrieved, in case it fails when nobody waits any more.
    answer.add_done_callback(lambda done: done.cancelled() or done.exception())
    return _SharedAnswer(until, answer)
