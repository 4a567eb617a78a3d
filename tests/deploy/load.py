"""Load on several processes, as a proxy shares it out: quotes all the time, some of which are signed and sent."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.evm.wallet import EvmWallet
from tests.patience import PATIENCE_S, until

PASSING = (429, 502, 503)
"""What a client asks again after, if it is told when (docs/api.md, Errors)."""


@dataclass
class Load:
    """``urls`` are of the processes that the proxy knows; one that does not accept a connection is passed over."""

    session: aiohttp.ClientSession
    wallet: EvmWallet
    question: Mapping[str, str]
    urls: list[str] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    sent: list[str] = field(default_factory=list)
    turns: Iterator[int] = field(default_factory=itertools.count)

    async def quote(self) -> Any:
        """Ask as clients do that keep to the documentation; AssertionError for an answer that is not documented."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                url = self.urls[next(self.turns) % len(self.urls)]
                try:
                    async with self.session.get(f"{url}/v1/quotes", params=self.question) as answer:
                        said, wait = await answer.json(), answer.headers.get("retry-after")
                except aiohttp.ClientConnectorError:
                    await asyncio.sleep(0.01)
                    continue
                self.answers[answer.status] += 1
                if answer.status == 200:
                    return said
                assert answer.status in PASSING, (answer.status, said)
                assert wait is not None, (answer.status, said)
                await asyncio.sleep(float(wait))

    async def ask(self) -> None:
        """Without an end, a few times a second: the machine has other work."""
        while True:
            await self.quote()
            await asyncio.sleep(0.1)

    async def send(self) -> None:
        """Without an end: each swap is quoted, signed, sent and mined."""
        while True:
            quote = await self.quote()
            await self.wallet.execute(quote)
            self.sent.append(quote["transactionId"])
            await asyncio.sleep(0.1)

    async def goes_on(self, quotes: int, swaps: int) -> None:
        """Wait until so many more were answered, and sent."""
        answered, sent = self.answers[200] + quotes, len(self.sent) + swaps

        async def enough() -> bool:
            return self.answers[200] >= answered and len(self.sent) >= sent

        await until(enough)


async def recorded(engine: AsyncEngine) -> list[str]:
    """The transaction IDs of all records, in order."""
    async with engine.connect() as connection:
        found = await connection.execute(text("SELECT transaction_id FROM transactions ORDER BY 1"))
        return list(found.scalars())
