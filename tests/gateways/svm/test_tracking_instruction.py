"""The tracking instruction, and what stands for a transaction however wallets change it."""

from dataclasses import replace

import pytest

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.decompiler import Loaded, decompile_message
from rhumbline.gateways.svm.fingerprint import fingerprint, may_be_added
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.tracking_instruction import read_tracking, reference_key, tracking_instruction
from tests.gateways.svm.strategies import KEYS

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


def test_nor_do_roles_that_an_assertion_raises() -> None:
    guard = SvmInstruction(LIGHTHOUSE, (AccountRole(PROGRAM), AccountRole(REFERENCE, writable=True)), b"\x05")
    assert fingerprint(sent(SWAP, TRACKING, guard)) == fingerprint([SWAP, TRACKING])


def test_nor_does_where_the_accounts_are_written() -> None:
    table = LookupTable(KEYS[6], {0: OTHER})
    message = compile_v0(SENDER, [SWAP, TRACKING], [table], KEYS[0])
    looked_up = decompile_message(message, Loaded(writable=(OTHER,)))
    assert len(looked_up.accounts) > looked_up.static
    assert fingerprint(looked_up.instructions) == fingerprint([SWAP, TRACKING])


def test_what_moves_from_data_to_accounts_is_told_apart() -> None:
    bare = SvmInstruction(PROGRAM, (), bytes(32) + b"x")
    moved = SvmInstruction(PROGRAM, (AccountRole("1" * 32),), b"x")
    assert fingerprint([bare]) != fingerprint([moved])


def test_wallets_add_few_kinds() -> None:
    close = SvmInstruction("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", TRACKING.accounts, b"\x09")
    assign = SvmInstruction(TRACKING.program, TRACKING.accounts, (1).to_bytes(4, "little") + bytes(32))
    nonce = SvmInstruction(TRACKING.program, TRACKING.accounts, (4).to_bytes(4, "little"))
    tip = SystemTransfer(SENDER, OTHER, 7).encode()
    assert [may_be_added(each) for each in (SWAP, close, assign, nonce, tip)] == [False, False, False, True, True]
