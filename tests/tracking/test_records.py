"""Whose a sighting is, its first row, and the table of states."""

from dataclasses import fields, replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import FeeSighting, RecordAmount, Sighting, TransactionRecord
from rhumbline.domain.transaction import make_transaction_id
from rhumbline.tracking.records import is_ours, record_id, swap_record, terms_of
from rhumbline.tracking.store import transactions

KEY = b"k" * 32
CHAIN = Chain(900001, "a", "A", ChainType.EVM, Token(900001, NATIVE_EVM, "ETH", 18, "Ether"), mainnet=False)
SENDER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def sighting(identifier: bytes) -> Sighting:
    return Sighting(
        chain_id=900001,
        tx_hash="0x" + "ab" * 32,
        log_index=3,
        block_number=9,
        block_hash="0x" + "cd" * 32,
        block_time=NOON,
        transaction_id="0x" + identifier.hex(),
        sender=SENDER,
        receiver=OTHER,
        integrator="acme",
        adapter="ONCHAIN",
        input_token=OTHER,
        ordered_amount=2**255 + 9,
        input_amount=2**255,
        net_amount=2**255 - 3,
        output_token=SENDER,
        output_amount=7,
        min_output=6,
        deadline=2_000_000_000,
        fees=(FeeSighting("integrator", OTHER, OTHER, 2), FeeSighting("service", SENDER, OTHER, 1)),
    )


@given(st.binary(min_size=16, max_size=16))
def test_an_id_counts_for_what_it_was_made_for(nonce: bytes) -> None:
    identifier = make_transaction_id(KEY, nonce, terms_of(sighting(bytes(32)), CHAIN))
    seen = sighting(identifier)
    assert is_ours((KEY,), seen, CHAIN)
    assert is_ours((b"n" * 32, KEY), seen, CHAIN)
    assert not is_ours((b"n" * 32,), seen, CHAIN)
    assert not is_ours((), seen, CHAIN)
    assert not is_ours((KEY,), replace(seen, sender=OTHER), CHAIN)
    assert not is_ours((KEY,), replace(seen, integrator="acm"), CHAIN)
    assert not is_ours((KEY,), replace(seen, integrator="ACME"), CHAIN)
    assert not is_ours((KEY,), replace(seen, integrator=""), CHAIN)
    assert not is_ours((KEY,), replace(seen, chain_id=900002), CHAIN)
    assert not is_ours((KEY,), replace(seen, receiver=SENDER), CHAIN)
    assert not is_ours((KEY,), replace(seen, adapter="OKX"), CHAIN)
    assert not is_ours((KEY,), replace(seen, input_token=SENDER), CHAIN)
    assert not is_ours((KEY,), replace(seen, ordered_amount=2**255), CHAIN)
    assert not is_ours((KEY,), replace(seen, output_token=OTHER), CHAIN)
    assert not is_ours((KEY,), replace(seen, min_output=7), CHAIN)
    assert not is_ours((KEY,), replace(seen, deadline=1), CHAIN)


@given(st.binary(min_size=16, max_size=16), st.integers(1, 2**256 - 1))
def test_what_is_measured_is_no_term(nonce: bytes, measured: int) -> None:
    """A skipped fee, a tax on transfers and a good price leave the ID as it is."""
    seen = sighting(make_transaction_id(KEY, nonce, terms_of(sighting(bytes(32)), CHAIN)))
    assert is_ours(
        (KEY,), replace(seen, input_amount=measured, net_amount=measured, output_amount=measured, fees=()), CHAIN
    )


@given(st.binary(min_size=32, max_size=32))
def test_an_invented_id_never_counts(identifier: bytes) -> None:
    assert not is_ours((KEY,), sighting(identifier), CHAIN)


def test_a_record_has_the_columns_of_the_table_and_all_that_must_be_there() -> None:
    record = swap_record(sighting(bytes(32)), NOON)
    assert {field.name for field in fields(TransactionRecord)} == set(transactions.c.keys())
    assert all(getattr(record, column.key) is not None for column in transactions.c if not column.nullable)
    assert record.input == RecordAmount(OTHER, 2**255)
    there = record.destination_chain_id, record.destination_tx_hash, record.destination_time
    assert there == (900001, "0x" + "ab" * 32, NOON)


def test_a_record_without_integrator_is_nobodys() -> None:
    assert swap_record(replace(sighting(bytes(32)), integrator=""), NOON).integrator is None


def test_ids_are_stable_and_differ_by_each_part() -> None:
    one = record_id(1, "0xab", 2)
    assert one == record_id(1, "0xab", 2) == "e1284320-972e-5bb8-9102-26d56fa3fb90"
    assert len({one, record_id(2, "0xab", 2), record_id(1, "0xac", 2), record_id(1, "0xab", 3)}) == 4
