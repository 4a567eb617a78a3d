"""Transactions that take more than the input: each runs, and each is objected to."""

import pytest
from solders.keypair import Keypair

from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.plans import DECIMALS
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import CloseAccount, SystemTransfer, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from tests.simulation.svm.trials import (
    NATIVE_IN,
    NATIVE_OUT,
    SOL,
    STABLE,
    THIEF,
    USDC,
    USER,
    WRAPPED,
    Trials,
    account,
    name,
    unwrap,
    wrap,
)

AMOUNT = 1000 * 10**6
WALLET, STRANGER = name(USER), name(THIEF)


def send(symbol: str, amount: int) -> SvmInstruction:
    minted = token(symbol)
    source, target = account(USER, symbol), account(THIEF, symbol)
    decimals = DECIMALS[symbol]
    return TokenTransfer(str(minted.program), source, target, WALLET, amount, str(minted.mint), decimals).encode()


def authority(symbol: str, kind: int) -> SvmInstruction:
    """SetAuthority of the token program: 2 is whose an account is, 3 who may close it."""
    roles = (AccountRole(account(USER, symbol), writable=True), AccountRole(WALLET, signer=True))
    return SvmInstruction(SPL, roles, bytes([6, kind, 1]) + bytes(THIEF.pubkey()))


def approve(symbol: str, amount: int) -> SvmInstruction:
    return TokenApproval(SPL, account(USER, symbol), STRANGER, WALLET, amount).encode()


def close(symbol: str) -> SvmInstruction:
    return CloseAccount(SPL, account(USER, symbol), STRANGER, WALLET).encode()


THEFTS = [
    ("lamports", [SystemTransfer(WALLET, STRANGER, 1).encode()], "takes 33001 lamports"),
    ("more", [send("USDC", 1)], f"takes {AMOUNT + 1} of the input token"),
    ("other", [send("DAI", 1)], "takes other tokens of the sender's than the input"),
    ("taxed", [send("TAX", 1000)], "takes other tokens of the sender's than the input"),
    ("wrapped", [send("WSOL", 1)], "takes 33001 lamports"),
    ("owner", [authority("DAI", 2)], "changes the owner of a token account of the sender"),
    ("owner of the input", [authority("USDC", 2)], "changes the owner of a token account of the sender"),
    ("owner of the output", [authority("USDT", 2)], "changes the owner of a token account of the sender"),
    ("closer", [authority("DAI", 3)], "lets a stranger close a token account"),
    ("approval", [approve("DAI", 1)], "lets a stranger take tokens"),
    ("approval of the input", [approve("USDC", 1)], "lets a stranger take tokens"),
    ("approval of wrapped SOL", [approve("WSOL", 1)], "lets a stranger take tokens"),
    ("wrapped SOL closed", [close("WSOL")], "lamports from the sender"),
    ("account given away", [SvmInstruction(
        SYSTEM, (AccountRole(WALLET, signer=True, writable=True),), b"\x01\0\0\0" + bytes(THIEF.pubkey()))],
     "changes the owner of the sender's own account"),
]  # fmt: skip


@pytest.mark.parametrize(("calls", "words"), [each[1:] for each in THEFTS], ids=[each[0] for each in THEFTS])
async def test_a_theft_beside_an_honest_swap(trials: Trials, calls: list[SvmInstruction], words: str) -> None:
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), *calls])
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert simulation.objection is not None
    assert words in simulation.objection
    assert not simulation.wallet_fault


async def test_an_empty_account_is_not_closed_either(trials: Trials) -> None:
    await emptied(trials, "DAI")
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), close("DAI")])
    assert simulation.objection == f"the call closes a token account of the sender's ({account(USER, 'DAI')})"


async def emptied(trials: Trials, symbol: str) -> None:
    trials.execute([send(symbol, await trials.amount(account(USER, symbol)))])


@pytest.mark.parametrize(("delegate", "amount"), [(WALLET, AMOUNT), (STRANGER, AMOUNT + 1)])
async def test_the_delegate_is_the_tasks_and_has_no_more_than_the_amount(
    trials: Trials, delegate: str, amount: int
) -> None:
    simulation = await trials.tried([approve("USDC", amount)], delegate=delegate)
    assert "lets a stranger take tokens" in (simulation.objection or "")


