"""Messages that we compile: what goes in comes out, they have the size that is told, and the runtime takes them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from solders.address_lookup_table_account import AddressLookupTableAccount
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.message import MessageV0, from_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm import messages
from rhumbline.gateways.svm.account import Rent, read_lookup_table
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.decompiler import decompile, decompile_message
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.programs import SYSTEM
from tests.gateways.svm.runtime import Refused, Runtime, stranger
from tests.gateways.svm.strategies import KEYS, TABLE_KEYS, blockhashes, in_message, instructions, payers, tables

Listed = list[SvmInstruction]
Tables = tuple[LookupTable, ...]
BLOCKHASH = str(Hash.default())


@given(payers, st.lists(instructions, max_size=6), tables, blockhashes)
def test_what_is_compiled_reads_back_as_it_was(payer: str, listed: Listed, known: Tables, blockhash: str) -> None:
    try:
        message = messages.compile_v0(payer, listed, known, blockhash)
    except messages.Unfit:
        assume(False)
    read = decompile_message(message, known)
    assert read.instructions == in_message(payer, listed)
    assert (read.version, read.payer, read.blockhash, read.message) == (0, payer, blockhash, message)
    assert {role.address: role for role in read.accounts} == messages.merged(payer, listed)
    assert read.missing == read.signers


@given(payers, st.lists(instructions, max_size=6), tables, blockhashes)
def test_compiling_what_was_read_gives_the_same_bytes(
    payer: str, listed: Listed, known: Tables, blockhash: str
) -> None:
    try:
        message = messages.compile_v0(payer, listed, known, blockhash)
    except messages.Unfit:
        assume(False)
    read = decompile_message(message, known)
    assert messages.compile_v0(read.payer, read.instructions, known, read.blockhash) == message


@given(payers, st.lists(instructions, max_size=12), tables)
def test_the_size_is_the_serialised_length(payer: str, listed: Listed, known: Tables) -> None:
    size = messages.measure(payer, listed, known)
    # The library is given the same entries, holes filled with what is nobody's.
    filler = Pubkey.from_bytes(b"\xfe" * 32)
    expected = MessageV0.try_compile(
        Pubkey.from_string(payer),
        [
            Instruction(
                Pubkey.from_string(each.program),
                each.data,
                [AccountMeta(Pubkey.from_string(r.address), r.signer, r.writable) for r in each.accounts],
            )
            for each in listed
        ],
        [
            AddressLookupTableAccount(
                Pubkey.from_string(table.address),
                [
                    Pubkey.from_string(table.entries[i]) if i in table.entries else filler
                    for i in range(max(table.entries, default=-1) + 1)
                ],
            )
            for table in known
        ],
        Hash.default(),
    )
    signatures = [Signature.default()] * expected.header.num_required_signatures
    assert size.bytes_used == len(bytes(VersionedTransaction.populate(expected, signatures)))
    assert size.accounts == len(messages.merged(payer, listed))
    if size.bytes_used > messages.LARGEST:
        with pytest.raises(messages.TooLarge) as caught:
            messages.compile_v0(payer, listed, known, BLOCKHASH)
        assert caught.value.size == size.bytes_used
    else:
        message = messages.compile_v0(payer, listed, known, BLOCKHASH)
        assert from_bytes_versioned(message) == expected
        assert messages.transaction_size(message) == size.bytes_used
        assert len(messages.serialise(message, decompile_message(message, known).signers, {})) == size.bytes_used


@given(st.permutations(list(enumerate(KEYS[:12]))))
def test_the_order_in_which_a_table_is_told_changes_nothing(entries: list[tuple[int, str]]) -> None:
    call = SvmInstruction(
        KEYS[20], tuple(AccountRole(key, writable=i % 2 == 0) for i, key in enumerate(KEYS[:15])), b""
    )
    once, again = (LookupTable(TABLE_KEYS[0], dict(each)) for each in (entries, sorted(entries)))
    assert messages.compile_v0(KEYS[35], [call], [once], BLOCKHASH) == messages.compile_v0(
        KEYS[35], [call], [again], BLOCKHASH
    )


def test_a_table_of_which_nothing_is_used_is_left_out() -> None:
    call = SvmInstruction(KEYS[1], (AccountRole(KEYS[2]),), b"")
    unused = LookupTable(TABLE_KEYS[0], {0: KEYS[3]})
    assert messages.compile_v0(KEYS[0], [call], [unused], BLOCKHASH) == messages.compile_v0(
        KEYS[0], [call], [], BLOCKHASH
    )


@pytest.mark.parametrize("named", [SYSTEM, KEYS[0], TABLE_KEYS[0]])
def test_what_is_not_known_of_a_table_is_not_looked_up(named: str) -> None:
    call = SvmInstruction(KEYS[1], (AccountRole(named), AccountRole(KEYS[3])), b"")
    table = LookupTable(TABLE_KEYS[0], {200: KEYS[3]})
    read = decompile_message(messages.compile_v0(KEYS[0], [call], [table], BLOCKHASH), [table])
    assert read.instructions == in_message(KEYS[0], [call])
    assert [role.address for role in read.accounts[read.static :]] == [KEYS[3]]


def test_who_signs_and_what_is_called_is_written_out() -> None:
    call = SvmInstruction(KEYS[1], (AccountRole(KEYS[2], signer=True), AccountRole(KEYS[3])), b"")
    table = LookupTable(TABLE_KEYS[0], {4: KEYS[0], 5: KEYS[1], 6: KEYS[2], 7: KEYS[3]})
    read = decompile_message(messages.compile_v0(KEYS[0], [call], [table], BLOCKHASH), [table])
    assert [role.address for role in read.accounts[: read.static]] == [KEYS[0], KEYS[2], KEYS[1]]
    assert [role.address for role in read.accounts[read.static :]] == [KEYS[3]]


def test_a_packet_is_filled_to_its_last_byte_and_no_further() -> None:
    def with_data(length: int) -> list[SvmInstruction]:
        return [SvmInstruction(KEYS[1], (), bytes(length))]

    room = messages.LARGEST - messages.measure(KEYS[0], with_data(200), []).bytes_used + 200
    message = messages.compile_v0(KEYS[0], with_data(room), [], BLOCKHASH)
    assert messages.transaction_size(message) == messages.LARGEST
    with pytest.raises(messages.TooLarge) as caught:
        messages.compile_v0(KEYS[0], with_data(room + 1), [], BLOCKHASH)
    assert (caught.value.size, str(caught.value)) == (1233, "the transaction would have 1233 bytes, at most 1232 fit")


@pytest.mark.parametrize("length", [70_000, 2**21])
def test_data_beyond_every_length_field_is_too_large(length: int) -> None:
    with pytest.raises(messages.TooLarge):
        messages.compile_v0(KEYS[0], [SvmInstruction(KEYS[1], (), bytes(length))], [], BLOCKHASH)


@pytest.mark.parametrize(
    ("payer", "call", "table", "blockhash"),
    [
        ("1111", SvmInstruction(KEYS[1], (), b""), {}, BLOCKHASH),
        (KEYS[0], SvmInstruction("0x00", (), b""), {}, BLOCKHASH),
        (KEYS[0], SvmInstruction(KEYS[0], (), b""), {}, BLOCKHASH),
        (KEYS[0], SvmInstruction(KEYS[1], (AccountRole("é"),), b""), {}, BLOCKHASH),
        (KEYS[0], SvmInstruction(KEYS[1], (), b""), {256: KEYS[1]}, BLOCKHASH),
        (KEYS[0], SvmInstruction(KEYS[1], (), b""), {-1: KEYS[1]}, BLOCKHASH),
        (KEYS[0], SvmInstruction(KEYS[1], (), b""), {0: "x"}, BLOCKHASH),
        (KEYS[0], SvmInstruction(KEYS[1], (), b""), {}, "x"),
    ],
)
def test_what_cannot_be_compiled(payer: str, call: SvmInstruction, table: dict[int, str], blockhash: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        messages.compile_v0(payer, [call], [LookupTable(TABLE_KEYS[0], table)], blockhash)


def test_signatures_take_their_places() -> None:
    call = SvmInstruction(KEYS[1], (AccountRole(KEYS[2], signer=True),), b"")
    message = messages.compile_v0(KEYS[0], [call], [], BLOCKHASH)
    signed = messages.serialise(message, (KEYS[0], KEYS[2]), {KEYS[2]: b"\x07" * 64})
    assert signed == b"\x02" + bytes(64) + b"\x07" * 64 + message
    for signers, signatures in (
        ((KEYS[0],), {}),
        ((KEYS[0], KEYS[2]), {KEYS[3]: bytes(64)}),
        ((KEYS[0], KEYS[2]), {KEYS[2]: bytes(63)}),
    ):
        with pytest.raises(ValueError, match="sign"):
            messages.serialise(message, signers, signatures)


def test_the_runtime_executes_what_looks_up_a_table() -> None:
    runtime = Runtime()
    targets = [stranger() for _ in range(30)]
    payer = str(runtime.payer.pubkey())
    address = runtime.table(*targets)
    now = runtime.svm.get_clock().slot
    assert read_lookup_table(address, runtime.account(address), now).entries == {}
    runtime.at_slot(now + 1)
    table = read_lookup_table(address, runtime.account(address), now + 1)
    calls = [SystemTransfer(payer, target, 10**6 + i).encode() for i, target in enumerate(targets)]
    with pytest.raises(messages.TooLarge):
        messages.compile_v0(payer, calls, [], BLOCKHASH)
    transaction = runtime.signed(calls, tables=(table,))
    assert len(transaction) == messages.measure(payer, calls, [table]).bytes_used
    runtime.send(transaction)
    assert [runtime.lamports(target) for target in targets] == [10**6 + i for i in range(30)]
    read = decompile(transaction, [table])
    assert (read.missing, read.forged, list(read.signatures)) == ((), (), [payer])
    assert read.instructions == in_message(payer, calls)


def test_two_wallets_sign_one_transaction() -> None:
    runtime = Runtime()
    one, other, target = runtime.wallet(), runtime.wallet(), stranger()
    calls = [SystemTransfer(str(each.pubkey()), target, 10**9).encode() for each in (one, other)]
    runtime.run(calls, one, other)
    assert runtime.lamports(target) == 2 * 10**9


def test_a_transaction_locks_as_many_accounts_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = Runtime()
    targets = [stranger() for _ in range(messages.MOST_ACCOUNTS - 1)]
    table_address = runtime.table(*targets)
    runtime.at_slot(runtime.svm.get_clock().slot + 1)
    table = read_lookup_table(table_address, runtime.account(table_address), runtime.svm.get_clock().slot)
    payer = str(runtime.payer.pubkey())

    def naming(count: int) -> SvmInstruction:
        transfer = SystemTransfer(payer, payer, 0, tuple(AccountRole(each) for each in targets[:count]))
        return transfer.encode()

    runtime.run([naming(messages.MOST_ACCOUNTS - 2)], tables=(table,))
    with pytest.raises(messages.TooManyAccounts) as caught:
        messages.compile_v0(payer, [naming(messages.MOST_ACCOUNTS - 1)], [table], BLOCKHASH)
    assert caught.value.count == messages.MOST_ACCOUNTS + 1
    monkeypatch.setattr("rhumbline.gateways.svm.messages.MOST_ACCOUNTS", messages.MOST_ACCOUNTS + 1)
    with pytest.raises(Refused, match="TooManyAccountLocks"):
        runtime.run([naming(messages.MOST_ACCOUNTS - 1)], tables=(table,))


def test_the_budget_is_what_the_runtime_charges() -> None:
    runtime = Runtime()
    wallet = runtime.wallet()
    address = str(wallet.pubkey())
    budget = ComputeBudget(units=200_001, micro_lamports=12_345, heap=64 * 1024, data_size=10**6)
    before = runtime.lamports(address)
    runtime.run([*budget.instructions(), SystemTransfer(address, address, 0).encode()], wallet)
    assert before - runtime.lamports(address) == 5000 + budget.priority_fee()


def test_the_tracking_instruction_runs() -> None:
    """A transfer of nothing to oneself, with two keys more to find it by."""
    runtime = Runtime()
    wallet = runtime.wallet()
    address = str(wallet.pubkey())
    before = runtime.lamports(address)
    keys = (AccountRole(stranger()), AccountRole(stranger()))
    units = runtime.run([SystemTransfer(address, address, 0, keys).encode()], wallet)
    assert (runtime.lamports(address), units) == (before - 5000, 150)


def test_a_transfer_that_leaves_too_little_fails_as_a_whole() -> None:
    runtime = Runtime()
    keeps = Rent.of_nothing(runtime.svm.minimum_balance_for_rent_exemption(0)).minimum(0)

    def leaving(lamports: int) -> int:
        wallet = runtime.wallet(10**7)
        address = str(wallet.pubkey())
        runtime.run([SystemTransfer(address, stranger(), 10**7 - 5000 - lamports).encode()], wallet)
        return runtime.lamports(address)

    assert [leaving(keeps), leaving(0)] == [keeps, 0]
    with pytest.raises(Refused, match="Rent"):
        leaving(keeps - 1)
