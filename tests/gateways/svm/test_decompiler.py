"""Transactions of others: read as they are, or refused; nothing of them ends the process, whatever their version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.hash import Hash
from solders.instruction import AccountMeta, CompiledInstruction, Instruction
from solders.keypair import Keypair
from solders.message import Message, MessageHeader, MessageV0, TransactionConfig, to_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.compute_budget import ComputeBudget, read_budget
from rhumbline.gateways.svm.decompiler import (
    NEWEST,
    Loaded,
    UnknownLookup,
    Unreadable,
    decompile,
    decompile_message,
    lookup_tables_of,
)
from rhumbline.gateways.svm.messages import LARGEST, LARGEST_V1, compile_v0, serialise, signature_of
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from tests.gateways.svm.genuine import ORDER, TABLES
from tests.gateways.svm.strategies import KEYS, TABLE_KEYS, blockhashes, in_message, instructions, payers
from tests.gateways.svm.versions import message_v1, signed_v1

DFLOW = "DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH"
SWAP_WITH_DESTINATION = bytes.fromhex("a8ac184dc59c8765")


def test_a_genuine_order_is_read() -> None:
    read = decompile(ORDER, TABLES)
    assert (read.version, len(read.signers), read.missing, read.forged) == (0, 2, read.signers, ())
    budget = read_budget(read.instructions)
    assert (budget, budget.priority_fee()) == (ComputeBudget(units=200_000, micro_lamports=116), 24)
    swap = next(each for each in read.instructions if each.program == DFLOW)
    assert swap.data.startswith(SWAP_WITH_DESTINATION)
    addresses = [role.address for role in swap.accounts]
    assert WRAPPED_SOL in addresses
    assert SPL in addresses


def test_a_genuine_order_is_compiled_again_to_the_same_calls_and_size() -> None:
    read = decompile(ORDER, TABLES)
    again = compile_v0(read.payer, read.instructions, TABLES, read.blockhash)
    assert decompile_message(again, TABLES).instructions == read.instructions
    assert len(serialise(again, read.signers, {})) == len(ORDER)


def test_what_a_node_loaded_says_the_same_as_the_tables() -> None:
    read = decompile(ORDER, TABLES)
    looked_up = read.accounts[read.static :]
    writable, readonly = (tuple(r.address for r in looked_up if r.writable is is_) for is_ in (True, False))
    assert decompile(ORDER, Loaded(writable, readonly)) == read
    for wrong in (Loaded(writable[1:], readonly), Loaded(writable, (*readonly, KEYS[0])), Loaded()):
        with pytest.raises(Unreadable, match="as many"):
            decompile(ORDER, wrong)


def test_a_table_that_is_missing_is_named() -> None:
    with pytest.raises(UnknownLookup) as caught:
        decompile(ORDER, TABLES[:1])
    assert caught.value.table == TABLES[1].address
    assert caught.value.place in TABLES[1].entries
    short = LookupTable(TABLES[1].address, {})
    with pytest.raises(UnknownLookup, match=f"of lookup table {short.address} is not known"):
        decompile(ORDER, (TABLES[0], short))


def test_a_legacy_transaction_signed_in_part() -> None:
    one, other = Keypair(), Keypair()
    roles = (AccountRole(str(other.pubkey()), signer=True), AccountRole(KEYS[3], writable=True), AccountRole(KEYS[4]))
    call = SvmInstruction(KEYS[0], roles, b"data")
    metas = [AccountMeta(Pubkey.from_string(r.address), r.signer, r.writable) for r in roles]
    message = Message.new_with_blockhash(
        [Instruction(Pubkey.from_string(KEYS[0]), b"data", metas)], one.pubkey(), Hash(bytes([9] * 32))
    )
    raw = to_bytes_versioned(message)
    signature = other.sign_message(raw)
    read = decompile(bytes(VersionedTransaction.populate(message, [Signature.default(), signature])))
    payer = str(one.pubkey())
    assert (read.version, read.payer, read.message) == (None, payer, raw)
    assert read.instructions == in_message(payer, [call])
    assert (read.missing, dict(read.signatures)) == ((payer,), {str(other.pubkey()): bytes(signature)})
    forged = decompile(bytes(VersionedTransaction.populate(message, [signature, signature])))
    assert (forged.missing, forged.forged) == ((payer,), (payer,))


def message(
    keys: list[str],
    header: tuple[int, int, int] = (1, 0, 1),
    program: int = 1,
    accounts: bytes = b"\x00",
) -> MessageV0:
    calls = [CompiledInstruction(program, b"", accounts)]
    return MessageV0(MessageHeader(*header), [Pubkey.from_string(key) for key in keys], Hash.default(), calls, [])


@pytest.mark.parametrize(
    "made",
    [
        message([KEYS[0], KEYS[1], KEYS[0]]),
        message([KEYS[0], KEYS[1]], program=2),
        message([KEYS[0], KEYS[1]], program=0),
        message([KEYS[0], KEYS[1]], accounts=b"\x02"),
        message([KEYS[0], KEYS[1]], header=(0, 0, 0)),
        message([KEYS[0], KEYS[1]], header=(1, 1, 0)),
        message([KEYS[0], KEYS[1]], header=(1, 0, 2)),
        message([KEYS[0], KEYS[1]], header=(3, 0, 0)),
        message([KEYS[0], KEYS[1]], header=(255, 255, 255)),
    ],
)
def test_what_the_runtime_would_not_take(made: MessageV0) -> None:
    with pytest.raises(Unreadable):
        decompile_message(to_bytes_versioned(made))
    count = min(made.header.num_required_signatures, 3)
    with pytest.raises(Unreadable):
        decompile(bytes(VersionedTransaction.populate(made, [Signature.default()] * count)))


def test_what_looks_up_an_account_that_is_there_already() -> None:
    call = SvmInstruction(KEYS[1], (AccountRole(KEYS[2], writable=True),), b"")
    compiled = compile_v0(KEYS[0], [call], [LookupTable(TABLE_KEYS[0], {0: KEYS[2]})], str(Hash.default()))
    assert decompile_message(compiled, [LookupTable(TABLE_KEYS[0], {0: KEYS[3]})]).instructions[0].accounts[0] == (
        AccountRole(KEYS[3], writable=True)
    )
    with pytest.raises(Unreadable, match="twice"):
        decompile_message(compiled, [LookupTable(TABLE_KEYS[0], {0: KEYS[0]})])


@pytest.mark.parametrize("raw", [b"", b"\x00", b"\x80", b"\x81" + bytes(200), b"\xff" * 64, bytes(1233), bytes(10**6)])
def test_bytes_that_are_nothing(raw: bytes) -> None:
    for read in (decompile, decompile_message):
        with pytest.raises(Unreadable):
            read(raw)


def test_what_follows_a_transaction_is_not_passed_over() -> None:
    with pytest.raises(Unreadable, match="left over"):
        decompile(ORDER + b"\x00", TABLES)
    with pytest.raises(Unreadable, match="left over"):
        decompile_message(decompile(ORDER, TABLES).message + b"\x00", TABLES)


@given(st.lists(st.tuples(st.integers(0, len(ORDER) - 1), st.integers(0, 255)), max_size=4), st.integers(0, len(ORDER)))
def test_whatever_is_changed_is_read_or_refused(changes: list[tuple[int, int]], end: int) -> None:
    raw = bytearray(ORDER)
    for place, value in changes:
        raw[place] = value
    for cut in (bytes(raw), bytes(raw[:end])):
        try:
            read = decompile(cut, TABLES)
        except Unreadable:
            continue
        assert serialise(read.message, read.signers, {})[-len(read.message) :] == read.message
        assert cut.endswith(read.message)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    for read in (decompile, decompile_message):
        try:
            found = read(raw)
        except Unreadable:
            continue
        assert raw.endswith(found.message)


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