async def test_a_delegate_takes_the_input_only(trials: Trials) -> None:
    simulation = await trials.tried([approve("USDT", 1)], delegate=STRANGER)
    assert "lets a stranger take tokens" in (simulation.objection or "")


async def test_what_was_approved_before_may_stand_where_the_run_does_not_touch_it(trials: Trials) -> None:
    trials.execute([approve("DAI", 7)])
    assert (await trials.tried([trials.swap(STABLE, AMOUNT)])).objection is None
    touched = await trials.tried([trials.swap(STABLE, AMOUNT), approve("DAI", 7)])
    assert f"from which {STRANGER} may take tokens: that must be revoked first" in (touched.objection or "")


async def test_a_fee_that_the_quote_says_may_be_taken(trials: Trials) -> None:
    calls = [trials.swap(STABLE, AMOUNT), SystemTransfer(WALLET, STRANGER, 500).encode()]
    assert (await trials.tried(calls, native_fee=500)).objection is None
    assert (await trials.tried(calls, native_fee=499)).objection is not None


async def test_native_input_is_bounded(trials: Trials) -> None:
    calls = [*wrap(USER, 2 * SOL), trials.swap(WRAPPED, 2 * SOL), SystemTransfer(WALLET, STRANGER, 1).encode()]
    simulation = await trials.tried(calls, **NATIVE_IN)
    assert f"takes {2 * SOL + 33001} lamports from the sender" in (simulation.objection or "")


async def test_wrapped_sol_that_is_closed_to_a_stranger(trials: Trials) -> None:
    """The output is what the wallet has, and it has less than before."""
    calls = [trials.swap(WRAPPED, AMOUNT, turned=True), unwrap(USER, THIEF)]
    simulation = await trials.tried(calls, **NATIVE_OUT)
    assert "lamports from the sender" in (simulation.objection or "")
    assert (simulation.result.simulated_output or 0) < 0


async def test_tokens_that_others_may_take_back_have_not_arrived(trials: Trials) -> None:
    calls = [trials.swap(STABLE, AMOUNT), approve("USDT", 10**9)]
    simulation = await trials.tried(calls)
    assert simulation.result.simulated_output == 0
    assert simulation.objection is not None


async def test_a_nonce_of_the_wallets_is_its_own(trials: Trials) -> None:
    """A nonce account that is paid out of, by its authority's signature, which the transaction has."""
    nonce = Keypair()
    rent = trials.solana.server.chain.rent(80)
    made = (
        SystemTransfer(WALLET, name(nonce), rent + SOL).encode(),
        SvmInstruction(
            SYSTEM, (AccountRole(name(nonce), signer=True, writable=True),), b"\x08\0\0\0" + (80).to_bytes(8, "little")
        ),
    )
    begun = SvmInstruction(SYSTEM, (
        AccountRole(name(nonce), writable=True), AccountRole("SysvarRecentB1ockHashes11111111111111111111"),
        AccountRole("SysvarRent111111111111111111111111111111111"),
    ), b"\x06\0\0\0" + bytes(USER.pubkey()))  # fmt: skip
    trials.execute([*made, begun], USER, nonce)
    taken = SvmInstruction(SYSTEM, (
        AccountRole(name(nonce), writable=True), AccountRole(STRANGER, writable=True),
        AccountRole("SysvarRecentB1ockHashes11111111111111111111"),
        AccountRole("SysvarRent111111111111111111111111111111111"), AccountRole(WALLET, signer=True),
    ), b"\x05\0\0\0" + SOL.to_bytes(8, "little"))  # fmt: skip
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), taken])
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert simulation.objection == f"the call changes an account that the sender controls ({name(nonce)})"


async def test_a_deposit_that_goes_elsewhere(trials: Trials) -> None:
    deposit = BridgeDeposit(USDC, AMOUNT, (account(USER, "USDT"), NATIVE_SVM))
    simulation = await trials.tried([send("USDC", AMOUNT)], output_token=None, deposit=deposit)
    assert simulation.objection == f"the bridge gains only 0 instead of {AMOUNT}"
