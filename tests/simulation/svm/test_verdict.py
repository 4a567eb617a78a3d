"""Any mixture of honest and thieving instructions: what is let through takes the input alone, and brings what is said.

The mixture is tried, then really executed, and the wallet is looked at by other means than the simulator's.
"""

from collections.abc import Callable
from struct import unpack_from

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.plans import DECIMALS
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.instructions import CloseAccount, SystemTransfer, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.programs import SPL
from tests.simulation.svm.trials import FEE, FRIEND, STABLE, THIEF, USER, Trials, account, create, name, unwrap, wrap

AMOUNT = 1000 * 10**6
Step = Callable[[Trials], list[SvmInstruction]]
SYMBOLS = tuple(DECIMALS)


def send(symbol: str, amount: int) -> Step:
    minted = token(symbol)
    return lambda _: [TokenTransfer(
        str(minted.program), account(USER, symbol), account(THIEF, symbol), name(USER), amount, str(minted.mint),
        DECIMALS[symbol],
    ).encode()]  # fmt: skip


def approve(symbol: str, amount: int, delegate: str) -> Step:
    program = str(token(symbol).program)
    return lambda _: [TokenApproval(program, account(USER, symbol), delegate, name(USER), amount).encode()]


AMOUNTS = st.one_of(st.integers(0, 3), st.integers(0, 2 * AMOUNT))
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(send, st.sampled_from(SYMBOLS), AMOUNTS),
    st.builds(approve, st.sampled_from(SYMBOLS), AMOUNTS, st.sampled_from([name(THIEF), name(FRIEND)])),
    st.integers(1, AMOUNT).map(lambda amount: lambda trials: [trials.swap(STABLE, amount)]),
    st.integers(1, AMOUNT).map(lambda amount: lambda trials: [trials.swap(STABLE, amount, turned=True)]),
    AMOUNTS.map(lambda amount: lambda _: [SystemTransfer(name(USER), name(THIEF), amount).encode()]),
    AMOUNTS.map(lambda amount: lambda _: wrap(USER, amount)),
    st.sampled_from([USER, THIEF]).map(lambda to: lambda _: [unwrap(USER, to), create(USER, USER, "WSOL")]),
    st.just(lambda _: [CloseAccount(SPL, account(USER, "USDC"), name(USER), name(USER)).encode()]),
)


def held(trials: Trials, symbol: str) -> tuple[int, str | None, int]:
    """The amount of the user's account, and who else may take how much, by the layout of the token program."""
    found = trials.solana.server.chain.account(Pubkey.from_string(account(USER, symbol)))
    assert found is not None
    assert bytes(found.data[32:64]) == bytes(USER.pubkey())
    amount, tag = unpack_from("<QI", found.data, 64)
    delegate = str(Pubkey(found.data[76:108])) if tag else None
    return amount, delegate, unpack_from("<Q", found.data, 121)[0]


def wealth(trials: Trials) -> int:
    return trials.lamports(USER) + trials.lamports(account(USER, "WSOL"))


@given(st.lists(STEPS, max_size=4))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_what_is_let_through_takes_the_input_alone(trials: Trials, steps: list[Step]) -> None:
    chain = trials.solana.server.chain
    calls = [call for step in steps for call in step(trials)]
    simulation = await trials.tried(calls, delegate=name(FRIEND))
    if simulation.result.status is not ExecutionStatus.SUCCESS or simulation.objection is not None:
        return
    mark, before, had = chain.snapshot(), {symbol: held(trials, symbol) for symbol in SYMBOLS}, wealth(trials)
    trials.execute(calls)
    after, lost = {symbol: held(trials, symbol) for symbol in SYMBOLS}, had - wealth(trials)
    chain.restore(mark)
    assert lost <= FEE
    assert before["USDC"][0] - after["USDC"][0] <= AMOUNT
    assert all(after[symbol][0] >= before[symbol][0] for symbol in SYMBOLS if symbol not in ("USDC", "WSOL"))
    taking = {symbol: left for symbol, (_, delegate, left) in after.items() if delegate is not None and left}
    assert set(taking) <= {"USDC"}
    assert all(after[symbol][1] == name(FRIEND) and left <= AMOUNT for symbol, left in taking.items())
    assert simulation.result.simulated_output == after["USDT"][0] - before["USDT"][0]
