"""The sandbox's SvmSpoke refuses what the vendor's program refuses, with the same numbers."""

from collections.abc import Sequence
from dataclasses import replace
from struct import unpack

import pytest
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.accounts import OPERATOR, keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.program_build import program
from rhumbline.devnet.upstreams.across import svm_spoke
from rhumbline.devnet.upstreams.across.relay import Relay
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.instructions import TokenApproval
from rhumbline.gateways.svm.programs import SPL
from tests.devnet.svm.conftest import local
from tests.devnet.svm.set_up_chain import SetUpChain

__all__ = ["local"]

CHAIN, AMOUNT = 900_003, 10**9
USDC = token("USDC")
NOBODY, SOMEBODY = bytes(32), b"\7" * 32
CLOCK = Pubkey.from_string("SysvarC1ock11111111111111111111111111111111")


@pytest.fixture(scope="module")
def made() -> SetUpChain:
    local = SetUpChain()
    local.chain.add_program(Pubkey.from_string(svm_spoke.SPOKE), program("svm_spoke"))
    operator = keypair(OPERATOR)
    local.done(written([svm_spoke.initialisation(str(operator.pubkey()), CHAIN)]), operator)
    local.holding(Pubkey.from_string(svm_spoke.STATE), USDC)
    return local


def written(instructions: Sequence[SvmInstruction]) -> list[Instruction]:
    return [
        Instruction(
            Pubkey.from_string(each.program),
            each.data,
            [AccountMeta(Pubkey.from_string(role.address), role.signer, role.writable) for role in each.accounts],
        )
        for each in instructions
    ]


def refused(local: SetUpChain, instructions: Sequence[SvmInstruction], *signers: Keypair) -> object:
    """The number of the program's refusal, of the last instruction; None where it takes it."""
    error = local.send(written(instructions), *signers).error
    if error is None:
        return None
    assert isinstance(error, dict)
    place, reason = error["InstructionError"]
    assert place == len(instructions) - 1
    return reason.get("Custom") if isinstance(reason, dict) else reason


def now(local: SetUpChain) -> int:
    clock = local.chain.account(CLOCK)
    assert clock is not None
    return int(unpack("<QqQQq", clock.data)[-1])


def depositing(local: SetUpChain, times: tuple[int, int, int], **changes: bytes) -> list[SvmInstruction]:
    """An approval and a svm_spoke.deposit; ``times`` are counted from now, the exclusivity is a span."""
    user, time = local.user.pubkey(), now(local)
    parts = {"output_token": SOMEBODY, "exclusive_relayer": SOMEBODY, "input_token": bytes(USDC.mint), **changes}
    data = svm_spoke.deposit_data(
        bytes(user), SOMEBODY, parts["input_token"], parts["output_token"], (AMOUNT, AMOUNT), 900_001,
        parts["exclusive_relayer"], (time + times[0], time + times[1], times[2]),
    )  # fmt: skip
    source = str(USDC.account(user))
    approval = TokenApproval(
        SPL, source, svm_spoke.deposit_delegate(data), str(user), AMOUNT, str(USDC.mint), 6
    ).encode()
    return [approval, svm_spoke.deposit(str(user), data, SPL)]


