"""Answers for Solana are taken apart and put together again, and what a stranger takes of a wallet is seen."""

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction

import pytest
from solders.signature import Signature

from attack.asks import FROM_SOLANA, SOLANA_SAMPLE
from attack.judge import Verdict
from attack.lies import Lie
from attack.purse import Change
from attack.service import AttackedService
from attack.svm.beforehand import Trap, trap_data
from attack.svm.campaign import SvmCampaign
from attack.svm.costs import ACCOMPLICE
from attack.svm.facts import STRANGER
from attack.svm.judge import judged
from attack.svm.lies import CHAIN, KINDS, PREFIX, altered_answer
from attack.svm.scene import Done, SvmScene
from attack.svm.written import pieces, recompiled, wholes
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.decompiler import decompile, lookup_tables_of
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.programs import SPL
from rhumbline.gateways.svm.tokens import read_token_account

WITH_INSTRUCTIONS = ("ACROSS", "DFLOW", "JUPITER", "OKX", "RELAY", "RISE")


async def scene_of(service: AttackedService, key: str) -> SvmScene:
    (scene,) = await SvmCampaign(service, 1, asks=SOLANA_SAMPLE, most=1).scenes(key)
    return scene


@pytest.mark.parametrize("key", WITH_INSTRUCTIONS)
async def test_what_is_not_altered_stays_as_it_is(service: AttackedService, key: str) -> None:
    scene = await scene_of(service, key)
    found = 0
    for said in scene.answers:
        document = deepcopy(said.document)
        for piece in pieces(document, scene.tables):
            found += len(piece.instructions)
            piece.write(piece.instructions)
        again = pieces(document, scene.tables)
        own = pieces(said.document, scene.tables)
        assert [each.instructions for each in again] == [each.instructions for each in own]
    assert found


@pytest.mark.parametrize("key", sorted(FROM_SOLANA))
async def test_a_lie_is_the_same_whenever_it_is_told(service: AttackedService, key: str) -> None:
    scene = await scene_of(service, key)
    lies = SvmCampaign(service, 3, 12).planned([scene])
    assert len(lies) == 12
    assert lies == SvmCampaign(service, 3, 12).planned([scene])
    facts = scene.svm_facts()
    for lie in lies:
        once, again = ([altered_answer(lie, said, facts) for said in scene.answers] for _ in range(2))
        assert json.dumps(once) == json.dumps(again)
        assert lie.kind == PREFIX + CHAIN or any(each is not None for each in once)


async def test_every_kind_of_lie_is_told_by_somebody(service: AttackedService) -> None:
    found = set()
    for key in ("DFLOW", "RELAY"):
        found |= {lie.kind for lie in SvmCampaign(service, 5, 60).planned([await scene_of(service, key)])}
    assert found == set(KINDS)


async def with_added(scene: SvmScene, answer: RouteAnswer, added: SvmInstruction) -> RouteAnswer:
    """What a service would answer that believed everything."""
    transaction = answer.transaction
    assert isinstance(transaction, SvmTransaction)
    tables = [scene.tables[each] for each in lookup_tables_of(transaction.data[65:])]
    read = decompile(transaction.data, tables)
    data = recompiled(read.payer, [*read.instructions, added], tables, read.blockhash)
    return replace(answer, transaction=replace(transaction, data=data))


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("nothing", "delivered"), ("tokens", "lost"), ("lamports", "lost"), ("approval", "lost")],
)
async def test_what_a_stranger_takes_is_seen(service: AttackedService, name: str, verdict: str) -> None:
    scene = await scene_of(service, "JUPITER")
    me, mint = scene.pair.sender, service.token("sbxs", "DAI").address
    facts = scene.svm_facts()
    mine, theirs = facts.account(me, mint), facts.account(STRANGER, mint)
    added = {
        "nothing": SystemTransfer(me, me, 1).encode(),
        "tokens": TokenTransfer(SPL, mine, theirs, me, 10**9).encode(),
        "lamports": SystemTransfer(me, STRANGER, 10**7).encode(),
        "approval": TokenApproval(SPL, mine, STRANGER, me, 1).encode(),
    }[name]
    answer, honest = await scene.answered(scene.upstreams.honest), await scene.honest()
    assert answer is not None
    assert honest is not None
    async with scene.apart():
        done = await scene.done(await with_added(scene, answer, added), 0)
    outcome = judged(scene, Lie("JUPITER", 0, "svm:add", 0), honest, answer, done)
    assert outcome.verdict is Verdict(verdict), outcome
    assert (done.beyond > 0) == (name in ("tokens", "lamports"))


@pytest.mark.parametrize("trap", list(Trap))
def test_a_trap_is_the_receivers_by_its_owner(trap: Trap) -> None:
    data = trap_data(bytes(108) + b"\x01" + bytes(56), STRANGER, trap)
    account = read_token_account(STRANGER, Account(10**9, SPL, data, executable=False))
    assert account.owner == STRANGER
    assert account.amount == 0
    assert (account.close_authority is not None) == (trap in (Trap.CLOSABLE, Trap.BOTH))
    assert (account.delegated_amount > 0) == (trap in (Trap.DELEGATED, Trap.BOTH))
    assert account.frozen == (trap is Trap.FROZEN)


async def test_an_accomplice_signs_what_is_passed_on(service: AttackedService) -> None:
    scene = await scene_of(service, "DFLOW")
    facts, signed = scene.svm_facts(), 0
    for seed in range(20):
        for said in scene.answers:
            document = altered_answer(Lie("DFLOW", 0, "svm:sealed", seed), said, facts)
            for whole in [] if document is None else wholes(document, scene.tables):
                signatures = dict(zip(whole.read.signers, _signatures(whole.data), strict=True))
                signature = signatures[str(ACCOMPLICE.pubkey())]
                signed += Signature.from_bytes(signature).verify(ACCOMPLICE.pubkey(), whole.read.message)
    assert signed


def _signatures(transaction: bytes) -> list[bytes]:
    return [transaction[1 + 64 * each : 65 + 64 * each] for each in range(transaction[0])]


@pytest.mark.parametrize(("share", "verdict"), [(Fraction(1, 500), "returned"), (Fraction(9, 10), "lost")])
async def test_what_a_relayer_may_take_of_an_order_that_nobody_fills_is_lost(
    service: AttackedService, share: Fraction, verdict: str
) -> None:
    scene = await scene_of(service, "MAYAN_MCTP")
    answer, honest = await scene.answered(scene.upstreams.honest), await scene.honest()
    assert answer is not None
    assert honest is not None
    asked, token = scene.ask.amount, scene.tokens[0]
    fee = FeeItem(FeeType.RELAYER, int(asked * share), token)
    answer = replace(answer, fees=replace(answer.fees, items=(fee,)))
    done = Done(ok=True, result=Change(0, asked, Fraction(0)), opened=False, held=scene.value())
    outcome = judged(scene, Lie("MAYAN_MCTP", 0, "svm:fee", 0), honest, answer, done)
    assert outcome.verdict is Verdict(verdict), outcome
