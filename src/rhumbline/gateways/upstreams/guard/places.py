"""How many calls of a host run at a time: so many in all, and half of them for one requester at the most."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class _OwnPlaces:
    """One requester's places, and how many hold one or wait for it."""

    free: asyncio.Semaphore
    wanted: int = 0


@dataclass(slots=True)
class Places:
    """``at_once`` places; who finds none waits. What is remembered of requesters ends with their calls."""

    at_once: int
    _free: asyncio.Semaphore = field(init=False)
    _own: dict[str, _OwnPlaces] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.at_once)

    async def take(self, requester: str) -> None:
        """Wait for a place; an empty requester is the service itself, which may have all."""
        if not requester:
            await self._free.acquire()
            return
        own = self._own.get(requester)
        if own is None:
            own = self._own[requester] = _OwnPlaces(asyncio.Semaphore(max(1, self.at_once // 2)))
        own.wanted += 1
        try:
            await own.free.acquire()
            try:
                await self._free.acquire()
            except BaseException:
                own.free.release()
                raise
        except BaseException:
            self._unwanted(requester, own)
            raise

    def leave(self, requester: str) -> None:
        self._free.release()
        own = self._own.get(requester)
        if own is not None:
            own.free.release()
            self._unwanted(requester, own)

    def _unwanted(self, requester: str, own: _OwnPlaces) -> None:
        own.wanted -= 1
        if not own.wanted:
            del self._own[requester]
