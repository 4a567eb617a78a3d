"""An application that can be replaced between two requests."""

import asyncio
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

from rhumbline.api.hot.front import HotApp, HotFront


@dataclass(slots=True, eq=False)
class _Counted:
    """An application, its requests in progress, and the event that is set when a replaced one has none left."""

    app: HotApp
    requests: int = 0
    ended: asyncio.Event | None = None


class ReplaceableApp:
    """Hands each request to the application that is current when it arrives, which answers it to the end."""

    __slots__ = ("_current",)

    def __init__(self, app: HotApp) -> None:
        self._current = _Counted(app)

    @property
    def hot(self) -> HotFront | None:
        return self._current.app.hot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        current = self._current
        current.requests += 1
        try:
            await current.app(scope, receive, send)
        finally:
            current.requests -= 1
            if current.ended is not None and not current.requests:
                current.ended.set()

    def replace(self, app: HotApp, ended: asyncio.Event) -> None:
        """Have another application answer from now on; ``ended`` is set when the last request of this one is."""
        before, self._current = self._current, _Counted(app)
        before.ended = ended
        if not before.requests:
            ended.set()
