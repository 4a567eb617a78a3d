"""Every upstream lies, structurally altered answers among the lies, and what the service answers is executed.

It is a part of `make attack`, whose judge decides: no lie may bring less than the honest answer, and none may win over
an honest rival by a promise.
"""

import asyncio
from collections import Counter

from attack.asks import FROM_SOLANA, ON_SOLANA_ALONE, SAMPLE, SOLANA_SAMPLE
from attack.campaign import Campaign, Report
from attack.judge import Verdict
from attack.service import open_service
from attack.svm.campaign import SvmCampaign
from chaos.bench import Bench
from chaos.result import RowResult
from rhumbline.app.registry import SPECS

LIES = 12
PATIENCE_S = 30.0
_KEYS = tuple(sorted(spec.key for spec in SPECS))


async def run(bench: Bench) -> RowResult:
    # It has chains of its own, for which there is room now.
    await bench.end_service()
    report, attacked = Report(), Counter[str]()
    async with open_service() as service:
        for key in _KEYS:
            if key in FROM_SOLANA:
                await SvmCampaign(service, bench.seed, LIES, PATIENCE_S, SOLANA_SAMPLE, most=2).attack(key, report)
                attacked[key] += 1
            if key not in ON_SOLANA_ALONE:
                await Campaign(service, bench.seed, LIES, PATIENCE_S, SAMPLE, most=2).attack(key, report)
                attacked[key] += 1
            await asyncio.sleep(0)
    return judged(report, len(attacked))


def judged(report: Report, upstreams: int) -> RowResult:
    """Put an attack's verdicts into the table's words."""
    lost = [f"{each.lie}: {each.why}" for each in report.outcomes if each.verdict is Verdict.LOST]
    lost += [f"{each.lie}: {each.beyond / 100:.2f} USD were not stated" for each in report.outcomes if each.beyond]
    wrong = [f"{each.lie}: {each.why}" for each in report.outcomes if each.verdict is Verdict.INFLATED]
    wrong += [f"without a lie: {each}" for each in report.unsound]
    counts = Counter(each.verdict.value for each in report.outcomes)
    done = {"upstreams": upstreams, "lies": len(report.outcomes), "honest answers": report.honest}
    return RowResult(done, lost, (), wrong, ", ".join(f"{name} {times}" for name, times in counts.most_common()))
