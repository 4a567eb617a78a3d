"""Swaps on an EVM chain and on Solana while nodes lie, leaders freeze, processes are killed and clocks jump."""

from collections import Counter
from collections.abc import Sequence

from chaos.bench import Bench
from chaos.campaign import Campaign, Plan, campaign
from chaos.judge import WITHIN_S, Verdict
from chaos.result import RowResult

SWAPS, SPELLS, TROUBLE_S, CALM_S = 500, 6, 25.0, 30.0
DONE = ("clocks moved", "leaders frozen", "processes killed", "store cut off")


async def run(bench: Bench) -> RowResult:
    folder = bench.own_folder("nodes")
    plan = Plan(bench.seed, SWAPS, SPELLS, TROUBLE_S, CALM_S)
    async with campaign(plan, folder, lambda line: bench.say(f"  {line}")) as running:
        verdict = await running.run()
        bench.keep_logs(folder)
        return result_of(running, verdict)


def result_of(running: Campaign, verdict: Verdict) -> RowResult:
    """Put a campaign's verdict into the table's words."""
    market, solana = running.world.market.chain.key, running.world.solana.rpc.name
    altered = Counter[str]()
    for key, endpoints in running.world.endpoints.items():
        for way in running.world.ways[key]:
            altered[way] += sum(each.counts[way] for each in endpoints)
    done = {
        "swaps on an EVM chain": verdict.sent[market],
        "swaps on Solana": verdict.sent[solana],
        **{what: running.done[what] for what in DONE},
        "answers of nodes altered or withheld": altered.total(),
        "ways of it": sum(bool(times) for times in altered.values()),
    }
    late = [f"{each} was listed later than {WITHIN_S:.0f} s after the trouble" for each in verdict.late]
    strange = [f"{each} is a record of nothing that was sent" for each in verdict.strange]
    figures = "; ".join(
        f"{key}: listed after {_figures(waits)}" for key, waits in sorted(verdict.waits.items()) if waits
    )
    return RowResult(done, verdict.lost, verdict.doubled, [*verdict.wrong, *strange, *late], figures)


def _figures(waits: Sequence[float]) -> str:
    ordered = sorted(waits)
    middle, most, last = (ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.95, 1.0))
    return f"{middle:.1f} s (median), {most:.1f} s (95 %), {last:.1f} s (the last)"
