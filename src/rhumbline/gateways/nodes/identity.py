"""Which chain an endpoint is on, made sure of beside its calls: an answer counts only then.

Addresses, programs and transactions of all chains of a type look alike: what a node of another one says of a wallet is
not about that wallet. So it is made sure of beside the first call, again when the endpoint was away (another node may
be behind the URL then), and again and again while it is asked anything.
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
    """The node is on another chain than its entry says; ``found`` names that in words."""

    def __init__(self, name: str, found: str) -> None:
        """Name the chain, and what its node is on."""
        super().__init__(f"{name}: the node is on {found}, which is another chain")
        self.found = found


class Identity(ABC, Generic[T]):
    """The chain that one endpoint is to be on; ``T`` is by what it says it. ``now`` is in seconds.

    A sound answer is believed for ``sure_for_s``, unless the endpoint was away since.
    """

    def __init__(self, sure_for_s: float, now: Callable[[], float] = monotonic) -> None:
        self._sure_for_s = sure_for_s
        self._now = now
        self._until: float | None = None
        self._found: str | None = None
        self.looking = asyncio.Lock()

    @abstractmethod
    def other(self, said: T) -> str | None:
        """Return in words what else a node that says so is on; None when it is on this chain."""

    @property
    def is_sure(self) -> bool:
        """Tell whether the node was seen on it of late, and has not been away since."""
        return self._found is None and not self._is_due

    @property
    def is_to_be_asked(self) -> bool:
        """Tell whether the next call has to make sure of it: nobody is about to, with ``looking`` held."""
        return self._is_due and not self.looking.locked()

    @property
    def _is_due(self) -> bool:
        return self._until is None or self._now() >= self._until

    def doubt(self) -> None:
        """Note that the node did not answer: what answers next may be another."""
        self._until = None

    def heard(self, name: str, said: T) -> None:
        """Take in what the node has said; raise NodeOnOtherChain."""
        self._found = self.other(said)
        self._until = self._now() + (self._sure_for_s if self._found is None else _WRONG_FOR_S)
        if self._found is not None:
            raise NodeOnOtherChain(name, self._found)

    async def make_sure(self, name: str, ask: Callable[[], Awaitable[T]]) -> None:
        """Ask the node, once for all who wait; raise NodeOnOtherChain, and what ``ask`` raises."""
        async with self.looking:
            if self._is_due:
                self.heard(name, await ask())
        if self._found is not None:
            raise NodeOnOtherChain(name, self._found)

    async def vouched(self, name: str, ask: Callable[[], Awaitable[T]], asking: Awaitable[_Answer]) -> _Answer:
        """Return what a call answers; raise NodeOnOtherChain where the node is on another, and what both raise."""
        try:
            return await (asking if self.is_sure else self._beside(self.make_sure(name, ask), asking))
        except NodeOnOtherChain:
            raise
        except NodeUnavailable:
            self.doubt()
            raise

    async def _beside(self, making_sure: Awaitable[None], asking: Awaitable[_Answer]) -> _Answer:
        """Make sure of it beside a call, so that nobody waits twice; its answer counts only then."""
        sure, answer = await asyncio.gather(making_sure, asking, return_exceptions=True)
        if isinstance(sure, BaseException):
            raise sure
        if isinstance(answer, BaseException):
            raise answer
        return answer
