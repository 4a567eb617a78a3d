"""A request is answered to its end by the application in force when it came."""

import asyncio

from starlette.types import Message, Receive, Scope, Send

from rhumbline.api.hot.front import HotApp
from rhumbline.api.hot.replaceable_app import ReplaceableApp


class Slow(HotApp):
    """Answers when it is let."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.let = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.let.wait()
        await send({"type": self.name})


async def nothing() -> Message:
    return {}


async def test_what_runs_is_answered_by_the_one_before() -> None:
    first, second, told = Slow("first"), Slow("second"), list[str]()
    app, ended = ReplaceableApp(first), asyncio.Event()

    async def send(message: Message) -> None:
        told.append(message["type"])

    running = [asyncio.create_task(app({}, nothing, send)) for _ in range(2)]
    await asyncio.sleep(0)
    app.replace(second, ended)
    later = asyncio.create_task(app({}, nothing, send))
    second.let.set()
    await later
    assert (told, ended.is_set()) == (["second"], False)
    running[0].cancel()
    first.let.set()
    await asyncio.gather(*running, return_exceptions=True)
    assert (told, ended.is_set()) == (["second", "first"], True)


async def test_one_that_answers_nobody_has_ended_at_once() -> None:
    app, ended = ReplaceableApp(Slow("first")), asyncio.Event()
    app.replace(Slow("second"), ended)
    assert ended.is_set()
