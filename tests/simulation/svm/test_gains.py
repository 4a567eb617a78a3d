"""Where an output may arrive: in the receiver's associated account, and only while nobody else has a right to that."""

from dataclasses import replace

import pytest
from solders.keypair import Keypair

from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenApproval
from rhumbline.gateways.svm.programs import SPL, SPL_2022
from rhumbline.gateways.svm.token_extensions import Extension
from rhumbline.gateways.svm.tokens import AccountState
from tests.simulation.svm.accounts_made_before import Prepared, extension
from tests.simulation.svm.trials import (
    FRIEND,
    SOL,
    STABLE,
    TAX,
    TAXED,
    THIEF,
    USER,
    WRAPPED_MINT,
    Trials,
    account,
    create,
    name,
)

AMOUNT = 1000 * 10**6


def into(swap: SvmInstruction, own: str, other: str) -> SvmInstruction:
    """The same swap, paid into another account."""
    roles = tuple(replace(role, address=other) if role.address == own else role for role in swap.accounts)
    return replace(swap, accounts=roles)


async def paid_into(trials: Trials, prepared: Prepared, *, usual: bool = False) -> Simulation:
    """A swap that pays an account which somebody has made for the wallet; the associated one stands in the list too."""
    usual_account = account(USER, "USDT")
    at = usual_account if usual else name(Keypair())
    prepared.put(trials, at, "USDT", USER)
    return await trials.tried([create(USER, USER, "USDT"), into(trials.swap(STABLE, AMOUNT), usual_account, at)])


async def test_an_account_that_a_stranger_made_and_may_close_is_no_output(trials: Trials) -> None:
    """Whoever may close it takes it away before the wallet signs, and makes it anew as an own one."""
    simulation = await paid_into(trials, Prepared(closer=THIEF))
    assert simulation.result.status is ExecutionStatus.SUCCESS
    assert simulation.result.simulated_output == 0
    assert f"that {name(THIEF)} may close: that must be revoked first" in (simulation.objection or "")


async def test_an_account_of_the_wallets_that_is_not_the_associated_one_is_no_output(trials: Trials) -> None:
    """Nobody has a right to it, but it is not where a wallet looks for its tokens."""
    simulation = await paid_into(trials, Prepared())
    assert simulation.result.simulated_output == 0
    assert simulation.below_minimum


@pytest.mark.parametrize(
    ("prepared", "words"),
    [
        (Prepared(closer=THIEF), "may close: that must be revoked first"),
        (Prepared(closer=FRIEND, amount=5), "may close: that must be revoked first"),
        (Prepared(delegate=THIEF, allowed=1), "may take tokens: that must be revoked first"),
        (Prepared(delegate=THIEF, allowed=2**64 - 1, amount=7), "may take tokens: that must be revoked first"),
    ],
)
async def test_rights_that_others_had_before_are_refused(trials: Trials, prepared: Prepared, words: str) -> None:
    simulation = await paid_into(trials, prepared, usual=True)
    assert simulation.result.simulated_output == 0
    assert words in (simulation.objection or "")
    assert account(USER, "USDT") in (simulation.objection or "")


@pytest.mark.parametrize("prepared", [Prepared(amount=3), Prepared(closer=USER), Prepared(delegate=THIEF)])
async def test_an_account_that_nobody_else_may_take_from_is_as_good_as_a_new_one(
    trials: Trials, prepared: Prepared
) -> None:
    """The wallet itself may close it; a delegate of nothing may take nothing."""
    simulation = await paid_into(trials, prepared, usual=True)
    assert simulation.objection is None
    assert (simulation.result.simulated_output or 0) > 990 * 10**6


async def test_a_frozen_account_receives_nothing(trials: Trials) -> None:
    simulation = await paid_into(trials, Prepared(state=AccountState.FROZEN), usual=True)
    assert simulation.result.status is ExecutionStatus.REVERTED
    assert "Custom 12 (0xc)" in (simulation.result.reason or "")


async def test_the_delegate_that_the_quote_agrees_to_may_have_the_input_from_before(trials: Trials) -> None:
    """What an earlier try left allowed; more than the input is none of it."""
    trials.execute([TokenApproval(SPL, account(USER, "USDC"), name(FRIEND), name(USER), AMOUNT).encode()])
    calls = [trials.swap(STABLE, AMOUNT)]
    assert (await trials.tried(calls, delegate=name(FRIEND))).objection is None
    assert "may take tokens" in ((await trials.tried(calls)).objection or "")
    less = await trials.tried(calls, delegate=name(FRIEND), input_amount=AMOUNT - 1)
    assert "may take tokens" in (less.objection or "")


