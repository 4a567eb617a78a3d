"""Checks which chain an endpoint is on, beside its calls: an answer counts only if it is the right one.

Addresses, programs and transactions of all chains of a type look alike, so another chain's node would answer about
another wallet. The chain is checked beside the first call, again after the endpoint was unavailable (another node may
be behind the URL then), and regularly while it is in use.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Generic, TypeVar

from rhumbline.domain.errors import NodeUnavailable

_WRONG_FOR_S = 2.0
T = TypeVar("T")
_Answer = TypeVar("_Answer")


class NodeOnOtherChain(NodeUnavailable):
    """The node is on another chain than its entry says; ``found`` names it."""

    def __init__(self, name: str, found: str) -> None:
        """Name the chain, and what its node is on."""
        super().__init__(f"{name}: the node is on {found}, which is another chain")
        self.found = found


class Identity(ABC, Generic[T]):
    """The expected chain of one endpoint; ``T`` is the type of its identification. ``now`` is in seconds.

    A correct answer holds for ``sure_for_s``, unless the endpoint was unavailable since.
    """

    def __init__(self, sure_for_s: float, now: Callable[[], float] = monotonic) -> None:
        self._sure_for_s = sure_for_s
        self._now = now
        self._until: float | None = None
        self._found: str | None = None
        self.looking = asyncio.Lock()

    @abstractmethod
    def other(self, answer: T) -> str | None:
        """Return in words which other chain a node with this answer is on; None if it is on the right one."""

    @property
    def is_sure(self) -> bool:
        """Return whether the node was recently seen on its chain and has not been down since."""
        return self._found is None and not self._is_due

    @property
    def is_to_be_asked(self) -> bool:
        """Return whether the next call must check the chain: no other call is doing so, with ``looking`` held."""
        return self._is_due and not self.looking.locked()

    @property
    def _is_due(self) -> bool:
        return self._until is None or self._now() >= self._until

    def doubt(self) -> None:
        """Note that the node did not answer: what answers next may be another."""
        self._until = None

    def note(self, name: str, answer: T) -> None:
        """Note the node's answer; raise NodeOnOtherChain."""
        self._found = self.other(answer)
        self._until = self._now() + (self._sure_for_s if self._found is None else _WRONG_FOR_S)
        if self._found is not None:
            raise NodeOnOtherChain(name, self._found)

    async def make_sure(self, name: str, ask: Callable[[], Awaitable[T]]) -> None:
        """Ask the node, once for all who wait; raise NodeOnOtherChain, and what ``ask`` raises."""
        async with self.looking:
            if self._is_due:
                self.note(name, await ask())
        if self._found is not None:
            raise NodeOnOtherChain(name, self._found)

    async def vouched(self, name: str, ask: Callable[[], Awaitable[T]], call: Awaitable[_Answer]) -> _Answer:
        """Return a call's answer; raise NodeOnOtherChain if the node is on another chain, and what both raise."""
        try:
            return await (call if self.is_sure else self._beside(self.make_sure(name, ask), call))
        except NodeOnOtherChain:
            raise
        except NodeUnavailable:
            self.doubt()
            raise

    async def _beside(self, making_sure: Awaitable[None], call: Awaitable[_Answer]) -> _Answer:
        """Check the chain beside a call, so that nothing waits twice; the call's answer counts only if it is right."""
        sure, answer = await asyncio.gather(making_sure, call, return_exceptions=True)
        if isinstance(sure, BaseException):
            raise sure
        if isinstance(answer, BaseException):
            raise answer
        return answer
