"""The pool program on a real runtime: what it gives to the unit, and what it refuses."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm import pool_program
from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, token
from rhumbline.devnet.svm.plans import DECIMALS, POOLS, PRICES, PoolPlan
from rhumbline.devnet.svm.programs import SYSTEM, TOKEN, TOKEN_2022
from tests.devnet.svm.set_up_chain import PLAN, TAXED, SetUpChain, sides

U64 = 2**64 - 1
AMOUNTS = st.one_of(st.integers(1, 10**6), st.integers(1, 2**63), st.integers(2**63, U64))


def swap(local: SetUpChain, plan: PoolPlan, amount: int, minimum: int, *, turned: bool = False) -> Instruction:
    given_, wanted = sides(plan, turned=turned)
    user = local.user.pubkey()
    return local.pool(plan).swap(user, given_.account(user), wanted.account(user), amount, minimum, turned=turned)


def reason(local: SetUpChain, calls: list[Instruction], *signers: Keypair) -> object:
    """Return the custom error of the last instruction of a transaction that fails."""
    error = local.send(calls, *signers).error
    assert isinstance(error, dict)
    place, why = error["InstructionError"]
    assert place == len(calls) - 1
    return why["Custom"] if isinstance(why, dict) else why


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(AMOUNTS, AMOUNTS, AMOUNTS, st.booleans())
def test_what_comes_out_is_exact(
    local: SetUpChain, reserve_in: int, reserve_out: int, amount: int, turned: bool
) -> None:
    pool, user = local.pool(PLAN), local.user.pubkey()
    side_in, side_out = reversed(pool.sides) if turned else pool.sides
    source, target = (each.account(user) for each in sides(PLAN, turned=turned))
    amount = min(amount, U64 - reserve_in)
    for account, units in ((side_in.vault, reserve_in), (side_out.vault, reserve_out), (source, amount), (target, 0)):
        local.put(account, units)
    expected = pool_program.amount_out(reserve_in, reserve_out, amount, PLAN.fee)
    executed = local.send([swap(local, PLAN, amount, expected, turned=turned)])
    if expected == 0:
        assert executed.error == {"InstructionError": [0, {"Custom": 13}]}
        return
    assert executed.error is None, executed.meta["logMessages"]
    assert local.amount(target) == expected
    assert (local.amount(side_in.vault), local.amount(side_out.vault)) == (reserve_in + amount, reserve_out - expected)
    assert local.amount(source) == 0
    # The pool never loses by it.
    assert (reserve_in + amount) * (reserve_out - expected) >= reserve_in * reserve_out


@given(st.integers(1, U64), st.integers(1, U64), st.integers(0, U64), st.integers(0, pool_program.LARGEST_FEE))
def test_the_formula_never_gives_more_than_its_fraction(x: int, y: int, amount: int, fee: int) -> None:
    net = Fraction(amount * (1_000_000 - fee), 1_000_000)
    exact = y * net / (x + net)
    assert pool_program.amount_out(x, y, amount, fee) <= exact < y


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("plan", POOLS, ids=lambda plan: plan.name)
def test_every_pool_trades_both_ways(local: SetUpChain, plan: PoolPlan, turned: bool) -> None:
    pool, user = local.pool(plan), local.user.pubkey()
    (given_, wanted), (side_in, side_out) = sides(plan, turned=turned), pool.sides[:: -1 if turned else 1]
    amount = 10 ** DECIMALS[plan.second if turned else plan.first] // 10
    received, before = after_tax(given_.program, amount), local.amount(wanted.account(user))
    out = pool_program.amount_out(local.amount(side_in.vault), local.amount(side_out.vault), received, plan.fee)
    arrives = after_tax(wanted.program, out)
    executed = local.done([swap(local, plan, amount, arrives, turned=turned)])
    assert local.amount(wanted.account(user)) - before == arrives > 0
    returned = executed.meta["returnData"]
    assert isinstance(returned, dict)
    assert returned["programId"] == str(POOL_PROGRAM)
    units = executed.meta["computeUnitsConsumed"]
    assert isinstance(units, int)
    assert units < 60_000


def after_tax(program: Pubkey, amount: int) -> int:
    """What of a transfer arrives: the mint of Token-2022 keeps one percent, rounded up."""
    return amount - -(-amount // 100) if program == TOKEN_2022 else amount


def test_the_least_that_is_demanded_is_what_arrives_not_what_leaves(local: SetUpChain) -> None:
    pool = local.pool(TAXED)
    reserve_in, reserve_out = (local.amount(side.vault) for side in pool.sides)
    out = pool_program.amount_out(reserve_in, reserve_out, 10**9, TAXED.fee)
    assert reason(local, [swap(local, TAXED, 10**9, after_tax(TOKEN_2022, out) + 1)]) == 14
    assert local.send([swap(local, TAXED, 10**9, after_tax(TOKEN_2022, out))]).error is None


def test_a_minimum_that_is_missed_moves_nothing(local: SetUpChain) -> None:
    pool, user = local.pool(PLAN), local.user.pubkey()
    watched = [side.vault for side in pool.sides] + [each.account(user) for each in sides(PLAN)]
    before = [local.amount(each) for each in watched]
    out = pool_program.amount_out(before[0], before[1], 10**6, PLAN.fee)
    assert reason(local, [swap(local, PLAN, 10**6, out + 1)]) == 14
    assert [local.amount(each) for each in watched] == before


def test_somebody_else_may_receive(local: SetUpChain) -> None:
    other, user = Keypair().pubkey(), local.user.pubkey()
    given_, wanted = sides(PLAN)
    target = local.holding(other, wanted)
    local.done([local.pool(PLAN).swap(user, given_.account(user), target, 10**6, 1)])
    assert local.amount(target) > 990_000


Change = Callable[[SetUpChain, pool_program.OnchainPool], tuple[int, Pubkey]]
"""What is put in which place of a swap's accounts: pool, authority, vaults, mints, programs, source, target, owner."""
ELSEWHERE: dict[str, tuple[Change, int]] = {
    "a pool that another program owns": (lambda local, pool: (0, local.copy(pool.address, owner=TOKEN)), 4),
    "a pool of another size": (
        lambda local, pool: (0, local.copy(pool.address, data=bytes(pool_program.POOL_SIZE + 1))), 4,
    ),
    "a pool that was never made": (lambda local, _: (0, local.blank(POOL_PROGRAM, pool_program.POOL_SIZE).pubkey()), 4),
    "another pool": (lambda local, _: (0, local.pool(TAXED).address), 6),
    "another authority": (lambda local, _: (1, local.pool(TAXED).authority), 6),
    "a wallet's account as the vault that takes": (lambda *_: (2, token("USDC").account(keypair(1).pubkey())), 7),
    "another pool's vault that gives": (lambda local, _: (3, local.pool(TAXED).sides[0].vault), 7),
    "a vault of the authority's that is not the pool's": (lambda local, pool: (3, local.copy(pool.sides[1].vault)), 7),
    "another mint of what goes in": (lambda *_: (4, token("DAI").mint), 8),
    "another mint of what comes out": (lambda *_: (5, token("DAI").mint), 8),
    "another token program of what goes in": (lambda *_: (6, TOKEN_2022), 9),
    "another token program of what comes out": (lambda *_: (7, TOKEN_2022), 9),
    "a program that is no token program": (lambda *_: (6, SYSTEM), 9),
    "a source of another mint": (lambda local, _: (8, token("DAI").account(local.user.pubkey())), 11),
    "a source of somebody else's": (lambda *_: (8, token("USDC").account(keypair(1).pubkey())), 11),
    "a source that no token program owns": (
        lambda local, _: (8, local.copy(token("USDC").account(local.user.pubkey()), owner=POOL_PROGRAM)), 11,
    ),
    "a source that is a mint": (lambda *_: (8, token("DAI").mint), 11),
    "a target of another mint": (lambda local, _: (9, token("DAI").account(local.user.pubkey())), 12),
    "a target that no token program owns": (
        lambda local, _: (9, local.copy(token("USDT").account(local.user.pubkey()), owner=POOL_PROGRAM)), 12,
    ),
    "a target that is a wallet": (lambda *_: (9, keypair(1).pubkey()), 12),
    "an owner who is not the source's": (lambda *_: (10, keypair(1).pubkey()), 11),
}  # fmt: skip


