"""A program in a vendor's manner: it calls one pool or two of those it is given, and measures what arrives."""

from itertools import pairwise
from struct import pack

import pytest
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.ledger import Executed
from rhumbline.devnet.svm.plans import POOLS
from rhumbline.devnet.svm.pool_program import amount_out
from rhumbline.devnet.svm.program_build import program
from tests.devnet.svm.set_up_chain import SetUpChain

AGGREGATOR = Pubkey([7] * 32)
AMOUNT = 10**9


@pytest.fixture(scope="module")
def made() -> SetUpChain:
    local = SetUpChain()
    local.chain.add_program(AGGREGATOR, program("aggregator"))
    return local


def traded(local: SetUpChain, way: list[str], minimum: int, steps: int | None = None) -> Executed:
    user = local.user.pubkey()
    accounts = [token(symbol).account(user) for symbol in way]
    metas = [AccountMeta(user, is_signer=True, is_writable=True), AccountMeta(accounts[-1], False, True)]
    for place, pair in enumerate(pairwise(way)):
        plan = next(each for each in POOLS if {each.first, each.second} == set(pair))
        turned = plan.first != pair[0]
        swap = local.pool(plan).swap(user, accounts[place], accounts[place + 1], 0, 0, turned=turned)
        metas += [AccountMeta(swap.program_id, False, False), *swap.accounts]
    data = pack("<BQQ", len(way) - 1 if steps is None else steps, AMOUNT, minimum)
    return local.send([Instruction(AGGREGATOR, data, metas)])


def expected(local: SetUpChain, way: list[str]) -> int:
    amount = AMOUNT
    for pair in pairwise(way):
        plan = next(each for each in POOLS if {each.first, each.second} == set(pair))
        first, second = (local.amount(side.vault) for side in local.pool(plan).sides)
        given, wanted = (first, second) if plan.first == pair[0] else (second, first)
        amount = amount_out(given, wanted, amount, plan.fee)
    return amount


@pytest.mark.parametrize("way", [["USDC", "USDT"], ["USDT", "USDC", "DAI"]], ids="-".join)
def test_it_goes_through_the_pools_and_holds_the_minimum(local: SetUpChain, way: list[str]) -> None:
    promised, target = expected(local, way), token(way[-1]).account(local.user.pubkey())
    missed = traded(local, way, promised + 1)
    assert missed.error == {"InstructionError": [0, {"Custom": 6}]}
    before = local.amount(target)
    executed = traded(local, way, promised)
    assert executed.error is None, executed.meta["logMessages"]
    assert local.amount(target) - before == promised > 0


def test_accounts_that_are_not_those_of_its_steps_are_refused(local: SetUpChain) -> None:
    assert traded(local, ["USDC", "USDT"], 1, steps=2).error == {"InstructionError": [0, {"Custom": 1}]}
    assert traded(local, ["USDC", "USDT"], 1, steps=0).error == {"InstructionError": [0, {"Custom": 1}]}
