"""Requests by the OpenAPI document, malformed bytes, and sockets that are silent or slow by the hundred.

No answer may be a server error that the document does not have, no exception may be in the logs, and others are served.
"""

import asyncio
import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from chaos.bench import Bench
from chaos.questions import ask, chapters, question
from chaos.result import RowResult, Tally
from chaos.service_world import ServiceWorld
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.sandbox import SandboxIntegrator, SandboxService, write_sandbox_json
from tests.e2e.contract import explore_all
from tests.e2e.running_demo import SandboxFile

EXAMPLES, MALFORMED, SILENT, SLOW = 12, 1500, 300, 100
BY_DOCUMENT, BYTES, SILENT_ONES, SLOW_ONES, SERVED = (
    "operations", "malformed requests", "silent sockets", "slow sockets", "others served meanwhile",
)  # fmt: skip
DOCUMENTED = frozenset({501, 502, 503, 504, 505})
"""What may be answered to bytes: a method or version that is not known, and what the document says."""
_AT_ONCE = 20
_ANSWERS_S = 30.0
_HELD_S = 15.0
_FEE_WALLET = 60
_GOOD = (
    b"GET /v1/chains HTTP/1.1\r\nhost: x\r\naccept: */*\r\n\r\n",
    b'GET /v1/prices?tokens=900001:USDC HTTP/1.1\r\nhost: x\r\nif-none-match: "a"\r\n\r\n',
    b"POST /v1/advanced/routes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n"
    b'{"amount": 12}',
    b"POST /v1/advanced/routes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    b'transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
    b"GET /v1/transactions HTTP/1.1\r\nhost: x\r\nx-api-key: rl_live_x\r\nconnection: close\r\n\r\n",
    b"OPTIONS /v1/quotes HTTP/1.1\r\nhost: x\r\norigin: https://a.example\r\n\r\n",
    b"GET /portal HTTP/1.0\r\ncookie: portal-session=x\r\n\r\n",
)
_PIECES = (b"\r\n", b"\n", b"\x00", b"\xff\xfe", b"%00", b"%", b" ", b"..", b"{", b"[" * 200, b"9" * 400, b"-1", b":")
_UNHANDLED = re.compile(r"Traceback|failed unexpectedly|a hot request failed|never retrieved|Unhandled|worker_failed")


def malformed(chance: Random) -> bytes:
    """Return a request with one to four faults in its bytes."""
    data = bytearray(chance.choice(_GOOD))
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[place:place] = chance.choice(_PIECES)
            case 1:
                del data[place : place + chance.randint(1, 30)]
            case 2:
                data[place : place + 1] = chance.randbytes(1)
            case 3:
                data[place:place] = data[chance.randrange(len(data) + 1) :][: chance.randint(1, 60)]
            case _:
                data[place:] = chance.randbytes(chance.randint(0, 60))
    return bytes(data)


def status_faults(sent: bytes, answer: bytes) -> Sequence[str]:
    """Name what is amiss with an answer to bytes, of which the first status counts; nothing is one too."""
    if not answer:
        return ()
    found = re.match(rb"HTTP/1\.[01] (\d{3})", answer)
    if found is None:
        return (f"{sent!r} is answered {answer[:200]!r}",)
    status = int(found.group(1))
    return (f"{sent!r} is answered {status}: {answer[:300]!r}",) if status >= 500 and status not in DOCUMENTED else ()


def unhandled(logs: Iterable[tuple[str, str]]) -> list[str]:
    """Name lines of logs that tell of an exception that nobody handled."""
    return [f"{name}: {line[:1500]}" for name, log in logs for line in log.splitlines() if _UNHANDLED.search(line)]


async def run(bench: Bench) -> RowResult:
    world = await bench.service()
    row = Requests(world, Random(bench.seed))
    await row.by_document(bench)
    await row.malformed()
    await row.sockets()
    bench.keep_logs(bench.folder / "service")
    done = {**row.tally.times, "lines of logs": sum(log.count("\n") for log in bench.logs.values())}
    answers = ", ".join(f"{status} {times}" for status, times in sorted(row.statuses.items()))
    return RowResult(done, wrong=[*row.wrong, *unhandled(bench.logs.items())], figures=f"bytes answered {answers}")


