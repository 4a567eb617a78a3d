"""Spells of trouble and of calm, while wallets send; a seed decides who is frozen, killed or cut off, and when."""

import asyncio
import contextlib
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import aiohttp
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from chaos.judge import WITHIN_S, Observer, Sent, Spells, Verdict, judged
from chaos.world import INTEGRATOR, World, running_world
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.tracking.issued_transactions import IssuedTransactions
from tests.tracking.conftest import new_id
from tests.tracking.processes import Process, running_on
from tests.tracking.svm.solana_orders import AMOUNT

CLOCKS_S = (-6, 6, -3600, 3600, -86_400, 40 * 86_400)
"""By how much a wrong clock is off; 5 s is tolerated."""
_AT_ONCE = 4
_DROP = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()
"""
_SETTLED_S = 5.0
_PATIENCE_S = 120.0


@dataclass(frozen=True)
class Plan:
    """How much of it: a spell is ``trouble_s`` of trouble, of ``turns`` turns, and ``calm_s`` without.

    ``kills`` also kills a process and drops the store's connections, in every third spell.
    """

    seed: int
    transactions: int
    spells: int
    trouble_s: float
    calm_s: float
    processes: int = 3
    turns: int = 3
    kills: bool = True


@dataclass
class Campaign:
    """Runs a plan. ``done`` counts the actions on processes, ``sent`` are the wallets' transactions."""

    plan: Plan
    world: World
    folder: Path
    say: Callable[[str], None] = lambda line: None
    sent: list[Sent] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    spells: Spells = field(default_factory=Spells)
    processes: list[Process] = field(default_factory=list)
    stacks: list[AsyncExitStack] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = Random(self.plan.seed)
        self.ways = {key: self._deal(ways) for key, ways in self.world.ways.items()}
        self.observer = Observer(self.world.engine)

    def _deal(self, ways: tuple[str, ...]) -> Iterator[str]:
        """Give each way once, in any order, before one is given again."""
        while True:
            yield from self.chance.sample(ways, len(ways))

    async def run(self) -> Verdict:
        """Do all of it; return what became of it."""
        try:
            for number in range(self.plan.processes):
                await self._start(number)
            watching = asyncio.create_task(self.observer.watch())
            sending = asyncio.create_task(self._send_all())
            for number in range(self.plan.spells):
                await self._spell(number)
            await sending
            await self._settle()
            watching.cancel()
            return await judged(self.world.engine, self.sent, self.observer.seen, self.spells)
        finally:
            for stack in self.stacks:
                await stack.aclose()

    async def _start(self, number: int) -> None:
        """Start a process, or start it again."""
        stack = AsyncExitStack()
        shift = self.chance.choice(CLOCKS_S) if number == self.plan.processes - 1 else 0
        command = "serve" if number == 0 else "worker"
        folder = self.folder / f"process-{number}"
        process = await stack.enter_async_context(
            running_on(command, self.world.settings, folder, self.world.dsn, shift=shift)
        )
        self.stacks[number : number + 1] = [stack]
        self.processes[number : number + 1] = [process]

    async def _spell(self, number: int) -> None:
        began = time.monotonic()
        end = began + self.plan.trouble_s
        self.spells.pairs.append((began, end + self.plan.calm_s))
        doing = [self._freeze(end)]
        if self.plan.kills and number % 3 == 1:
            doing.append(self._kill(end))
        if self.plan.kills and number % 3 == 2:
            doing.append(self._cut_off())
        if self.plan.processes > 1:
            self.processes[-1].set_clock(self.chance.choice(CLOCKS_S))
            self.done["clocks moved"] += 1
        tasks = [asyncio.create_task(each) for each in doing]
        for turn in range(self.plan.turns):
            self._trouble()
            await asyncio.sleep(max(0.0, began + self.plan.trouble_s * (turn + 1) / self.plan.turns - time.monotonic()))
        await asyncio.gather(*tasks)
        for endpoints in self.world.endpoints.values():
            for each in endpoints:
                each.trouble_with(None)
        ended = time.monotonic()
        self.spells.pairs[-1] = (began, ended)
        self.say(f"spell {number + 1} of {self.plan.spells}: {len(self.sent)} sent, {len(self.observer.seen)} listed")
        await asyncio.sleep(self.plan.calm_s)

    def _trouble(self) -> None:
        """Have the first endpoint of each chain err, or another one, or all of them, each in a way of its own."""
        for key, endpoints in self.world.endpoints.items():
            bad = self.chance.choice([endpoints[:1], endpoints[1:], endpoints])
            for each in endpoints:
                each.trouble_with(next(self.ways[key]) if each in bad else None)

    async def _freeze(self, end: float) -> None:
        """Freeze the leader of a chain until shortly before the trouble ends."""
        leader = await self.leader()
        if leader is None:
            return
        leader.freeze()
        self.done["leaders frozen"] += 1
        await asyncio.sleep(max(0.0, end - time.monotonic() - 1))
        # Another trouble may have killed it meanwhile.
        with contextlib.suppress(ProcessLookupError):
            leader.thaw()

    async def leader(self) -> Process | None:
        """Find a leader, if there is one; processes that are busy or have just started do not report."""
        chains = list(self.world.endpoints)
        for key in self.chance.sample(chains, len(chains)):
            for process in self.processes:
                if process.session.closed:
                    # It was killed, and another one is being started in its place.
                    continue
                with contextlib.suppress(aiohttp.ClientError, TimeoutError, KeyError):
                    async with asyncio.timeout(2):
                        if await process.leads(key):
                            return process
        return None

    async def _kill(self, end: float) -> None:
        """Kill a process of its own accord, and start another one in its place."""
        number = self.chance.randrange(len(self.processes) - 1)
        await asyncio.sleep(self.plan.trouble_s / 4)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.processes[number].pid, signal.SIGKILL)
        self.done["processes killed"] += 1
        await self.stacks[number].aclose()
        await self._start(number)

    async def _cut_off(self) -> None:
        """Drop all connections of the store."""
        await asyncio.sleep(self.plan.trouble_s / 3)
        async with self.world.engine.connect() as connection:
            await connection.execute(text(_DROP))
        self.done["store cut off"] += 1

    async def _send_all(self) -> None:
        """Send at random moments, several at once now and then, over all of the time but the last calm."""
        plan = self.plan
        over_s = plan.spells * (plan.trouble_s + plan.calm_s) - plan.calm_s
        began, number = time.monotonic(), 0
        while number < plan.transactions:
            count = min(self.chance.randint(1, _AT_ONCE), plan.transactions - number)
            for nonce in range(number, number + count):
                await (self._swap(nonce) if self.chance.random() < 0.5 else self._swap_on_solana(nonce))
            number += count
            await asyncio.sleep(max(0.0, began + over_s * number / plan.transactions - time.monotonic()))

    async def _swap(self, nonce: int) -> None:
        market = self.world.market
        sender, amount = self.chance.choice(market.accounts[:5]), 10**12 + nonce
        identifier = new_id(sender, INTEGRATOR, market.chain.id, nonce)
        tx_hash = await market.swap(identifier, sender, amount, INTEGRATOR)
        self.sent.append(Sent(market.chain.key, tx_hash, amount, time.monotonic()))

    async def _swap_on_solana(self, nonce: int) -> None:
        order = self.world.solana.swap(nonce)
        await _insisted(lambda: IssuedTransactions(self.world.engine).keep(order.issued))
        signature = await self.world.solana.send(*order.calls)
        self.sent.append(Sent(self.world.solana.rpc.name, signature, AMOUNT, time.monotonic()))

    async def _settle(self) -> None:
        """Wait until all is listed, and a while longer for what should not be."""
        until = time.monotonic() + max(WITHIN_S + _SETTLED_S, _PATIENCE_S)
        sent_hashes = {each.hash for each in self.sent}
        while time.monotonic() < until and not sent_hashes <= self.observer.seen.keys():  # noqa: ASYNC110 there is no event
            await asyncio.sleep(0.2)
        await asyncio.sleep(_SETTLED_S)


async def _insisted(work: Callable[[], Awaitable[object]]) -> None:
    """Do it, again where the store's connections were dropped."""
    for _ in range(50):
        with contextlib.suppress(DBAPIError, StoreUnavailable, OSError):
            await work()
            return
        await asyncio.sleep(0.1)
    await work()


@contextlib.asynccontextmanager
async def campaign(plan: Plan, folder: Path, say: Callable[[str], None] = lambda line: None) -> AsyncIterator[Campaign]:
    """Start the world of a campaign, which ends with the block."""
    async with running_world(folder) as world:
        yield Campaign(plan, world, folder, say)
