"""A seeded sample of the attack: no lie of it brings a loss, and none wins by a promise. `make attack` is the whole."""

import pytest

from attack.__main__ import KEYS
from attack.asks import (
    FROM_SOLANA,
    NAMED,
    NAMED_ON_SOLANA,
    ON_SOLANA_ALONE,
    SAMPLE,
    SOLANA_SAMPLE,
    WITH_GAS,
    WITH_GAS_FROM_SOLANA,
)
from attack.campaign import Campaign, Report
from attack.judge import Verdict
from attack.outputs import attack_outputs
from attack.service import AttackedService
from attack.svm.campaign import SvmCampaign
from attack.svm.lies import GAS, PREFIX

ON_EVM = [key for key in KEYS if key not in ON_SOLANA_ALONE]
SEED = 20_261_122
LIES, LIES_ON_SOLANA, LIES_ON_REFUNDS, LIES_ON_GAS = 4, 4, 8, 8
# A busy machine settles late; whoever is not paid at all is waited for so long.
PATIENCE_S = 30.0


@pytest.mark.parametrize("key", ON_EVM)
async def test_no_lie_brings_a_loss(service: AttackedService, key: str) -> None:
    report = Report()
    await Campaign(service, SEED, LIES, PATIENCE_S, SAMPLE, most=2).attack(key, report)
    assert (report.unsound, bad(report, LIES)) == ([], [])


@pytest.mark.parametrize("key", ["NEAR_INTENTS", "OPENOCEAN", "RELAY"])
async def test_no_lie_about_an_output_brings_a_loss(service: AttackedService, key: str) -> None:
    """Of two whose upstreams take outputs, and one whose does not."""
    report = Report()
    await attack_outputs(Campaign(service, SEED, LIES, PATIENCE_S, SAMPLE, most=2), key, report)
    assert (report.unsound, bad(report, LIES)) == ([], [])


@pytest.mark.parametrize("key", ["ACROSS", "MAYAN_SWIFT", "NEAR_INTENTS", "RELAY", "SYMBIOSIS"])
async def test_no_lie_about_a_named_refund_brings_a_loss(service: AttackedService, key: str) -> None:
    report = Report()
    await Campaign(service, SEED, LIES_ON_REFUNDS, PATIENCE_S, NAMED, most=1).attack(key, report)
    assert (report.unsound, bad(report, LIES_ON_REFUNDS), report.honest) == ([], [], 2)


@pytest.mark.parametrize("key", ["MAYAN_SWIFT", "RELAY"])
async def test_no_lie_about_native_on_arrival_brings_a_loss(service: AttackedService, key: str) -> None:
    """What does not arrive of the native counts as lost, as the output does."""
    report = Report()
    await Campaign(service, SEED, LIES_ON_GAS, PATIENCE_S, WITH_GAS, most=1).attack(key, report)
    assert (report.unsound, bad(report, LIES_ON_GAS), report.honest) == ([], [], 2)


@pytest.mark.parametrize("key", ["MAYAN_SWIFT", "NEAR_INTENTS", "RELAY"])
async def test_no_lie_about_a_named_refund_on_solana_brings_a_loss(service: AttackedService, key: str) -> None:
    report = Report()
    await SvmCampaign(service, SEED, LIES_ON_REFUNDS, PATIENCE_S, NAMED_ON_SOLANA, most=1).attack(key, report)
    assert (report.unsound, bad(report, LIES_ON_REFUNDS), report.honest) == ([], [], 2)


@pytest.mark.parametrize("key", ["MAYAN_SWIFT", "RELAY"])
async def test_no_lie_about_native_from_solana_brings_a_loss(service: AttackedService, key: str) -> None:
    report, asks = Report(), WITH_GAS_FROM_SOLANA
    told = SvmCampaign(service, SEED, LIES_ON_GAS, PATIENCE_S, asks, most=1, kinds=(PREFIX + GAS,))
    await told.attack(key, report)
    assert (report.unsound, bad(report, LIES_ON_GAS), report.honest) == ([], [], 2)


@pytest.mark.parametrize("key", sorted(FROM_SOLANA))
async def test_no_lie_on_solana_brings_a_loss(service: AttackedService, key: str) -> None:
    report = Report()
    await SvmCampaign(service, SEED, LIES_ON_SOLANA, PATIENCE_S, SOLANA_SAMPLE, most=1).attack(key, report)
    assert (report.unsound, bad(report, LIES_ON_SOLANA)) == ([], [])
    assert not any(each.beyond for each in report.outcomes)


def bad(report: Report, lies: int) -> list[str]:
    assert len(report.outcomes) == lies
    wrong = [each for each in report.outcomes if each.verdict in (Verdict.LOST, Verdict.INFLATED)]
    return [f"{each.lie}: {each.verdict}, {each.missing:.1f} cents missing, {each.why}" for each in wrong]