class Requests:
    """Asks what nobody should ask."""

    def __init__(self, world: ServiceWorld, chance: Random) -> None:
        self.world, self.chance = world, chance
        self.tally = Tally((BY_DOCUMENT, BYTES, SILENT_ONES, SLOW_ONES, SERVED))
        self.statuses: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def by_document(self, bench: Bench) -> None:
        """Ask every operation of the document."""
        world, folder = self.world, bench.own_folder("clients")
        integrator = SandboxIntegrator("acme", sandbox_account(_FEE_WALLET).address, world.key)
        service = SandboxService(world.url, world.key, world.key, integrator)
        write_sandbox_json(folder / "sandbox.json", world.sandbox, service)
        try:
            good = await asyncio.to_thread(explore_all, SandboxFile(folder), EXAMPLES, bench.seed)
            self.tally.times[BY_DOCUMENT] += sum(bool(count) for count in good.values())
        except (AssertionError, ExceptionGroup) as error:
            self.wrong.append(f"not as documented: {str(error)[:1500]} {getattr(error, 'exceptions', '')!s:.1500}")

    async def malformed(self) -> None:
        """Send malformed requests, some at once."""
        turns = asyncio.Semaphore(_AT_ONCE)

        async def one(sent: bytes) -> None:
            async with turns:
                answer = await self._answer(sent)
            self.tally.times[BYTES] += 1
            self.statuses[answer[9:12].decode("latin-1") or "by closing"] += 1
            self.wrong += status_faults(sent, answer)

        await asyncio.gather(*(one(malformed(self.chance)) for _ in range(MALFORMED)))

    async def _answer(self, sent: bytes) -> bytes:
        """Send bytes and an end; return what comes back first."""
        with contextlib.suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                writer.write(sent)
                writer.write_eof()
                async with asyncio.timeout(_ANSWERS_S):
                    return await reader.read(4096)
            except TimeoutError:
                self.wrong.append(f"{sent!r} is neither answered nor let go after {_ANSWERS_S:.0f} s")
            finally:
                writer.transport.abort()
        return b""

    @property
    def _port(self) -> int:
        return self.world.processes[0].ports[0]

    async def sockets(self) -> None:
        """Hold sockets open, from other addresses, and ask as somebody else meanwhile."""
        held = await asyncio.gather(*(self._hold(number, b"") for number in range(SILENT)))
        self.tally.times[SILENT_ONES] += sum(each is not None for each in held)
        slow = await asyncio.gather(*(self._hold(number, b"POST /v1/advanced/routes HT") for number in range(SLOW)))
        self.tally.times[SLOW_ONES] += sum(each is not None for each in slow)
        dripping = asyncio.create_task(self._drip([each for each in slow if each is not None]))
        way = (await chapters(self.world))[0]
        end = asyncio.get_running_loop().time() + _HELD_S
        while asyncio.get_running_loop().time() < end:
            for path, query in (
                ("/v1/chains", {}),
                ("/v1/transactions", {}),
                ("/v1/quotes", question(self.world, way, 0)),
            ):
                reply = await ask(self.world, path, query)
                self.tally.times[SERVED] += reply.status == 200
                if reply.status != 200:
                    self.wrong.append(f"{path} beside held sockets: {reply.status} {reply.message}")
            await asyncio.sleep(0.2)
        dripping.cancel()
        for writer in (*held, *slow):
            if writer is not None:
                writer.transport.abort()

    async def _hold(self, number: int, begin: bytes) -> asyncio.StreamWriter | None:
        """Open a socket from one of a few addresses; None where it is refused."""
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(f"127.0.1.{1 + number % 4}", 0)
            )
            writer.write(begin)
            return writer
        return None

    async def _drip(self, writers: Sequence[asyncio.StreamWriter]) -> None:
        """Send a byte each now and then."""
        while True:
            for writer in writers:
                if not writer.is_closing():
                    writer.write(b"T")
            await asyncio.sleep(0.5)
