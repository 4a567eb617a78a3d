"""A seeded sample of the attack on what begins on Solana: nothing of it brings a loss."""

import pytest

from attack.asks import FROM_SOLANA, SOLANA_SAMPLE
from attack.campaign import Report
from attack.judge import Verdict
from attack.service import AttackedService
from attack.svm.campaign import SvmCampaign

SEED = 20_261_122
LIES = 6
# A busy machine settles late; whoever is not paid at all is waited for so long.
PATIENCE_S = 30.0


@pytest.mark.parametrize("key", sorted(FROM_SOLANA))
async def test_no_lie_brings_a_loss(service: AttackedService, key: str) -> None:
    report = Report()
    await SvmCampaign(service, SEED, LIES, PATIENCE_S, SOLANA_SAMPLE, most=1).attack(key, report)
    assert report.unsound == []
    assert len(report.outcomes) == LIES
    bad = [each for each in report.outcomes if each.verdict in (Verdict.LOST, Verdict.INFLATED) or each.beyond]
    assert [f"{each.lie}: {each.verdict}, {each.why}" for each in bad] == []
