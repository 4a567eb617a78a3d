"""What quotes are compared with: a bare `aiohttp.ClientSession` that makes the same twelve calls and parses their JSON.

It runs on the same loop, with the same rules of the garbage collector, and without a bound on its connections, where
its own would have it wait. Nothing is checked, logged or counted. As a process, `python -m bench.quotes_bare <port of
the upstreams> <amount>,<amount>,…` reads seconds from its input, asks fifty at once for as long, and prints how many
quotes that were.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from itertools import cycle

import aiohttp
from yarl import URL

from bench.quotes_load import after, keep_asking
from rhumbline.app.run import run


class BareFanOut:
    """Asks twelve upstreams at once by calls that were made before, with another amount."""

    def __init__(self, session: aiohttp.ClientSession, url: str, calls: Iterable[tuple[str, dict[str, str], int]]):
        """Split the calls at their amount."""
        self._session = session
        self._calls = [(f"{url}{target}".split(str(amount), 1), headers) for target, headers, amount in calls]

    async def ask(self, amount: int) -> None:
        """Await all answers."""
        await asyncio.gather(
            *(self._call(f"{before}{amount}{rest}", headers) for (before, rest), headers in self._calls)
        )

    async def _call(self, url: str, headers: dict[str, str]) -> None:
        async with self._session.get(URL(url, encoded=True), headers=headers) as response:
            await response.json()


@asynccontextmanager
async def bare_fan_out(port: int) -> AsyncIterator[BareFanOut]:
    """Open a session, and learn from the upstreams which calls there are: all twelve must have been made by then."""
    url = f"http://127.0.0.1:{port}"
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        async with session.get(f"{url}/calls") as response:
            calls = await response.json()
        yield BareFanOut(session, url, calls.values())


async def _obey(port: int, amounts: Sequence[int]) -> None:
    loop, amount = asyncio.get_running_loop(), cycle(amounts)
    async with bare_fan_out(port) as bare:

        async def ask() -> None:
            await bare.ask(next(amount))

        while line := await loop.run_in_executor(None, sys.stdin.readline):
            print(await keep_asking(ask, after(float(line))), flush=True)


if __name__ == "__main__":
    run(_obey(int(sys.argv[1]), [int(amount) for amount in sys.argv[2].split(",")]))
