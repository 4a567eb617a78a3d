"""Upstreams that answer what the sandbox's emulators answered: they work it out once, and then cost nothing.

Run with `python -m bench.quotes_replay <kind>=<url>…`, each the URL of an emulator; prints ``port <number>``. The path
``/OKX_2/…`` is the second upstream of the kind ``OKX``. What is asked for an amount is answered after that upstream's
time for it, anything else at once.
"""

import asyncio
import sys
from dataclasses import dataclass, field

import aiohttp
from yarl import URL

from bench.quotes_answers import latency_s
from bench.quotes_upstream import Connection, Site, headers_of, serve_upstreams
from rhumbline.adapters.okx.client import Seal
from rhumbline.app.run import run, until_signalled
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.devnet.upstreams.okx.signature import CREDENTIALS
from rhumbline.domain.clock import system_clock

_SEAL = Seal(CREDENTIALS["secret"], system_clock)
"""OKX's calls are signed with their path, which is another one here."""


@dataclass(slots=True)
class Memory:
    """What the emulators, by their kinds, answered to requests."""

    emulators: dict[str, str]
    session: aiohttp.ClientSession
    answers: dict[tuple[bytes, bytes], bytes] = field(default_factory=dict)


class Remembered(Connection[Memory]):
    """Answers from memory, and asks the emulator for new answers."""

    def on_request(self, head: bytes, body: bytes) -> None:
        """Answer when it is time."""
        key, amount = self.question(head)
        known = self.site.answers.answers.get((head.split(b"\r\n", 1)[0], body))
        if known is None:
            self._asking = asyncio.get_running_loop().create_task(self._learn(key.rpartition("_")[0], head, body))
        else:
            self.send_in(0 if amount is None else latency_s(key, amount), known)

    async def _learn(self, kind: str, head: bytes, body: bytes) -> None:
        memory = self.site.answers
        method, target = head.split(b" ", 2)[:2]
        path = target.decode().split("/", 2)[2]
        url = URL(f"{memory.emulators[kind]}/{path}", encoded=True)
        headers = dict(headers_of(head))
        if kind == Okx.key:
            headers |= _SEAL(method.decode(), f"/{path}", body)
        async with memory.session.request(method.decode(), url, data=body or None, headers=headers) as response:
            answer = await response.read()
            if response.status != 200:
                self.close()
                raise RuntimeError(f"{kind} answers {response.status}: {answer[:500]!r}")
        memory.answers[head.split(b"\r\n", 1)[0], body] = answer
        self.send(answer)


async def _serve(emulators: dict[str, str]) -> None:
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        site = Site(Memory(emulators, session))
        await serve_upstreams(lambda: Remembered(site))


if __name__ == "__main__":
    run(until_signalled(_serve(dict(each.split("=", 1) for each in sys.argv[1:]))))
