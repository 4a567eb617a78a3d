"""Transfers while processes and the store are killed and a receiver fails: are clients told everything?

The judge compares what two clients were told, by webhooks and by the stream, with the store's own events, and each
transfer that was sent with the record that it has.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy import text

from chaos.push_clients import HeardEvent, Receiver, StreamReader, running_receiver
from chaos.push_transfers import SentTransfer, Transfers
from chaos.push_world import PushWorld, running_push_world
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS

TYPES = tuple(f"transaction.{kind}" for kind in ("seen", "status", "final", "updated", "withdrawn"))
_EVENTS = text("SELECT number, 'transaction.' || kind AS type, subject FROM events ORDER BY number")
_RECORDS = text("SELECT transaction_id, status, next_bridge_check_at IS NULL AS final FROM transactions")
Event = tuple[int, str, str]


@dataclass(frozen=True)
class PushPlan:
    """How much of it: kills of ``things`` come one by one while transfers are sent, with ``late`` when all have ended.

    What is killed while a bridge is asked is asked again two minutes later. ``bridges`` are all where none is named.
    """

    seed: int
    transfers: int
    kills: int
    fails_s: float
    bridges: tuple[str, ...] = ()
    things: tuple[str, ...] = ("worker", "store", "service")
    late: bool = False
    workers: int = 2
    settle_s: float = 300.0


@dataclass(frozen=True)
class PushVerdict:
    """What is amiss, in words, and the figures."""

    faults: tuple[str, ...]
    sent: Counter[str]
    ended: Counter[str]
    outcomes: Counter[str]
    events: int

    @property
    def is_good(self) -> bool:
        return not self.faults


@dataclass
class PushCampaign:
    """Runs a plan on a world. ``done`` counts what was killed."""

    plan: PushPlan
    world: PushWorld
    receiver: Receiver
    say: Callable[[str], None] = lambda line: None
    done: Counter[str] = field(default_factory=Counter)
    settled_s: float = 0.0

    def __post_init__(self) -> None:
        self.chance = Random(self.plan.seed)
        self.transfers = Transfers(self.world, Random(self.plan.seed))
        self.reader = StreamReader(self.world.url, self.world.key)

    async def run(self) -> PushVerdict:
        """Do all of it; return what became of it."""
        await self._add_webhook()
        reading = asyncio.create_task(self.reader.run(self.world.session))
        try:
            async with asyncio.timeout(60):
                await self.reader.ready.wait()
            sending = asyncio.create_task(self.transfers.send(self.plan.transfers, self.plan.bridges))
            trouble = [asyncio.create_task(each) for each in (self._kill(sending), self._fail())]
            await sending
            await asyncio.gather(*trouble)
            began = time.monotonic()
            events, records = await self._settle()
            self.settled_s = time.monotonic() - began
            return self._judged(events, records)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _add_webhook(self) -> None:
        body = {"url": self.receiver.url, "events": list(TYPES)}
        headers = {"x-api-key": self.world.key}
        async with self.world.session.post(f"{self.world.url}/v1/webhooks", json=body, headers=headers) as answer:
            answer.raise_for_status()
            self.receiver.secret = (await answer.json())["secret"]

    async def _kill(self, sending: "asyncio.Task[None]") -> None:
        """Kill something each time that another part of the transfers was sent; each thing as often as the others."""
        things = list(self.plan.things)
        for number in range(self.plan.kills):
            due = (number + 1) * self.plan.transfers // (self.plan.kills + 1)
            while (self.plan.late or len(self.transfers.sent) < due) and not sending.done():  # noqa: ASYNC110 there is no event
                await asyncio.sleep(0.1)
            await asyncio.sleep(self.chance.random())
            if not number % len(things):
                self.chance.shuffle(things)
            thing = things[number % len(things)]
            if thing == "store":
                self.world.kill_store()
            else:
                await self.world.kill_service(0 if thing == "service" else self.chance.randint(1, self.plan.workers))
            self.done[thing] += 1
            self.say(f"{thing} killed; {len(self.transfers.sent)} sent, {len(self.receiver.taken)} messages taken")

    async def _fail(self) -> None:
        """Have the receiver refuse everything for a while, once a third was sent."""
        while len(self.transfers.sent) < self.plan.transfers // 3:  # noqa: ASYNC110 there is no event
            await asyncio.sleep(0.1)
        self.receiver.fails = True
        await asyncio.sleep(self.plan.fails_s)
        self.receiver.fails = False
        self.say(f"the receiver works again; it has refused {self.receiver.refused}")

    async def _settle(self) -> tuple[list[Event], dict[str, tuple[str, bool]]]:
        """Wait until nothing is open and both clients have everything, or the time is over."""
        end = time.monotonic() + self.plan.settle_s
        sent = {each.transaction_id for each in self.transfers.sent if each.ends}
        while True:
            events, records = await self._read()
            wanted = {number for number, _, _ in events}
            is_over = sent <= {name for name, (_, final) in records.items() if final}
            has_all = wanted == {each.number for each in self.receiver.taken.values()}
            if (is_over and has_all and wanted == {each.number for each in self.reader.came}) or time.monotonic() > end:
                return events, records
            await asyncio.sleep(0.5)

    async def _read(self) -> tuple[list[Event], dict[str, tuple[str, bool]]]:
        while True:
            engine = create_engine(self.world.dsn)
            try:
                async with engine.connect() as connection:
                    events = [(row.number, row.type, row.subject) for row in await connection.execute(_EVENTS)]
                    records = {row[0]: (row[1], row[2]) for row in await connection.execute(_RECORDS)}
                return events, records
            except (*DATABASE_ERRORS, OSError):
                await asyncio.sleep(0.5)
            finally:
                await engine.dispose()

    def _judged(self, events: Sequence[Event], records: dict[str, tuple[str, bool]]) -> PushVerdict:
        sent, taken = self.transfers.sent, list(self.receiver.taken.values())
        faults = list(self.transfers.failures)
        faults += [f"not signed rightly: {each}" for each in self.receiver.unsigned]
        faults += [f"the stream refused: {each}" for each in self.reader.refused]
        faults += ["the stream told of a gap"] * self.reader.gaps
        faults += told_amiss("webhooks", events, taken)
        faults += told_amiss("stream", events, self.reader.came)
        faults += ended_amiss(sent, records, taken)
        faults += ended_amiss(sent, records, self.reader.came)
        return PushVerdict(
            tuple(faults),
            Counter(each.adapter for each in sent),
            Counter(status for status, _ in records.values()),
            Counter(each.outcome for each in sent),
            len(events),
        )


def told_amiss(by: str, events: Sequence[Event], came: Sequence[HeardEvent]) -> Iterable[str]:
    """Name events that a client was not told, that there are not, or that came in another order than they happened."""
    wanted = {number: (kind, subject) for number, kind, subject in events}
    numbers = {each.number for each in came}
    yield from (f"{by}: never told {number} {wanted[number]}" for number in sorted(wanted.keys() - numbers))
    last: dict[str, int] = {}
    for each in came:
        if wanted.get(each.number) != (each.type, each.subject):
            yield f"{by}: told {each}, which there is not"
        if last.get(each.subject, 0) >= each.number:
            yield f"{by}: told {each} after {last[each.subject]}"
        last[each.subject] = each.number


def ended_amiss(
    sent: Sequence[SentTransfer], records: dict[str, tuple[str, bool]], came: Sequence[HeardEvent]
) -> Iterable[str]:
    """Name transfers without a record or an end, and those that a client was told another beginning or status of."""
    told: dict[str, list[HeardEvent]] = {}
    for each in came:
        told.setdefault(each.subject, []).append(each)
    for transfer in sent:
        status, is_final = records.get(transfer.transaction_id, ("none", False))
        if status == "none" or (transfer.ends and not is_final):
            yield f"{transfer} has not ended: {status}"
            continue
        story = told.get(transfer.transaction_id, [])
        ends = [each for each in story if each.type == "transaction.final" or not is_final]
        if not story or story[0].type != "transaction.seen" or not ends or ends[-1].status != status:
            yield f"{transfer}, {status}, was told as {[(each.type, each.status) for each in story]}"


@asynccontextmanager
async def push_campaign(
    plan: PushPlan, folder: Path, say: Callable[[str], None] = lambda line: None
) -> AsyncIterator[PushCampaign]:
    """Start the world of a campaign, which ends with the block."""
    async with running_push_world(folder, plan.workers) as world, running_receiver() as receiver:
        yield PushCampaign(plan, world, receiver, say)
