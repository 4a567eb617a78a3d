"""Transactions of version 1: read where they are asked for, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.keypair import Keypair
from solders.message import TransactionConfig, to_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.decompiler import (
    NEWEST,
    Loaded,
    Unreadable,
    decompile,
    decompile_message,
    lookup_tables_of,
)
from rhumbline.gateways.svm.messages import LARGEST, LARGEST_V1, in_message, signature_of
from tests.gateways.svm.strategies import KEYS, blockhashes, instructions, payers
from tests.gateways.svm.versions import message_v1, signed_v1

SIGNER = Keypair.from_seed(bytes(31) + b"\x07")
HASH = KEYS[0]
PAYS = AccountRole(str(SIGNER.pubkey()), signer=True, writable=True)
CALL = SvmInstruction(KEYS[1], (PAYS, AccountRole(KEYS[2])), b"data")
configs = st.builds(
    TransactionConfig,
    st.none() | st.integers(0, 2**64 - 1),
    st.none() | st.integers(0, 2**32 - 1),
    st.none() | st.integers(0, 2**32 - 1),
    st.none() | st.integers(32, 256).map(lambda kib: kib * 1024),
)


@given(payers, st.lists(instructions, min_size=1, max_size=8), blockhashes, configs)
def test_it_is_read_back_as_it_was_written(
    payer: str, calls: list[SvmInstruction], blockhash: str, config: TransactionConfig
) -> None:
    message = message_v1(payer, calls, blockhash, config)
    signers = message.header.num_required_signatures
    raw = bytes(VersionedTransaction.populate(message, [Signature.default()] * signers))
    if len(raw) > LARGEST_V1 or signers > 12:
        with pytest.raises(Unreadable):
            decompile(raw, newest=NEWEST)
        return
    read = decompile(raw, newest=NEWEST)
    assert (read.version, read.payer, read.blockhash) == (1, payer, blockhash)
    assert read.message == to_bytes_versioned(message)
    assert read.instructions == in_message(payer, calls)
    assert (read.static, read.missing) == (len(read.accounts), read.signers)


def test_a_signed_one_is_known_by_its_payers_signature() -> None:
    raw = signed_v1(SIGNER, [CALL], HASH)
    read = decompile(raw, newest=NEWEST)
    assert (read.missing, read.forged) == ((), ())
    assert signature_of(raw) == str(Signature.from_bytes(read.signatures[read.payer])) == str(Signature(raw[-64:]))
    forged = decompile(raw[:-1] + bytes([raw[-1] ^ 1]), newest=NEWEST)
    assert (forged.missing, forged.forged) == ((PAYS.address,), (PAYS.address,))
    for wrong in (b"\x81", b"\x81\x00\x00\x00" + raw, b"\x81\xff\x00\x00" + raw):
        with pytest.raises(ValueError, match=r"not a transaction|too short|has not signed"):
            signature_of(wrong)


def test_who_bounds_a_budget_by_instructions_is_not_given_one() -> None:
    """Its budget is in its header: read as one of version 0, it would seem to ask for nothing."""
    raw = signed_v1(SIGNER, [CALL], HASH, TransactionConfig(priority_fee=2**63))
    for read in (lambda: decompile(raw), lambda: decompile_message(raw[:-64]), lambda: lookup_tables_of(raw[:-64])):
        with pytest.raises(Unreadable, match="version that is not read"):
            read()


def test_it_may_be_larger_than_a_packet_and_others_may_not() -> None:
    large = SvmInstruction(KEYS[1], CALL.accounts, bytes(3_700))
    raw = signed_v1(SIGNER, [large], HASH)
    assert LARGEST < len(raw) <= LARGEST_V1
    assert decompile(raw, newest=NEWEST).instructions[0].data == large.data
    with pytest.raises(Unreadable, match="too large"):
        decompile(raw)
    with pytest.raises(Unreadable, match="too large"):
        decompile(signed_v1(SIGNER, [SvmInstruction(KEYS[1], CALL.accounts, bytes(4_000))], HASH), newest=NEWEST)


@pytest.mark.parametrize("first", [0x80, 0x82, 0xFF])
def test_no_other_version_passes_for_it(first: int) -> None:
    with pytest.raises(Unreadable):
        decompile(bytes([first]) + signed_v1(SIGNER, [CALL], HASH)[1:], newest=NEWEST)


@given(st.binary(max_size=40), st.integers(0, 300))
def test_corrupted_ones_are_refused_or_read(noise: bytes, place: int) -> None:
    raw = bytearray(signed_v1(SIGNER, [CALL, CALL], HASH, TransactionConfig(compute_unit_limit=5)))
    raw[place : place + len(noise)] = noise
    try:
        decompile(bytes(raw), newest=NEWEST)
    except Unreadable:
        return


def test_nothing_is_left_over_or_looked_up() -> None:
    raw = signed_v1(SIGNER, [CALL], HASH)
    for wrong in (raw + b"\x00", raw[:-1]):
        with pytest.raises(Unreadable):
            decompile(wrong, newest=NEWEST)
    assert decompile(raw, Loaded(), newest=NEWEST).version == 1
    with pytest.raises(Unreadable, match="as many"):
        decompile(raw, Loaded((str(Pubkey.default()),), ()), newest=NEWEST)
