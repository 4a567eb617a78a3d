"""For whose accounts the wallet pays: the rent is told account by account, and a stranger's is refused."""

from struct import pack

import pytest
from solders.keypair import Keypair

from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.simulation import AccountRent, ExecutionStatus
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.programs import SYSTEM
from tests.simulation.svm.test_run import paid
from tests.simulation.svm.trials import (
    FEE,
    NATIVE_OUT,
    SOL,
    STABLE,
    THIEF,
    USDC,
    USER,
    WRAPPED,
    WRAPPED_MINT,
    Trials,
    account,
    create,
    name,
    unwrap,
)

AMOUNT = 1000 * 10**6
WALLET, STRANGER = name(USER), name(THIEF)


def rent(trials: Trials, size: int = 165) -> int:
    return trials.solana.server.chain.rent(size)


async def test_a_receivers_account_costs_its_rent_and_that_is_told(trials: Trials) -> None:
    """What the answer states is what really leaves the wallet."""
    new = Keypair()
    calls = [create(USER, new, "USDT"), trials.swap(STABLE, AMOUNT, to=new)]
    simulation = await trials.tried(calls, receiver=name(new))
    assert simulation.objection is None
    assert simulation.rent == (AccountRent(account(new, "USDT"), name(new), rent(trials)),)
    before = trials.lamports(USER)
    trials.execute(calls)
    assert before - trials.lamports(USER) == rent(trials) + FEE


async def test_without_a_new_account_no_rent_is_told(trials: Trials) -> None:
    assert (await trials.tried([trials.swap(STABLE, AMOUNT)])).rent == ()


@pytest.mark.parametrize("count", [1, 4])
async def test_strangers_accounts_are_not_paid_for(trials: Trials, count: int) -> None:
    others = [Keypair() for _ in range(count)]
    calls = [trials.swap(STABLE, AMOUNT), *(create(USER, other, "USDC") for other in others)]
    simulation = await trials.tried(calls)
    assert simulation.result.status is ExecutionStatus.SUCCESS
    taken = count * rent(trials) + FEE
    assert f"takes {taken} lamports from the sender, at most {FEE} are agreed" in (simulation.objection or "")
    assert simulation.rent == ()


async def test_the_account_in_which_a_bridge_holds_the_deposit_is_paid_for(trials: Trials) -> None:
    order = Keypair()
    holder = account(order, "USDC")
    calls = [create(USER, order, "USDC")]
    simulation = await trials.tried(calls, output_token=None, deposit=BridgeDeposit(USDC, 0, (holder,)))
    assert simulation.objection is None
    assert simulation.rent == (AccountRent(holder, name(order), rent(trials)),)


async def test_no_more_than_four_accounts_are_paid_for(trials: Trials) -> None:
    new, symbols = Keypair(), ("USDC", "USDT", "DAI", "WETH", "WSOL")
    for count in (4, 5):
        calls = [trials.swap(STABLE, AMOUNT), *(create(USER, new, symbol) for symbol in symbols[:count])]
        simulation = await trials.tried(calls, receiver=name(new))
        assert simulation.result.status is ExecutionStatus.SUCCESS
        assert len(simulation.rent) == 4
        assert (simulation.objection is None) == (count == 4)


async def test_rent_is_what_an_account_costs_and_no_more(trials: Trials) -> None:
    other = Keypair()
    calls = [create(USER, other, "USDC"), SystemTransfer(WALLET, account(other, "USDC"), 1).encode()]
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT), *calls], receiver=name(other))
    assert "lamports from the sender" in (simulation.objection or "")


async def test_lamports_that_lie_where_an_account_is_made_are_nobodys_fault(trials: Trials) -> None:
    """Anybody can send them there; the wallet pays the rest of the rent."""
    other = Keypair()
    trials.execute([SystemTransfer(name(THIEF), account(other, "USDC"), 10**6).encode()], THIEF)
    honest = [trials.swap(STABLE, AMOUNT), create(USER, other, "USDC")]
    seen = await trials.tried(honest, receiver=name(other))
    assert (seen.objection, [each.amount for each in seen.rent]) == (None, [rent(trials) - 10**6])
    more = await trials.tried([*honest, SystemTransfer(WALLET, STRANGER, 1).encode()], receiver=name(other))
    assert "lamports from the sender" in (more.objection or "")


@pytest.mark.parametrize(("size", "pinned"), [(512, True), (513, True), (512, False)])
async def test_what_a_pinned_program_notes_an_order_in_costs_its_rent(trials: Trials, size: int, pinned: bool) -> None:
    note, program = Keypair(), str(POOL_PROGRAM)
    data = pack("<IQQ", 0, rent(trials, size), size) + bytes(POOL_PROGRAM)
    roles = (AccountRole(WALLET, signer=True, writable=True), AccountRole(name(note), signer=True, writable=True))
    calls = [trials.swap(STABLE, AMOUNT), SvmInstruction(SYSTEM, roles, data)]
    simulation = await trials.tried(calls, programs=frozenset({program} if pinned else ()))
    assert simulation.result.status is ExecutionStatus.SUCCESS, simulation.result.reason
    assert (simulation.objection is None) == (pinned and size == 512)
    assert [each.amount for each in simulation.rent] == ([rent(trials, 512)] if pinned and size == 512 else [])


@pytest.mark.parametrize("closes", [True, False])
async def test_an_account_of_wrapped_sol_that_stays_costs_its_rent(trials: Trials, closes: bool) -> None:
    """Where it is closed again nothing of it is told; where it stays its rent is told, and is no part of the output."""
    new = Keypair()
    trials.execute([SystemTransfer(name(USER), name(new), SOL).encode(), create(USER, new, "USDC")])
    trials.execute([paid(AMOUNT, account(new, "USDC"))])
    swap = [create(new, new, "WSOL"), trials.swap(WRAPPED, AMOUNT, by=new, turned=True)]
    again = [create(new, new, "WSOL")]
    wanted = {**NATIVE_OUT, "output_token": WRAPPED_MINT} if not closes else NATIVE_OUT
    gained = await trials.tried([*swap, *([unwrap(new)] if closes else [])], by=new, **wanted)
    assert gained.objection is None
    assert [each.amount for each in gained.rent] == ([] if closes else [rent(trials)])
    left = await trials.tried([*swap, unwrap(new), *again], by=new, **NATIVE_OUT)
    assert (left.result.simulated_output, left.objection) == (gained.result.simulated_output, None)
    assert [each.amount for each in left.rent] == [rent(trials)]
