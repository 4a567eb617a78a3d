"""Accounts of the runtime's programs that the wallet is in charge of: no route has anything to do with them."""

from struct import pack

import pytest
from solders.account import Account
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.domain.deposit import BURNT, BridgeDeposit
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import LOADERS, LOOKUP_TABLES, SPL, VOTES
from tests.simulation.svm.accounts_made_before import Prepared
from tests.simulation.svm.trials import FRIEND, STABLE, THIEF, USDC, USER, Trials, account, name

AMOUNT = 1000 * 10**6
WALLET = name(USER)


def put(trials: Trials, data: bytes, owner: str) -> str:
    """Lay an account somewhere."""
    at, chain = Keypair().pubkey(), trials.solana.server.chain
    chain.set_account(at, Account(chain.rent(len(data)), data, Pubkey.from_string(owner)))
    return str(at)


def own_token(trials: Trials) -> str:
    """A token that the wallet may mint, and freeze."""
    key = bytes(USER.pubkey())
    return put(trials, pack("<I32sQB?I32s", 1, key, 10**9, 6, True, 1, key), SPL)


def holding(trials: Trials, mint: str, owner: Keypair, amount: int) -> str:
    names = bytes(Pubkey.from_string(mint)), bytes(owner.pubkey())
    return put(trials, pack("<32s32sQI32sBIQQI32s", *names, amount, 0, bytes(32), 1, 0, 0, 0, 0, bytes(32)), SPL)


async def test_a_token_of_the_wallets_is_not_minted(trials: Trials) -> None:
    """The venue's program has the wallet's signature, and the wallet's token has a price."""
    mint = own_token(trials)
    target = holding(trials, mint, THIEF, 0)
    roles = (AccountRole(mint, writable=True), AccountRole(target, writable=True), AccountRole(WALLET, signer=True))
    minted = SvmInstruction(SPL, roles, b"\x07" + (1).to_bytes(8, "little"))
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), minted])
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert simulation.objection == f"the call changes an account that the sender controls ({mint})"


@pytest.mark.parametrize("kind", [0, 1], ids=["minting", "freezing"])
async def test_the_right_to_mint_and_to_freeze_is_not_given_away(trials: Trials, kind: int) -> None:
    mint = own_token(trials)
    roles = (AccountRole(mint, writable=True), AccountRole(WALLET, signer=True))
    given = SvmInstruction(SPL, roles, bytes([6, kind, 1]) + bytes(THIEF.pubkey()))
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), given])
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert simulation.objection == f"the call changes an account that the sender controls ({mint})"


async def test_a_token_of_the_wallets_own_may_be_burnt_by_a_bridge(trials: Trials) -> None:
    mint = own_token(trials)
    held = holding(trials, mint, USER, 50)
    roles = (AccountRole(held, writable=True), AccountRole(mint, writable=True), AccountRole(WALLET, signer=True))
    burn = SvmInstruction(SPL, roles, b"\x08" + (50).to_bytes(8, "little"))
    simulation = await trials.tried(
        [burn], input_token=mint, input_amount=50, output_token=None, deposit=BridgeDeposit(mint, 50, (BURNT,))
    )
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert simulation.objection is None


async def test_what_others_allowed_the_wallet_is_not_taken(trials: Trials) -> None:
    """Somebody trusts the wallet with an account; whoever has its signature could take from that, too."""
    trusting = name(Keypair())
    Prepared(delegate=USER, allowed=9, amount=9).put(trials, trusting, "USDC", FRIEND)
    taken = TokenTransfer(SPL, trusting, account(THIEF, "USDC"), WALLET, 9, USDC, 6).encode()
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), taken])
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert simulation.objection == f"the call changes an account that the sender controls ({trusting})"


@pytest.mark.parametrize("owner", [*sorted(LOADERS), LOOKUP_TABLES, VOTES])
@pytest.mark.parametrize("whose", [USER, FRIEND])
async def test_a_program_a_table_or_a_vote_account_of_the_wallets_is_not_even_named(
    trials: Trials, owner: str, whose: Keypair
) -> None:
    kept = put(trials, bytes(12) + bytes(whose.pubkey()) + bytes(40), owner)
    named = SystemTransfer(WALLET, WALLET, 0, (AccountRole(kept, writable=True),)).encode()
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), named])
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    words = f"the call may change an account that the sender controls ({kept})"
    assert simulation.objection == (words if whose is USER else None)
