"""The pool program on a real runtime: what it gives to the unit, and what it refuses."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.furnishing import POOL_PROGRAM, token
from rhumbline.devnet.svm.plans import DECIMALS, POOLS, PRICES, PoolPlan
from rhumbline.devnet.svm.pool_program import (
    LARGEST_FEE,
    POOL_SIZE,
    OnchainPool,
    PoolSide,
    amount_out,
    make_pool,
    pool_authority,
)
from rhumbline.devnet.svm.programs import SYSTEM, TOKEN, TOKEN_2022
from tests.devnet.svm.workshop import PLAN, TAXED, Workshop, sides

U64 = 2**64 - 1
AMOUNTS = st.one_of(st.integers(1, 10**6), st.integers(1, 2**63), st.integers(2**63, U64))


@pytest.fixture(scope="module")
def made() -> Workshop:
    return Workshop()


@pytest.fixture
def shop(made: Workshop) -> Iterator[Workshop]:
    mark = made.chain.snapshot()
    yield made
    made.chain.restore(mark)


def swap(shop: Workshop, plan: PoolPlan, amount: int, minimum: int, *, turned: bool = False) -> Instruction:
    given_, wanted = sides(plan, turned=turned)
    user = shop.user.pubkey()
    return shop.pool(plan).swap(user, given_.account(user), wanted.account(user), amount, minimum, turned=turned)


def reason(shop: Workshop, calls: list[Instruction], *signers: Keypair) -> object:
    """Return the custom error of the last instruction of a transaction that fails."""
    error = shop.send(calls, *signers).error
    assert isinstance(error, dict)
    place, why = error["InstructionError"]
    assert place == len(calls) - 1
    return why["Custom"] if isinstance(why, dict) else why


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(AMOUNTS, AMOUNTS, AMOUNTS, st.booleans())
def test_what_comes_out_is_exact(shop: Workshop, reserve_in: int, reserve_out: int, amount: int, turned: bool) -> None:
    pool, user = shop.pool(PLAN), shop.user.pubkey()
    side_in, side_out = reversed(pool.sides) if turned else pool.sides
    source, target = (each.account(user) for each in sides(PLAN, turned=turned))
    amount = min(amount, U64 - reserve_in)
    for account, units in ((side_in.vault, reserve_in), (side_out.vault, reserve_out), (source, amount), (target, 0)):
        shop.put(account, units)
    expected = amount_out(reserve_in, reserve_out, amount, PLAN.fee)
    executed = shop.send([swap(shop, PLAN, amount, expected, turned=turned)])
    if expected == 0:
        assert executed.error == {"InstructionError": [0, {"Custom": 13}]}
        return
    assert executed.error is None, executed.meta["logMessages"]
    assert shop.amount(target) == expected
    assert (shop.amount(side_in.vault), shop.amount(side_out.vault)) == (reserve_in + amount, reserve_out - expected)
    assert shop.amount(source) == 0
    # The pool never loses by it.
    assert (reserve_in + amount) * (reserve_out - expected) >= reserve_in * reserve_out


@given(st.integers(1, U64), st.integers(1, U64), st.integers(0, U64), st.integers(0, LARGEST_FEE))
def test_the_formula_never_gives_more_than_its_fraction(x: int, y: int, amount: int, fee: int) -> None:
    net = Fraction(amount * (1_000_000 - fee), 1_000_000)
    exact = y * net / (x + net)
    assert amount_out(x, y, amount, fee) <= exact < y


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("plan", POOLS, ids=lambda plan: plan.name)
def test_every_pool_trades_both_ways(shop: Workshop, plan: PoolPlan, turned: bool) -> None:
    pool, user = shop.pool(plan), shop.user.pubkey()
    (given_, wanted), (side_in, side_out) = sides(plan, turned=turned), pool.sides[:: -1 if turned else 1]
    amount = 10 ** DECIMALS[plan.second if turned else plan.first] // 10
    received, before = after_tax(given_.program, amount), shop.amount(wanted.account(user))
    out = amount_out(shop.amount(side_in.vault), shop.amount(side_out.vault), received, plan.fee)
    arrives = after_tax(wanted.program, out)
    executed = shop.done([swap(shop, plan, amount, arrives, turned=turned)])
    assert shop.amount(wanted.account(user)) - before == arrives > 0
    returned = executed.meta["returnData"]
    assert isinstance(returned, dict)
    assert returned["programId"] == str(POOL_PROGRAM)
    units = executed.meta["computeUnitsConsumed"]
    assert isinstance(units, int)
    assert units < 60_000


def after_tax(program: Pubkey, amount: int) -> int:
    """What of a transfer arrives: the mint of Token-2022 keeps one percent, rounded up."""
    return amount - -(-amount // 100) if program == TOKEN_2022 else amount


def test_the_least_that_is_demanded_is_what_arrives_not_what_leaves(shop: Workshop) -> None:
    pool = shop.pool(TAXED)
    reserve_in, reserve_out = (shop.amount(side.vault) for side in pool.sides)
    out = amount_out(reserve_in, reserve_out, 10**9, TAXED.fee)
    assert reason(shop, [swap(shop, TAXED, 10**9, after_tax(TOKEN_2022, out) + 1)]) == 14
    assert shop.send([swap(shop, TAXED, 10**9, after_tax(TOKEN_2022, out))]).error is None


def test_a_minimum_that_is_missed_moves_nothing(shop: Workshop) -> None:
    pool, user = shop.pool(PLAN), shop.user.pubkey()
    watched = [side.vault for side in pool.sides] + [each.account(user) for each in sides(PLAN)]
    before = [shop.amount(each) for each in watched]
    out = amount_out(before[0], before[1], 10**6, PLAN.fee)
    assert reason(shop, [swap(shop, PLAN, 10**6, out + 1)]) == 14
    assert [shop.amount(each) for each in watched] == before


def test_somebody_else_may_receive(shop: Workshop) -> None:
    other, user = Keypair().pubkey(), shop.user.pubkey()
    given_, wanted = sides(PLAN)
    target = shop.holding(other, wanted)
    shop.done([shop.pool(PLAN).swap(user, given_.account(user), target, 10**6, 1)])
    assert shop.amount(target) > 990_000


Change = Callable[[Workshop, OnchainPool], tuple[int, Pubkey]]
"""What is put in which place of a swap's accounts: pool, authority, vaults, mints, programs, source, target, owner."""
ELSEWHERE: dict[str, tuple[Change, int]] = {
    "a pool that another program owns": (lambda shop, pool: (0, shop.copy(pool.address, owner=TOKEN)), 4),
    "a pool of another size": (
        lambda shop, pool: (0, shop.copy(pool.address, data=bytes(POOL_SIZE + 1))), 4,
    ),
    "a pool that was never made": (lambda shop, _: (0, shop.blank(POOL_PROGRAM, POOL_SIZE).pubkey()), 4),
    "another pool": (lambda shop, _: (0, shop.pool(TAXED).address), 6),
    "another authority": (lambda shop, _: (1, shop.pool(TAXED).authority), 6),
    "a wallet's account as the vault that takes": (lambda *_: (2, token("USDC").account(keypair(1).pubkey())), 7),
    "another pool's vault that gives": (lambda shop, _: (3, shop.pool(TAXED).sides[0].vault), 7),
    "a vault of the authority's that is not the pool's": (lambda shop, pool: (3, shop.copy(pool.sides[1].vault)), 7),
    "another mint of what goes in": (lambda *_: (4, token("DAI").mint), 8),
    "another mint of what comes out": (lambda *_: (5, token("DAI").mint), 8),
    "another token program of what goes in": (lambda *_: (6, TOKEN_2022), 9),
    "another token program of what comes out": (lambda *_: (7, TOKEN_2022), 9),
    "a program that is no token program": (lambda *_: (6, SYSTEM), 9),
    "a source of another mint": (lambda shop, _: (8, token("DAI").account(shop.user.pubkey())), 11),
    "a source of somebody else's": (lambda *_: (8, token("USDC").account(keypair(1).pubkey())), 11),
    "a source that no token program owns": (
        lambda shop, _: (8, shop.copy(token("USDC").account(shop.user.pubkey()), owner=POOL_PROGRAM)), 11,
    ),
    "a source that is a mint": (lambda *_: (8, token("DAI").mint), 11),
    "a target of another mint": (lambda shop, _: (9, token("DAI").account(shop.user.pubkey())), 12),
    "a target that no token program owns": (
        lambda shop, _: (9, shop.copy(token("USDT").account(shop.user.pubkey()), owner=POOL_PROGRAM)), 12,
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
def test_a_swap_with_a_wrong_account_is_refused(shop: Workshop, name: str) -> None:
    change, code = ELSEWHERE[name]
    place, key = change(shop, shop.pool(PLAN))
    call = changed(swap(shop, PLAN, 10**6, 1), place, pubkey=key)
    assert reason(shop, [call], shop.user, *([keypair(1)] if place == 10 else [])) == code


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("first", "second"), [(i, j) for i in range(11) for j in range(i) if (i, j) != (7, 6)])
def test_no_account_stands_in_two_places(shop: Workshop, first: int, second: int, turned: bool) -> None:
    call = swap(shop, PLAN, 10**6, 1, turned=turned)
    assert reason(shop, [changed(call, first, pubkey=call.accounts[second].pubkey, signs=False)]) == 2


def test_an_owner_who_does_not_sign_loses_nothing(shop: Workshop) -> None:
    call = changed(swap(shop, PLAN, 10**6, 1), 10, signs=False)
    assert reason(shop, [call], keypair(1)) == 10


@pytest.mark.parametrize(
    ("data", "code"), [(b"", 3), (b"\x01", 3), (b"\x01" + bytes(17), 3), (b"\x02" * 17, 3), (b"\x00" * 6, 1)]
)
def test_data_that_are_no_swap_are_refused(shop: Workshop, data: bytes, code: int) -> None:
    call = swap(shop, PLAN, 10**6, 1)
    assert reason(shop, [Instruction(call.program_id, data, call.accounts)]) == code


@pytest.mark.parametrize("count", [0, 1, 7, 8, 10, 12])
def test_another_number_of_accounts_is_refused(shop: Workshop, count: int) -> None:
    call = swap(shop, PLAN, 10**6, 1)
    more = [*call.accounts, AccountMeta(SYSTEM, is_signer=False, is_writable=False)][:count]
    assert reason(shop, [Instruction(call.program_id, call.data, more)]) == 1


@pytest.mark.parametrize(("amount", "vaults"), [(0, None), (1, None), (10**6, (0, 10**9)), (10**6, (10**9, 0))])
def test_nothing_for_nothing(shop: Workshop, amount: int, vaults: tuple[int, int] | None) -> None:
    for side, units in zip(shop.pool(PLAN).sides, vaults or (), strict=False):
        shop.put(side.vault, units)
    assert reason(shop, [swap(shop, PLAN, amount, 0)]) == 13


class Making:
    """A pool about to be made of USDC and DAI."""

    def __init__(self, shop: Workshop) -> None:
        self.shop, self.key = shop, shop.blank(POOL_PROGRAM, POOL_SIZE)
        self.authority, _ = pool_authority(POOL_PROGRAM, self.key.pubkey())
        first, second = (
            PoolSide(shop.holding(self.authority, each, 10**6), each.mint, each.program)
            for each in (token("USDC"), token("DAI"))
        )
        self.sides = first, second

    def call(self, fee: int = 3000) -> Instruction:
        return make_pool(POOL_PROGRAM, self.key.pubkey(), self.sides, fee)


def test_a_pool_is_made_once(shop: Workshop) -> None:
    making = Making(shop)
    shop.done([making.call(LARGEST_FEE)], shop.user, making.key)
    assert reason(shop, [making.call()], shop.user, making.key) == 4


def test_a_fee_of_more_than_a_tenth_is_refused(shop: Workshop) -> None:
    making = Making(shop)
    assert reason(shop, [making.call(LARGEST_FEE + 1)], shop.user, making.key) == 5


def test_a_pool_of_somebody_elses_account_is_refused(shop: Workshop) -> None:
    making = Making(shop)
    assert reason(shop, [changed(making.call(), 0, signs=False)]) == 10


NOT_A_POOL: dict[str, tuple[Callable[[Making], tuple[int, Pubkey]], int]] = {
    "an authority of another pool": (lambda making: (1, making.shop.pool(PLAN).authority), 6),
    "a vault of somebody else's": (lambda making: (2, token("USDC").account(making.shop.user.pubkey())), 7),
    "a vault of another mint": (lambda making: (2, making.shop.holding(making.authority, token("USDT"))), 7),
    "a vault that somebody may take from": (lambda making: (2, altered(making, 72, 1)), 7),
    "a vault that somebody may close": (lambda making: (2, altered(making, 129, 1)), 7),
    "a vault that is frozen": (lambda making: (2, altered(making, 108, 2)), 7),
    "a mint that no token program owns": (lambda making: (4, making.shop.copy(token("USDC").mint, owner=SYSTEM)), 8),
    "a mint of another token program": (lambda making: (4, token("TAX").mint), 8),
    "a token program that is none": (lambda making: (6, POOL_PROGRAM), 9),
}


def altered(making: Making, offset: int, byte: int) -> Pubkey:
    account = making.shop.chain.account(making.sides[0].vault)
    assert account is not None
    data = account.data[:offset] + bytes([byte]) + account.data[offset + 1 :]
    return making.shop.copy(making.sides[0].vault, data=data)


@pytest.mark.parametrize("name", NOT_A_POOL)
def test_a_pool_of_wrong_parts_is_refused(shop: Workshop, name: str) -> None:
    making = Making(shop)
    change, code = NOT_A_POOL[name]
    place, key = change(making)
    assert reason(shop, [changed(making.call(), place, pubkey=key)], shop.user, making.key) == code


def test_a_pool_of_one_token_is_refused(shop: Workshop) -> None:
    making = Making(shop)
    making.sides = making.sides[0], replace(making.sides[0])
    assert reason(shop, [making.call()], shop.user, making.key) == 2


@pytest.mark.parametrize("plan", POOLS, ids=lambda plan: plan.name)
def test_a_pool_begins_at_its_price(shop: Workshop, plan: PoolPlan) -> None:
    first, second = (shop.amount(side.vault) for side in shop.pool(plan).sides)
    price = Fraction(second, 10 ** DECIMALS[plan.second]) / Fraction(first, 10 ** DECIMALS[plan.first])
    planned = Fraction(PRICES[plan.first], PRICES[plan.second]) * Fraction(1_000_000 + plan.shift, 1_000_000)
    assert abs(price / planned - 1) < Fraction(1, 10**6)
