"""The tracking instruction, and what stands for a transaction however wallets change it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.decompiler import Loaded, decompile_message
from rhumbline.gateways.svm.fingerprint import (
    SIZE,
    find_parts,
    fingerprint,
    may_be_added,
    parts_of,
    sealed_fingerprint,
)
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.tracking_instruction import read_tracking, reference_key, tracking_instruction
from tests.gateways.svm.strategies import KEYS, instructions

SENDER, OTHER, PROGRAM = KEYS[1], KEYS[2], KEYS[3]
REFERENCE, IDENTIFIER = reference_key(b"k" * 32), bytes(range(32))
TRACKING = tracking_instruction(SENDER, REFERENCE, IDENTIFIER)
SWAP = SvmInstruction(PROGRAM, (AccountRole(SENDER, signer=True), AccountRole(OTHER, writable=True)), b"swap")


def sent(*calls: SvmInstruction, payer: str = SENDER, blockhash: str = KEYS[0]) -> tuple[SvmInstruction, ...]:
    return decompile_message(compile_v0(payer, calls, [], blockhash)).instructions


def test_it_is_read_back_from_a_message() -> None:
    assert read_tracking(sent(SWAP, TRACKING)[1], {REFERENCE}) == (SENDER, IDENTIFIER)
    assert read_tracking(sent(SWAP, TRACKING)[0], {REFERENCE}) is None


def test_the_key_is_of_the_secret_and_is_not_the_secret() -> None:
    assert reference_key(b"k" * 32) == REFERENCE != reference_key(b"l" * 32)


@pytest.mark.parametrize(
    "changed",
    [
        replace(TRACKING, program=PROGRAM),
        replace(TRACKING, data=SystemTransfer(SENDER, SENDER, 1).encode().data),
        replace(TRACKING, data=TRACKING.data + b"\0"),
        replace(TRACKING, accounts=TRACKING.accounts[:3]),
        replace(TRACKING, accounts=(*TRACKING.accounts, AccountRole(OTHER))),
        replace(TRACKING, accounts=(TRACKING.accounts[0], AccountRole(OTHER, writable=True), *TRACKING.accounts[2:])),
        replace(TRACKING, accounts=tuple(replace(role, signer=False) for role in TRACKING.accounts)),
        replace(TRACKING, accounts=(*TRACKING.accounts[:3], AccountRole(TRACKING.accounts[3].address, writable=True))),
        tracking_instruction(SENDER, OTHER, IDENTIFIER),
    ],
    ids=["program", "lamports", "data", "fewer", "more", "destination", "unsigned", "written", "reference"],
)
def test_nothing_else_is_one(changed: SvmInstruction) -> None:
    assert read_tracking(changed, {REFERENCE}) is None


def test_what_wallets_change_does_not_count() -> None:
    """Nor does a payer who sponsors the fee, and raises no role of what is there."""
    issued = fingerprint([SWAP, TRACKING])
    budget = ComputeBudget(units=1, micro_lamports=2).instructions()
    guard = SvmInstruction(LIGHTHOUSE, (AccountRole(OTHER),), b"\x05")
    assert fingerprint(sent(*budget, SWAP, guard, TRACKING, guard)) == issued
    assert fingerprint(sent(SWAP, TRACKING, payer=KEYS[4], blockhash=KEYS[5])) == issued


def test_nor_do_roles_that_an_assertion_raises() -> None:
    guard = SvmInstruction(LIGHTHOUSE, (AccountRole(PROGRAM), AccountRole(REFERENCE, writable=True)), b"\x05")
    assert fingerprint(sent(SWAP, TRACKING, guard)) == fingerprint([SWAP, TRACKING])


def test_nor_does_where_the_accounts_are_written() -> None:
    table = LookupTable(KEYS[6], {0: OTHER})
    message = compile_v0(SENDER, [SWAP, TRACKING], [table], KEYS[0])
    looked_up = decompile_message(message, Loaded(writable=(OTHER,)))
    assert len(looked_up.accounts) > looked_up.static
    assert fingerprint(looked_up.instructions) == fingerprint([SWAP, TRACKING])


@given(st.lists(instructions, max_size=4), st.lists(instructions, max_size=4))
def test_others_have_another(one: list[SvmInstruction], other: list[SvmInstruction]) -> None:
    def told(calls: list[SvmInstruction]) -> list[tuple[str, list[str], bytes]]:
        return [(each.program, [role.address for role in each.accounts], each.data) for each in calls]

    assert (fingerprint(one) == fingerprint(other)) is (told(one) == told(other))


def test_what_moves_from_data_to_accounts_is_told_apart() -> None:
    bare = SvmInstruction(PROGRAM, (), bytes(32) + b"x")
    moved = SvmInstruction(PROGRAM, (AccountRole("1" * 32),), b"x")
    assert fingerprint([bare]) != fingerprint([moved])


def test_a_sealed_message_is_known_as_it_is() -> None:
    """And told from all others by the length of what stands for it."""
    message, later = (compile_v0(SENDER, [SWAP], [], blockhash) for blockhash in KEYS[:2])
    assert sealed_fingerprint(message) != sealed_fingerprint(later)
    assert len(sealed_fingerprint(message)) > len(fingerprint([SWAP])) == SIZE


@given(st.lists(instructions, min_size=1, max_size=4), st.lists(st.tuples(st.integers(0, 8), instructions), max_size=4))
def test_what_was_handed_out_is_found_among_what_was_added(
    issued: list[SvmInstruction], added: list[tuple[int, SvmInstruction]]
) -> None:
    sent_at_last = list(issued)
    for place, each in added:
        sent_at_last.insert(place, each)
    places = find_parts(sent_at_last, parts_of(issued))
    assert places is not None
    assert [spelt(sent_at_last[place]) for place in sorted(places)] == [spelt(each) for each in issued]


@given(st.lists(instructions, min_size=1, max_size=4, unique_by=lambda each: str(spelt(each))), st.data())
def test_without_one_of_its_instructions_it_is_not_found(issued: list[SvmInstruction], data: st.DataObject) -> None:
    gone = data.draw(st.integers(0, len(issued) - 1))
    fewer = issued[:gone] + issued[gone + 1 :]
    assert find_parts([*fewer, *fewer], parts_of(issued)) is None
    turned = issued[::-1]
    assert (find_parts(turned, parts_of(issued)) is None) is (len(issued) > 1)


def test_nothing_is_found_by_no_parts() -> None:
    assert find_parts([SWAP, TRACKING], b"") is None


def test_wallets_add_few_kinds() -> None:
    close = SvmInstruction("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", TRACKING.accounts, b"\x09")
    assign = SvmInstruction(TRACKING.program, TRACKING.accounts, (1).to_bytes(4, "little") + bytes(32))
    nonce = SvmInstruction(TRACKING.program, TRACKING.accounts, (4).to_bytes(4, "little"))
    tip = SystemTransfer(SENDER, OTHER, 7).encode()
    assert [may_be_added(each) for each in (SWAP, close, assign, nonce, tip)] == [False, False, False, True, True]


def spelt(call: SvmInstruction) -> tuple[str, list[str], bytes]:
    return call.program, [role.address for role in call.accounts], call.data
