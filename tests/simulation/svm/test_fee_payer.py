"""What a run takes from a fee payer beyond what it was asked for is objected to, whatever checks it passed before."""

from typing import Any

import pytest

from rhumbline.devnet.svm.chain_setup import token
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import CloseAccount, SystemTransfer, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from rhumbline.simulation.svm.task import FeePayer
from tests.simulation.svm.trials import FRIEND, POOR, STABLE, THIEF, USDC, USER, Trials, account, create, name, unwrap

AMOUNT = 1000 * 10**6
SPONSOR, STRANGER, WALLET = name(FRIEND), name(THIEF), name(USER)
FEE = 10_000 + 28_000
_ASSIGN = (1).to_bytes(4, "little")


def sponsored(calls: list[SvmInstruction], trials: Trials, **said: Any) -> Any:
    """The task of calls that the sponsor pays for."""
    payer = FeePayer(SPONSOR, **{key: said.pop(key) for key in ("tip", "rents", "income") if key in said})
    return trials.task(calls, by=FRIEND, sender=WALLET, receiver=said.pop("receiver", WALLET), fee_payer=payer, **said)


def tokens_of_the_sponsor(kind: str) -> SvmInstruction:
    mine, usdc = account(FRIEND, "USDC"), token("USDC")
    return {
        "sent": TokenTransfer(SPL, mine, account(USER, "USDC"), SPONSOR, 1, str(usdc.mint), 6).encode(),
        "approved": TokenApproval(SPL, mine, STRANGER, SPONSOR, 1).encode(),
        "given": SvmInstruction(
            SPL,
            (AccountRole(mine, writable=True), AccountRole(SPONSOR, signer=True)),
            bytes([6, 2, 1]) + bytes(THIEF.pubkey()),
        ),
        "closed": CloseAccount(SPL, account(FRIEND, "WSOL"), STRANGER, SPONSOR).encode(),
    }[kind]


THEFTS = [
    ([SystemTransfer(SPONSOR, STRANGER, 1).encode()], "lamports from the fee payer"),
    ([SystemTransfer(SPONSOR, WALLET, 1).encode()], "lamports from the fee payer"),
    ([tokens_of_the_sponsor("sent")], "a token account of the fee payer's"),
    ([tokens_of_the_sponsor("approved")], "a token account of the fee payer's"),
    ([tokens_of_the_sponsor("given")], "a token account of the fee payer's"),
    ([tokens_of_the_sponsor("closed")], "a token account of the fee payer's"),
    (
        [
            SvmInstruction(
                SYSTEM, (AccountRole(SPONSOR, signer=True, writable=True),), _ASSIGN + bytes(token("USDC").program)
            )
        ],
        "owner of the fee payer's account",
    ),
]


@pytest.mark.parametrize(("added", "said"), THEFTS)
async def test_what_is_taken_from_the_fee_payer(trials: Trials, added: list[SvmInstruction], said: str) -> None:
    simulation = await trials.simulator.simulate(sponsored([trials.swap(STABLE, AMOUNT), *added], trials))
    assert simulation.result.status is ExecutionStatus.SUCCESS
    assert simulation.objection is not None
    assert said in simulation.objection


async def test_what_it_was_asked_for_is_no_fault(trials: Trials) -> None:
    """The tip and one account's rent; a lamport less in either statement, and it is one."""
    rent = trials.solana.server.chain.rent(165)
    calls = [
        create(FRIEND, POOR, "USDT"),
        trials.swap(STABLE, AMOUNT, to=POOR),
        SystemTransfer(SPONSOR, STRANGER, 5_000).encode(),
    ]
    made = {account(POOR, "USDT"): rent}
    for tip, rents, sound in ((5_000, made, True), (4_999, made, False), (5_000, {account(POOR, "USDT"): 1}, False)):
        task = sponsored(calls, trials, receiver=name(POOR), tip=tip, rents=rents)
        simulation = await trials.simulator.simulate(task)
        assert (simulation.objection is None) is sound
        # The wallet is not charged with it, so none of its own may be missing instead.
        assert simulation.measured_output is not None
    assert {each.amount for each in simulation.rent} == {rent}


async def test_rent_that_stays_with_the_sender_hides_no_theft_of_as_much(trials: Trials) -> None:
    """The sponsor makes an account that is closed to the wallet: what is taken of the wallet by that is seen."""
    rent = trials.solana.server.chain.rent(165)
    calls = [create(FRIEND, POOR, "WSOL"), unwrap(POOR), SystemTransfer(name(POOR), STRANGER, rent).encode()]
    payer = FeePayer(SPONSOR, rents={account(POOR, "WSOL"): rent})
    task = trials.task(
        calls, by=FRIEND, sender=name(POOR), receiver=name(POOR), input_token=USDC, output_token=NATIVE_SVM,
        fee_payer=payer,
    )  # fmt: skip
    simulation = await trials.simulator.simulate(task)
    assert simulation.objection == f"the call takes {rent} lamports from the sender, at most 0 are agreed, fees or rent"
    kept = trials.task(
        calls[:2], by=FRIEND, sender=name(POOR), receiver=name(POOR), output_token=NATIVE_SVM, fee_payer=payer
    )
    # Nor is it an output of the trade.
    assert (await trials.simulator.simulate(kept)).measured_output == 0
