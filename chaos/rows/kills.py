"""Transfers over every bridge while workers, the service, PostgreSQL and Redis are killed: is every event told?"""

from chaos.bench import Bench
from chaos.push_campaign import PushCampaign, PushPlan, PushVerdict, push_campaign
from chaos.result import RowResult

TRANSFERS, KILLS, REFUSES_S = 200, 16, 40.0
THINGS = ("worker", "store", "service", "redis")
NAMES = {"worker": "workers", "store": "PostgreSQL", "service": "the service", "redis": "Redis", "disk": "disk full"}


async def run(bench: Bench) -> RowResult:
    plan = PushPlan(bench.seed, TRANSFERS, KILLS, REFUSES_S, things=THINGS)
    async with push_campaign(plan, await bench.service(), bench.say) as running:
        return result_of(running, await running.run())


def result_of(running: PushCampaign, verdict: PushVerdict) -> RowResult:
    """Put a campaign's verdict into the table's words."""
    receiver, reader = running.receiver, running.reader
    done = {
        "transfers": sum(verdict.sent.values()),
        **{
            f"killed {NAMES[thing]}" if thing != "disk" else NAMES[thing]: running.done[thing]
            for thing in running.plan.things
        },
        "messages refused": receiver.refused,
    }
    figures = (
        f"{verdict.events} events, {len(receiver.taken)} by webhooks and {len(reader.came)} by the stream over "
        f"{reader.connected} connections; ended as "
        + ", ".join(f"`{status}` {times}" for status, times in verdict.ended.most_common())
    )
    return RowResult(done, verdict.lost, verdict.doubled, verdict.wrong, figures)