@pytest.mark.parametrize(
    ("times", "changes", "number"),
    [
        ((0, 600, 10), {}, None),
        ((-svm_spoke.QUOTE_BUFFER_S + 60, svm_spoke.FILL_BUFFER_S, 0), {"exclusive_relayer": NOBODY}, None),
        ((60, 600, 0), {}, 6000),
        ((-svm_spoke.QUOTE_BUFFER_S - 60, 600, 0), {}, 6000),
        ((0, svm_spoke.FILL_BUFFER_S + 60, 0), {}, 6001),
        ((0, 600, 10), {"exclusive_relayer": NOBODY}, 6014),
        ((0, 600, 10), {"output_token": NOBODY}, 6015),
        ((0, 600, 10), {"input_token": bytes(token("USDT").mint)}, 4),
    ],
)
def test_terms(local: SetUpChain, times: tuple[int, int, int], changes: dict[str, bytes], number: int | None) -> None:
    vault = USDC.account(Pubkey.from_string(svm_spoke.STATE))
    before = local.amount(vault)
    instructions = depositing(local, times, **changes)
    if number == 4:
        # Another mint than the arguments name: approved is USDC, and its accounts are handed over.
        honest = depositing(local, times)
        instructions = [honest[0], replace(instructions[1], accounts=honest[1].accounts)]
        number = 6007
    assert refused(local, instructions) == number
    assert local.amount(vault) - before == (AMOUNT if number is None else 0)


def test_only_the_deposits_own_delegate_takes(local: SetUpChain) -> None:
    approval, made = depositing(local, (0, 600, 10))
    stranger = AccountRole(str(Keypair().pubkey()))
    accounts = (*made.accounts[:2], stranger, *made.accounts[3:])
    assert refused(local, [approval, replace(made, accounts=accounts)]) == 6017
    assert refused(local, [made]) == 4, "the token program: nothing is left to the delegate"
    assert refused(local, [approval, made]) is None


def test_nobody_else_tells_its_events(local: SetUpChain) -> None:
    data = bytes.fromhex("e445a52e51cb9a1d") + bytes(300)
    user = str(local.user.pubkey())
    assert refused(local, [SvmInstruction(svm_spoke.SPOKE, (AccountRole(svm_spoke.TELLS),), data)]) == 3010
    assert refused(local, [SvmInstruction(svm_spoke.SPOKE, (AccountRole(user, signer=True),), data)]) == 2006


def test_a_relay_is_filled_once_in_time_and_only_as_it_is(local: SetUpChain) -> None:
    user, receiver = local.user.pubkey(), keypair(1).pubkey()
    relay = Relay(
        *(SOMEBODY, bytes(receiver), NOBODY, SOMEBODY, bytes(USDC.mint), AMOUNT, AMOUNT, 900_001, 7),
        *(now(local) + 600, 0, b""),
    )
    terms = (CHAIN, str(user), (SPL, 6))
    before = local.amount(USDC.account(receiver))
    alone = replace(relay, exclusive_relayer=SOMEBODY, exclusivity_deadline=now(local) + 60)
    assert refused(local, svm_spoke.filling(alone, *terms)) == 6002
    assert refused(local, svm_spoke.filling(replace(relay, fill_deadline=now(local) - 60), *terms)) == 6006
    approval, fill = svm_spoke.filling(relay, *terms)
    other = svm_spoke.filling(replace(relay, deposit_id=8), *terms)[1]
    assert refused(local, [approval, other]) == 4, "the token program: another relay has another delegate"
    spoilt = bytearray(fill.data)
    spoilt[60] ^= 1
    assert refused(local, [approval, replace(fill, data=bytes(spoilt))]) == 6001
    assert refused(local, [approval, fill]) is None
    assert local.amount(USDC.account(receiver)) - before == AMOUNT
    assert refused(local, [approval, fill]) == 6004


def test_only_the_owner_refunds(local: SetUpChain) -> None:
    local.done(written(depositing(local, (0, 600, 10))))
    user, operator = local.user.pubkey(), keypair(OPERATOR)
    accounts = (bytes(user), SOMEBODY, SOMEBODY, bytes(USDC.mint), SOMEBODY)
    relay = Relay(*accounts, AMOUNT, AMOUNT, CHAIN, 1, 0, 0, b"")
    assert refused(local, [svm_spoke.refunding(relay, str(user), SPL)]) == 6000
    before = local.amount(USDC.account(user))
    assert refused(local, [svm_spoke.refunding(relay, str(operator.pubkey()), SPL)], operator) is None
    assert local.amount(USDC.account(user)) - before == AMOUNT
