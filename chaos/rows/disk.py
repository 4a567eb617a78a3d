"""The file system of the store has no byte left while transfers are sent and tracked, and later has room again."""

import asyncio
import contextlib

import aiohttp

from chaos.bench import Bench
from chaos.push_campaign import PushPlan, push_campaign
from chaos.result import RowResult
from chaos.rows.kills import result_of
from chaos.service_world import ServiceWorld

TRANSFERS, TIMES, REFUSES_S = 40, 2, 1.0
_ASK_EVERY_S = 0.5
_NEEDS_NO_STORE = ("/v1/chains", "/v1/tokens", "/v1/tools")


async def run(bench: Bench) -> RowResult:
    if bench.disk is None:
        return RowResult({"disk full": 0}, broken="no small file system may be mounted here (unshare, mount)")
    world = await bench.service()
    plan = PushPlan(bench.seed, TRANSFERS, TIMES, REFUSES_S, things=("disk",))
    async with push_campaign(plan, world, bench.say) as running:
        watch = Watch(world)
        watching = asyncio.create_task(watch.run())
        try:
            verdict = await running.run()
        finally:
            watching.cancel()
    found = result_of(running, verdict)
    done = {**found.done, "unready answers": watch.unready, "reads without the store": watch.reads}
    return RowResult(done, found.lost, found.doubled, [*found.wrong, *watch.wrong], found.figures)


class Watch:
    """Asks all the time whether the service is ready, and what needs no store: that has to go on."""

    def __init__(self, world: ServiceWorld) -> None:
        self.world, self.unready, self.reads, self.wrong = world, 0, 0, list[str]()

    async def run(self) -> None:
        while True:
            for path in _NEEDS_NO_STORE:
                async with self.world.session.get(self.world.url + path) as answer:
                    self.reads += 1
                    if answer.status != 200:
                        self.wrong.append(f"{path}: {answer.status} {await answer.text()}")
            with contextlib.suppress(aiohttp.ClientError, TimeoutError):
                status, told = await self.world.ready()
                self.unready += status == 503 and "store" in str(told.get("message"))
            await asyncio.sleep(_ASK_EVERY_S)
