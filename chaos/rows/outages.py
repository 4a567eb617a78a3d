"""PostgreSQL and Redis are gone for a while: what needs neither goes on, the rest is 503, and all comes back."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import aiohttp

from chaos.bench import Bench
from chaos.result import RowResult, Tally
from chaos.service_world import ServiceWorld
from tests.outages.checks import check_all
from tests.outages.expectations import PRICES, STORE, Asked, Outage
from tests.outages.faulty import Fault, FaultyHost
from tests.outages.fragile_service import FragileService, Reply

_ALL = tuple(each for each in Asked if each is not Asked.READY)
"""Readiness says more than the table of outages does while Redis is away; it is asked by itself."""
_WELL, _HANGS_UP, _SILENT = "all is well", "PostgreSQL hangs up", "PostgreSQL is silent"
_REDIS, _BOTH = "Redis killed", "both gone"
_BACK_S = 60.0
_ASK_EVERY_S = 0.5
_PATIENCE_S = 60.0
Check = Callable[[Mapping[Asked, Reply], Outage], None]


async def run(bench: Bench) -> RowResult:
    world = await bench.service()
    timeout = aiohttp.ClientTimeout(total=_PATIENCE_S)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        service = FragileService(world.sandbox, world.url, world.key, {}, FaultyHost(""), world.store_proxy, session)
        await service.plan()
        row = Outages(world, service)
        await row.run()
    return RowResult({**row.tally.times, "answers judged": row.judged}, wrong=row.wrong, figures=row.figures)


class Outages:
    """Takes things away, asks for everything, gives them back, and asks until all is as before."""

    def __init__(self, world: ServiceWorld, service: FragileService, check: Check = check_all) -> None:
        self.world, self.service, self.check = world, service, check
        self.tally, self.judged = Tally((_WELL, _HANGS_UP, _SILENT, _REDIS, _BOTH)), 0
        self.wrong: list[str] = []
        self.back_s: list[float] = []

    @property
    def figures(self) -> str:
        return "all as before after at most " + f"{max(self.back_s, default=0.0):.1f} s"

    async def run(self) -> None:
        """Do all of it."""
        await self._ask(_WELL, PRICES)
        for what, fault in ((_HANGS_UP, Fault.CUT), (_SILENT, Fault.SILENT)):
            self.world.store_proxy.fail(fault)
            await self._ask(what, STORE)
            await self._until_ready(what, 503, "store")
            self.world.store_proxy.fail(None)
            await self._back(what)
        await self.world.kill_redis()
        await self._ask(_REDIS, PRICES)
        await self._until_ready(_REDIS, 200, "Redis does not answer")
        self.world.store_proxy.fail(Fault.CUT)
        await self._ask(_BOTH, STORE)
        self.world.store_proxy.fail(None)
        await self.world.redis.start()
        await self._back(_BOTH)

    async def _ask(self, what: str, outage: Outage) -> None:
        told = await self.service.ask(_ALL)
        self.tally.times[what] += 1
        self.wrong += [f"{what}: {fault}" for fault in self._faults(told, outage)]
        self.judged += len(told)

    def _faults(self, told: Mapping[Asked, Reply], outage: Outage) -> Sequence[str]:
        faults = []
        for asked, reply in told.items():
            try:
                self.check({asked: reply}, outage)
            except (AssertionError, KeyError, ValueError) as error:
                faults.append(f"{asked}: {type(error).__name__} {str(error)[:600]}")
        return faults

    async def _until_ready(self, what: str, status: int, name: str) -> None:
        """Wait until readiness has this status and names what is away."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _BACK_S
        while True:
            got, told = await self.world.ready()
            if got == status and name in str(told):
                return
            if loop.time() > end:
                self.wrong.append(f"{what}: readiness does not name {name}: {got} {told}")
                return
            await asyncio.sleep(_ASK_EVERY_S)

    async def _back(self, what: str) -> None:
        """Ask until all is answered as before, or too much time has gone by."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            told = await self.service.ask(_ALL)
            faults = self._faults(told, PRICES)
            status, ready = await self.world.ready()
            if status != 200 or "degraded" in str(ready):
                faults = [*faults, f"not ready: {status} {ready}"]
            if not faults:
                self.back_s.append(loop.time() - began)
                return
            if loop.time() - began > _BACK_S:
                self.wrong += [f"after {what}, not as before again: {fault}" for fault in faults]
                return
            await asyncio.sleep(_ASK_EVERY_S)
