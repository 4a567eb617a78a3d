"""`make chaos`: 1,000 transactions while nodes lie, leaders freeze and clocks are wrong.

Exit status 1 where a record is lost, doubled, wrong or late.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from chaos.campaign import Campaign, Plan, campaign
from chaos.judge import WITHIN_S, Verdict

SPELL_S, CALM_S = 25.0, 35.0
_LONGEST_S = 15 * 60


def _figures(waits: list[float]) -> str:
    ordered = sorted(waits)
    last = len(ordered) - 1
    return " | ".join(f"{ordered[min(last, int(len(ordered) * part))]:.1f} s" for part in (0.5, 0.95, 1.0))


def table(run: Campaign, verdict: Verdict) -> str:
    """Write what was done and the result."""
    lines = [
        "| chain | sent | listed, without trouble's time: half | 95 % | the last |",
        "|---|---|---|---|---|",
        *(
            f"| {key} | {verdict.sent[key]} | {_figures(waits)} |"
            for key, waits in sorted(verdict.waits.items())
            if waits
        ),
        "",
        "| what was done | times |",
        "|---|---|",
        *(f"| {what} | {times} |" for what, times in sorted(run.done.items())),
        "",
        "| an endpoint | answers |",
        "|---|---|",
    ]
    for key, endpoints in sorted(run.world.endpoints.items()):
        for way in ("honest", *run.world.ways[key]):
            lines.append(f"| {key}: {way} | {sum(each.counts[way] for each in endpoints)} |")
    lines += [
        "",
        f"lost {len(verdict.lost)}, doubled {len(verdict.doubled)}, wrong {len(verdict.wrong)}, nobody's "
        f"{len(verdict.strange)}, later than {WITHIN_S:.0f} s after the trouble {len(verdict.late)}",
    ]
    return "\n".join(lines)


async def _run(plan: Plan) -> int:
    with tempfile.TemporaryDirectory(prefix="rhumbline-chaos-") as folder:
        # The server's own user must enter it where we are root.
        Path(folder).chmod(0o755)
        began = time.monotonic()
        say = partial(print, flush=True)
        async with asyncio.timeout(_LONGEST_S), campaign(plan, Path(folder), say) as run:
            verdict = await run.run()
            print(f"\nseed {plan.seed}, {time.monotonic() - began:.0f} s\n\n{table(run, verdict)}")
            for kind in ("lost", "doubled", "wrong", "strange", "late"):
                for each in getattr(verdict, kind)[:10]:
                    print(f"{kind}: {each}")
            return 0 if verdict.is_good else 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="what happens when (default 1)")
    parser.add_argument("--transactions", type=int, default=1000, help="how many are sent (default 1000)")
    parser.add_argument("--spells", type=int, default=12, help="spells of trouble, one a minute (default 12)")
    arguments = parser.parse_args()
    sys.exit(asyncio.run(_run(Plan(arguments.seed, arguments.transactions, arguments.spells, SPELL_S, CALM_S))))


if __name__ == "__main__":
    main()
