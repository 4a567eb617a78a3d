"""The generator as a process: locust in an environment of its own, told what to ask line by line."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from load.world import Service, World

MIX: Mapping[str, float] = MappingProxyType({
    "quotes-evm": 24,
    "quotes-solana": 8,
    "quotes-across": 8,
    "routes": 6,
    "step": 2,
    "prices": 22,
    "tokens": 6,
    "chains": 4,
    "transactions": 8,
    "record": 10,
    "status": 2,
})  # fmt: skip
"""Of a hundred requests: a page asks for prices twice a minute, for quotes while its user chooses and then each quarter
of a minute, for tokens and chains when it opens (with ETag, so most are 304), and for the record until it is final;
a back end lists its records. The streams stay open beside it.
"""
STREAMS = 40
_ROOT = Path(__file__).parents[1]
_LONGEST_S = 120


@dataclass(frozen=True)
class Generator:
    """A running generator, and its process."""

    process: asyncio.subprocess.Process
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def ask(
        self, rate: float, seconds: float, settle_s: float = 2.0, mix: Mapping[str, float] = MIX
    ) -> Mapping[str, Any]:
        """Ask so often a second; return what was answered in ``seconds``, which begin after ``settle_s``."""
        await self.begin(rate, seconds, settle_s, mix)
        return await self.end(seconds + settle_s)

    async def begin(self, rate: float, seconds: float, settle_s: float, mix: Mapping[str, float] = MIX) -> None:
        assert self.process.stdin is not None
        told = {"rate": rate, "seconds": seconds, "settle_s": settle_s, "mix": dict(mix)}
        self.process.stdin.write(json.dumps(told).encode() + b"\n")
        await self.process.stdin.drain()

    async def end(self, seconds: float) -> Mapping[str, Any]:
        """Return the next object that it prints, which must come ``seconds`` from now or a little later."""
        assert self.process.stdout is not None
        async with asyncio.timeout(seconds + _LONGEST_S):
            line = await self.process.stdout.readline()
        if not line:
            raise SystemExit("load: the generator ended")
        found: Mapping[str, Any] = json.loads(line)
        return found


@asynccontextmanager
async def running_generator(world: World, service: Service, streams: int = STREAMS) -> AsyncIterator[Generator]:
    """Run the generator against a service until the block ends."""
    found = await asyncio.create_subprocess_exec(_ROOT / "scripts" / "load_generator", stdout=asyncio.subprocess.PIPE)
    python = (await found.communicate())[0].decode().strip()
    if found.returncode:
        raise SystemExit("load: Locust could not be fetched")
    told = {"url": service.url, "keys": list(world.keys), "records": world.keys, "questions": world.questions}
    file = world.folder / "traffic.json"
    file.write_text(json.dumps({**told, "streams": streams}))
    log = world.folder / "generator.log"
    with log.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            python, _ROOT / "load" / "traffic.py", file,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=written, limit=2**24,
        )  # fmt: skip
    generator = Generator(process)
    try:
        await generator.end(30)
        yield generator
    except SystemExit:
        raise SystemExit(f"load: the generator ended:\n{log.read_text()[-2000:]}") from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