def changed(call: Instruction, place: int, *, pubkey: Pubkey | None = None, signs: bool = True) -> Instruction:
    roles = list(call.accounts)
    role = roles[place]
    roles[place] = AccountMeta(pubkey or role.pubkey, role.is_signer and signs, role.is_writable)
    return Instruction(call.program_id, call.data, roles)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_swap_with_a_wrong_account_is_refused(local: SetUpChain, name: str) -> None:
    change, code = ELSEWHERE[name]
    place, key = change(local, local.pool(PLAN))
    call = changed(swap(local, PLAN, 10**6, 1), place, pubkey=key)
    assert reason(local, [call], local.user, *([keypair(1)] if place == 10 else [])) == code


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("first", "second"), [(i, j) for i in range(11) for j in range(i) if (i, j) != (7, 6)])
def test_no_account_stands_in_two_places(local: SetUpChain, first: int, second: int, turned: bool) -> None:
    call = swap(local, PLAN, 10**6, 1, turned=turned)
    assert reason(local, [changed(call, first, pubkey=call.accounts[second].pubkey, signs=False)]) == 2


def test_an_owner_who_does_not_sign_loses_nothing(local: SetUpChain) -> None:
    call = changed(swap(local, PLAN, 10**6, 1), 10, signs=False)
    assert reason(local, [call], keypair(1)) == 10


@pytest.mark.parametrize(
    ("data", "code"), [(b"", 3), (b"\x01", 3), (b"\x01" + bytes(17), 3), (b"\x02" * 17, 3), (b"\x00" * 6, 1)]
)
def test_data_that_are_no_swap_are_refused(local: SetUpChain, data: bytes, code: int) -> None:
    call = swap(local, PLAN, 10**6, 1)
    assert reason(local, [Instruction(call.program_id, data, call.accounts)]) == code


