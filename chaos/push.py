"""Transfers over every bridge while processes and the store are killed and a receiver fails: is every event told?

Exit status 1 where an event is lost, told out of order or not signed.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from chaos.push_campaign import PushCampaign, PushPlan, PushVerdict, push_campaign

_LONGEST_S = 40 * 60


def table(run: PushCampaign, verdict: PushVerdict) -> str:
    """Write what was done and the result."""
    receiver, reader = run.receiver, run.reader
    rows = [
        *(("transfers by", f"{adapter}: {count}") for adapter, count in sorted(verdict.sent.items())),
        *(("outcome", f"{outcome}: {count}") for outcome, count in sorted(verdict.outcomes.items())),
        *(("ended as", f"{status}: {count}") for status, count in sorted(verdict.ended.items())),
        *(("killed", f"{thing}: {count}") for thing, count in sorted(run.done.items())),
        ("events", f"{verdict.events}"),
        ("messages", f"{len(receiver.taken)} taken, {receiver.refused} refused, {receiver.repeated} more than once"),
        ("stream", f"{len(reader.came)} events, {reader.connected} connections, {reader.repeated} more than once"),
        ("asked again", ", ".join(f"{why}: {count}" for why, count in run.transfers.retried.most_common(5)) or "never"),
        ("after the last transfer", f"{run.settled_s:.0f} s until all had arrived"),
        ("amiss", f"{len(verdict.faults)}"),
    ]
    return "\n".join(f"{name:<24} {value}" for name, value in rows)


async def _run(plan: PushPlan) -> int:
    with tempfile.TemporaryDirectory(prefix="rhumbline-push-") as folder:
        # The server's own user must enter it where we are root.
        Path(folder).chmod(0o755)
        began = time.monotonic()
        async with asyncio.timeout(_LONGEST_S), push_campaign(plan, Path(folder), partial(print, flush=True)) as run:
            verdict = await run.run()
            print(f"\nseed {plan.seed}, {time.monotonic() - began:.0f} s\n\n{table(run, verdict)}")
            for fault in verdict.faults[:30]:
                print(fault)
            return 0 if verdict.is_good else 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m chaos.push", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="what happens when (default 1)")
    parser.add_argument("--transfers", type=int, default=300, help="how many are sent (default 300)")
    parser.add_argument("--kills", type=int, default=12, help="how often something is killed (default 12)")
    parser.add_argument("--fails", type=float, default=60.0, help="seconds for which the receiver fails (default 60)")
    given = parser.parse_args()
    sys.exit(asyncio.run(_run(PushPlan(given.seed, given.transfers, given.kills, given.fails))))


if __name__ == "__main__":
    main()
