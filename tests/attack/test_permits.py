"""A seeded sample of the lies about permits, and that they are found where a check is left out."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from attack.campaign import Campaign, Report
from attack.judge import Verdict
from attack.lies import Lie
from attack.permits import judge
from attack.permits.campaign import KINDS, PermitCampaign
from attack.permits.claims import CLAIMS, GENEROUS
from attack.permits.thief import THIEF
from attack.scene import Scene
from attack.service import AttackedService
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.routing.evm import permit_support, permits
from rhumbline.routing.evm.permit_call import token_permit
from tests.attack.test_sample import PATIENCE_S, SEED, bad

KEY = "KYBERSWAP"


@pytest.fixture(scope="module")
def campaign(service: AttackedService) -> PermitCampaign:
    return PermitCampaign(Campaign(service, SEED, patience_s=PATIENCE_S), each=1)


@pytest.fixture(scope="module")
async def scenes(campaign: PermitCampaign) -> list[Scene]:
    return await campaign.scenes(KEY)


async def test_no_lie_about_a_permit_brings_a_loss(campaign: PermitCampaign) -> None:
    report = Report()
    await campaign.attack("ACROSS", report)
    assert (report.unsound, bad(report, len(KINDS))) == ([], [])


def lie_of(kind: str, mode: int) -> Lie:
    """Return a lie by which the input token makes this claim to a wallet that has not approved Permit2."""
    modes = [claim.mode for claim in CLAIMS[kind]]
    found = (seed for seed in range(10_000) if random.Random(seed).random() >= 0.5)
    return Lie(KEY, 0, f"permit:{kind}", next(seed for seed in found if seed % len(modes) == modes.index(mode)))


async def test_a_claim_that_only_its_victim_sees_is_harmless(campaign: PermitCampaign, scenes: list[Scene]) -> None:
    outcome = await campaign.judged(scenes, lie_of("token", GENEROUS))
    assert outcome.verdict is Verdict.DELIVERED, outcome.why


TOKEN_PERMIT, RUN = token_permit, permits.PermitOffers._run


def signing(changes: Mapping[str, str]) -> Any:
    """Have something else signed than was asked for."""

    def made(*arguments: Any) -> Mapping[str, object]:
        told: Any = TOKEN_PERMIT(*arguments)
        return {**told, "message": {**told["message"], **changes}}

    return made


async def succeeding(offers: permits.PermitOffers, *arguments: Any) -> Any:
    """Take a trial by another wallet for a success, whatever it shows."""
    found = await RUN(offers, *arguments)
    return found and replace(found, result=replace(found.result, status=ExecutionStatus.SUCCESS), gas_limit=None)


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permits.PermitOffers, "_run", succeeding)
    monkeypatch.setattr(permits, "fault_of", lambda *_: None)


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize(
    ("changes", "read", "words"),
    [
        ({"value": str(2**256 - 1)}, True, "not what was answered: amount"),
        ({"spender": THIEF}, True, "not what was answered: spender"),
        # Whoever signs it unread is robbed.
        ({"spender": THIEF}, False, "before the wallet sent anything: 250000000 taken by a call of " + THIEF),
    ],
)
async def test_a_permit_for_more_than_the_order_is_found(
    campaign: PermitCampaign,
    scenes: list[Scene],
    monkeypatch: pytest.MonkeyPatch,
    changes: Mapping[str, str],
    read: bool,
    words: str,
) -> None:
    monkeypatch.setattr(permits, "token_permit", signing(changes))
    if not read:
        monkeypatch.setattr(judge, "beyond_the_order", lambda *_: "")
    outcome = await campaign.judged(scenes, Lie(KEY, 0, "permit:spender", 0))
    assert (outcome.verdict, words in outcome.why) == (Verdict.LOST, True), outcome.why


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize(("kind", "mode"), [("domain", 1), ("nonce", 10), ("token", 20)])
async def test_a_permit_that_fails_for_everybody_is_found(
    campaign: PermitCampaign, scenes: list[Scene], monkeypatch: pytest.MonkeyPatch, kind: str, mode: int
) -> None:
    """It is offered where no other wallet tries it first, and the token is believed its domain."""
    monkeypatch.setattr(permit_support, "_domain", lambda _, described, named, *__: believed(described, named))
    outcome = await campaign.judged(scenes, lie_of(kind, mode))
    assert (outcome.verdict, outcome.why) == (Verdict.LOST, "a permit was offered that fails for everybody")


def believed(described: bytes | None, named: tuple[str | None, str | None]) -> Any:
    return next(permit_support._claimed(described, *named), None)