@pytest.mark.parametrize("count", [0, 1, 7, 8, 10, 12])
def test_another_number_of_accounts_is_refused(local: SetUpChain, count: int) -> None:
    call = swap(local, PLAN, 10**6, 1)
    more = [*call.accounts, AccountMeta(SYSTEM, is_signer=False, is_writable=False)][:count]
    assert reason(local, [Instruction(call.program_id, call.data, more)]) == 1


@pytest.mark.parametrize(("amount", "vaults"), [(0, None), (1, None), (10**6, (0, 10**9)), (10**6, (10**9, 0))])
def test_nothing_for_nothing(local: SetUpChain, amount: int, vaults: tuple[int, int] | None) -> None:
    for side, units in zip(local.pool(PLAN).sides, vaults or (), strict=False):
        local.put(side.vault, units)
    assert reason(local, [swap(local, PLAN, amount, 0)]) == 13


class Making:
    """A pool about to be made of USDC and DAI."""

    def __init__(self, local: SetUpChain) -> None:
        self.local, self.key = local, local.blank(POOL_PROGRAM, pool_program.POOL_SIZE)
        self.authority, _ = pool_program.pool_authority(POOL_PROGRAM, self.key.pubkey())
        first, second = (
            pool_program.PoolSide(local.holding(self.authority, each, 10**6), each.mint, each.program)
            for each in (token("USDC"), token("DAI"))
        )
        self.sides = first, second

    def call(self, fee: int = 3000) -> Instruction:
        return pool_program.make_pool(POOL_PROGRAM, self.key.pubkey(), self.sides, fee)


def test_a_pool_is_made_once(local: SetUpChain) -> None:
    making = Making(local)
    local.done([making.call(pool_program.LARGEST_FEE)], local.user, making.key)
    assert reason(local, [making.call()], local.user, making.key) == 4


def test_a_fee_of_more_than_a_tenth_is_refused(local: SetUpChain) -> None:
    making = Making(local)
    assert reason(local, [making.call(pool_program.LARGEST_FEE + 1)], local.user, making.key) == 5


def test_a_pool_of_somebody_elses_account_is_refused(local: SetUpChain) -> None:
    making = Making(local)
    assert reason(local, [changed(making.call(), 0, signs=False)]) == 10


NOT_A_POOL: dict[str, tuple[Callable[[Making], tuple[int, Pubkey]], int]] = {
    "an authority of another pool": (lambda making: (1, making.local.pool(PLAN).authority), 6),
    "a vault of somebody else's": (lambda making: (2, token("USDC").account(making.local.user.pubkey())), 7),
    "a vault of another mint": (lambda making: (2, making.local.holding(making.authority, token("USDT"))), 7),
    "a vault that somebody may take from": (lambda making: (2, altered(making, 72, 1)), 7),
    "a vault that somebody may close": (lambda making: (2, altered(making, 129, 1)), 7),
    "a vault that is frozen": (lambda making: (2, altered(making, 108, 2)), 7),
    "a mint that no token program owns": (lambda making: (4, making.local.copy(token("USDC").mint, owner=SYSTEM)), 8),
    "a mint of another token program": (lambda making: (4, token("TAX").mint), 8),
    "a token program that is none": (lambda making: (6, POOL_PROGRAM), 9),
}


def altered(making: Making, offset: int, byte: int) -> Pubkey:
    account = making.local.chain.account(making.sides[0].vault)
    assert account is not None
    data = account.data[:offset] + bytes([byte]) + account.data[offset + 1 :]
    return making.local.copy(making.sides[0].vault, data=data)


@pytest.mark.parametrize("name", NOT_A_POOL)
def test_a_pool_of_wrong_parts_is_refused(local: SetUpChain, name: str) -> None:
    making = Making(local)
    change, code = NOT_A_POOL[name]
    place, key = change(making)
    assert reason(local, [changed(making.call(), place, pubkey=key)], local.user, making.key) == code


def test_a_pool_of_one_token_is_refused(local: SetUpChain) -> None:
    making = Making(local)
    making.sides = making.sides[0], replace(making.sides[0])
    assert reason(local, [making.call()], local.user, making.key) == 2


@pytest.mark.parametrize("plan", POOLS, ids=lambda plan: plan.name)
def test_a_pool_begins_at_its_price(local: SetUpChain, plan: PoolPlan) -> None:
    first, second = (local.amount(side.vault) for side in local.pool(plan).sides)
    price = Fraction(second, 10 ** DECIMALS[plan.second]) / Fraction(first, 10 ** DECIMALS[plan.first])
    planned = Fraction(PRICES[plan.first], PRICES[plan.second]) * Fraction(1_000_000 + plan.shift, 1_000_000)
    assert abs(price / planned - 1) < Fraction(1, 10**6)