FEES = extension(Extension.TRANSFER_FEE_AMOUNT, bytes(8))
CONFIDENTIAL = bytes(262) + bytes([1]) + bytes(32)


@pytest.mark.parametrize(
    ("behind", "arrives", "words"),
    [
        (extension(Extension.IMMUTABLE_OWNER), True, ""),
        (extension(Extension.CPI_GUARD, b"\x01"), True, ""),
        (extension(Extension.MEMO_TRANSFER, b"\x00"), True, ""),
        (extension(Extension.CONFIDENTIAL_TRANSFER_ACCOUNT, CONFIDENTIAL), True, ""),
        (extension(Extension.MEMO_TRANSFER, b"\x01"), False, "No memo"),
        (extension(Extension.CONFIDENTIAL_TRANSFER_ACCOUNT, bytes(295)), False, "Custom 49 (0x31)"),
    ],
)
async def test_an_account_of_token_2022_with_each_extension(
    trials: Trials, behind: bytes, arrives: bool, words: str
) -> None:
    Prepared(extensions=FEES + behind).put(trials, account(USER, "TAX"), "TAX", USER)
    simulation = await trials.tried(
        [trials.swap(TAXED, SOL)], input_token=WRAPPED_MINT, input_amount=SOL, output_token=TAX, min_output=1
    )
    assert (simulation.result.status is ExecutionStatus.SUCCESS) == arrives, simulation.result.reason
    assert (simulation.result.simulated_output is not None and simulation.result.simulated_output > 0) == arrives
    assert words in (simulation.result.reason or "")
    assert simulation.objection is None


async def test_a_guarded_account_lets_no_program_take_the_input(trials: Trials) -> None:
    """The run shows it; a swap is refused before that, in words."""
    behind = FEES + extension(Extension.CPI_GUARD, b"\x01")
    Prepared(amount=10**10, extensions=behind).put(trials, account(USER, "TAX"), "TAX", USER)
    simulation = await trials.tried(
        [trials.swap(TAXED, 10**9, turned=True)], input_token=TAX, input_amount=10**9, output_token=WRAPPED_MINT
    )
    assert simulation.result.status is ExecutionStatus.REVERTED
    assert "Custom 42 (0x2a)" in (simulation.result.reason or "")


@pytest.mark.parametrize("switch", [b"\x1e\x00", b"\x22\x00"], ids=["memo", "guard"])
async def test_a_call_that_changes_what_an_account_accepts(trials: Trials, switch: bytes) -> None:
    """With the wallet's signature a program may switch on that every later transfer needs a memo."""
    behind = FEES + extension(Extension.MEMO_TRANSFER, b"\x00") + extension(Extension.CPI_GUARD, b"\x00")
    Prepared(extensions=behind).put(trials, account(USER, "TAX"), "TAX", USER)
    roles = (AccountRole(account(USER, "TAX"), writable=True), AccountRole(name(USER), signer=True))
    simulation = await trials.tried(
        [trials.swap(TAXED, SOL), SvmInstruction(SPL_2022, roles, switch)],
        input_token=WRAPPED_MINT, input_amount=SOL, output_token=TAX, min_output=1,
    )  # fmt: skip
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert "changes what a token account of the sender's accepts" in (simulation.objection or "")


async def test_lamports_that_lie_in_a_token_account_stay_there(trials: Trials) -> None:
    """Anybody may send them there; Token-2022 lets the owner take them, and so a program with the owner's signature."""
    Prepared(extensions=FEES).put(trials, account(USER, "TAX"), "TAX", USER)
    trials.execute([SystemTransfer(name(USER), account(USER, "TAX"), SOL).encode()])
    roles = (
        AccountRole(account(USER, "TAX"), writable=True), AccountRole(name(THIEF), writable=True),
        AccountRole(name(USER), signer=True),
    )  # fmt: skip
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), SvmInstruction(SPL_2022, roles, b"\x26")])
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert "takes lamports from a token account of the sender's" in (simulation.objection or "")
