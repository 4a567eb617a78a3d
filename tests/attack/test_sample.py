"""A seeded sample of the attack: no lie of it brings a loss, and none wins by a promise. `make attack` is the whole."""

import pytest

from attack.__main__ import KEYS
from attack.asks import ON_SOLANA_ALONE, SAMPLE
from attack.campaign import Campaign, Report
from attack.judge import Verdict
from attack.service import AttackedService

ON_EVM = [key for key in KEYS if key not in ON_SOLANA_ALONE]
SEED = 20_261_122
LIES = 5
# A busy machine settles late; whoever is not paid at all is waited for so long.
PATIENCE_S = 30.0


@pytest.mark.parametrize("key", ON_EVM)
async def test_no_lie_brings_a_loss(service: AttackedService, key: str) -> None:
    report = Report()
    await Campaign(service, SEED, LIES, PATIENCE_S, SAMPLE, most=2).attack(key, report)
    assert report.unsound == []
    assert len(report.outcomes) == LIES
    bad = [each for each in report.outcomes if each.verdict in (Verdict.LOST, Verdict.INFLATED)]
    assert [f"{each.lie}: {each.verdict}, {each.why}" for each in bad] == []
