"""One delivery, fill or refund proves one record, and which one does not depend on what became known first."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import RouteType, StatusSource, TransactionRecord, TransferState, TransferTerms
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.tracking.deliveries import Deliveries
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.evm.positions import withdraw
from rhumbline.tracking.proofs import names_of
from rhumbline.tracking.resolution import TERMINAL
from rhumbline.tracking.status_worker import StatusWorker
from rhumbline.tracking.store import add_records, evidence, proofs, transactions
from tests.tracking.conftest import records
from tests.tracking.test_listing import CHAIN, NOON, hash_of, row
from tests.tracking.test_status_worker import Scripted

THERE = Chain(2, "two", "Two", ChainType.EVM, Token(2, NATIVE_EVM, "TWO", 18, "Two"), mainnet=False)
OUTPUT = "0x2222222222222222222222222222222222222229"
RECEIVER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
OTHER = "0x1111111111111111111111111111111111111119"
LONG_AFTER = NOON + timedelta(minutes=2)


class Clock:
    def __init__(self) -> None:
        self.now: datetime = LONG_AFTER

    def __call__(self) -> datetime:
        return self.now


def started(number: int, reference: str | None = "deposit-1", **changes: Any) -> TransactionRecord:
    """A transfer that was started in block ``number``, as it stands when it was seen."""
    crossing = {
        "protocol": "TOYBRIDGE", "route_type": RouteType.BRIDGE, "destination_chain_id": 2,
        "terms": TransferTerms("TOYBRIDGE", RECEIVER, NATIVE_EVM, 1000, OUTPUT, 490, reference),
        "next_bridge_check_at": NOON, "status": TransferState.BRIDGE_PENDING, "receiver": RECEIVER,
    }  # fmt: skip
    return row(number, **{**crossing, **changes})


def told(state: TransferState = TransferState.SUCCESS, **more: Any) -> TransferStatus:
    return TransferStatus(state, StatusSource.BRIDGE_API, state.value, **more)


def worker(engine: AsyncEngine, bridge: Scripted, clock: Clock) -> StatusWorker:
    chains = ChainCatalog([CHAIN, THERE])
    tokens = TokenCatalog(chains, [Token(2, OUTPUT, "OUT", 6, "Out")], {})
    deliveries = Deliveries(chains, tokens, {ChainType.EVM: EvmDestinations({})})
    return StatusWorker({"TOYBRIDGE": bridge}, engine, deliveries, {}, clock)


async def seen(engine: AsyncEngine, *rows: TransactionRecord) -> None:
    async with engine.begin() as connection:
        await add_records(connection, rows)


async def states(engine: AsyncEngine) -> dict[object, object]:
    return {record["source_block_number"]: record["status"] for record in await records(engine)}


async def ask(engine: AsyncEngine, clock: Clock, status: TransferStatus | None = None) -> None:
    await worker(engine, Scripted(lambda _: status or told()), clock).poll("TOYBRIDGE")


async def test_a_delivery_proves_the_earliest_record_and_no_other(store_engine: AsyncEngine) -> None:
    """The others wait for a while, then nobody can say what became of them; none of the delivery is told of them."""
    clock = Clock()
    await seen(store_engine, *(started(number) for number in (1, 2, 3)))
    delivered = told(destination_tx_hash=hash_of(5), output_amount=998, output_token=OUTPUT)
    await ask(store_engine, clock, delivered)
    assert await states(store_engine) == {1: "success", 2: "bridge_pending", 3: "bridge_pending"}
    clock.now += timedelta(hours=1)
    await ask(store_engine, clock, delivered)
    assert await states(store_engine) == {1: "success", 2: "unknown", 3: "unknown"}
    first, *others = await records(store_engine)
    assert (first["dest_tx_hash"], first["output"] is None) == (hash_of(5), False)
    assert [(each["dest_tx_hash"], each["output"], each["raw_bridge_status"]) for each in others] == [(None,) * 3] * 2
    clock.now += timedelta(days=15)
    await ask(store_engine, clock, delivered)
    assert await states(store_engine) == {1: "success", 2: "unknown", 3: "unknown"}


@pytest.mark.parametrize("state", sorted(TERMINAL))
async def test_a_record_that_is_known_later_and_was_earlier_takes_its_proof_over(
    store_engine: AsyncEngine, state: TransferState
) -> None:
    clock, proof = Clock(), told(state, destination_tx_hash=hash_of(5), output_amount=998)
    await seen(store_engine, started(2))
    await ask(store_engine, clock, proof)
    assert await states(store_engine) == {2: state.value}
    await seen(store_engine, started(1))
    await ask(store_engine, clock, proof)
    assert await states(store_engine) == {1: state.value, 2: "bridge_pending"}
    _, later = await records(store_engine)
    assert (later["dest_tx_hash"], later["output"], later["receiver"]) == (None, None, RECEIVER)
    await ask(store_engine, clock, proof)
    assert await states(store_engine) == {1: state.value, 2: "bridge_pending"}
    async with store_engine.connect() as connection:
        kept = (await connection.execute(select(evidence.c.record_id))).scalars().all()
    assert kept == ["00000001"]


async def test_a_reorganisation_gives_a_proof_back(store_engine: AsyncEngine) -> None:
    clock = Clock()
    await seen(store_engine, started(5), started(6, origin_chain_id=2, destination_chain_id=1))
    await ask(store_engine, clock)
    assert await states(store_engine) == {5: "success", 6: "bridge_pending"}
    async with store_engine.begin() as connection:
        await withdraw(connection, 1, above=4)
    clock.now += timedelta(minutes=3)
    await ask(store_engine, clock)
    assert await states(store_engine) == {6: "success"}


async def test_two_transfers_may_be_delivered_in_one_transaction(store_engine: AsyncEngine) -> None:
    """A solver pays several at once: each is proved by its own name."""
    await seen(store_engine, started(1), started(2, "deposit-2"))
    await ask(store_engine, Clock(), told(destination_tx_hash=hash_of(5)))
    assert await states(store_engine) == {1: "success", 2: "success"}


async def test_where_a_bridge_is_asked_by_the_transaction_it_proves_one_record_of_it(store_engine: AsyncEngine) -> None:
    """Two transfers without a name in one transaction: nobody can say which of them was delivered."""
    one = started(1, None, origin_log_index=4)
    same = {"origin_tx_hash": one.origin_tx_hash, "origin_block_number": 1, "origin_time": one.origin_time}
    await seen(store_engine, started(2, None, origin_log_index=9, **same), one)
    await ask(store_engine, Clock())
    assert [(each["source_log_index"], each["status"]) for each in await records(store_engine)] == [
        (4, "success"), (9, "bridge_pending"),
    ]  # fmt: skip


async def test_what_goes_on_is_told_of_all(store_engine: AsyncEngine) -> None:
    """Only the end of a transfer is one record's."""
    await seen(store_engine, started(1), started(2))
    await ask(store_engine, Clock(), told(TransferState.REFUND_PENDING))
    assert await states(store_engine) == {1: "refund_pending", 2: "refund_pending"}


async def test_workers_that_are_told_at_once_leave_it_to_the_earliest(store_engine: AsyncEngine) -> None:
    clock, bridge = Clock(), Scripted(lambda _: told(), wait_s=0.02)
    await seen(store_engine, *(started(number) for number in range(6, 0, -1)))
    await asyncio.gather(*(worker(store_engine, bridge, clock).poll("TOYBRIDGE") for _ in range(3)))
    await ask(store_engine, clock)
    found = await states(store_engine)
    assert found.pop(1) == "success"
    assert set(found.values()) == {"bridge_pending"}


async def test_the_store_itself_has_each_name_once(store_engine: AsyncEngine) -> None:
    await seen(store_engine, started(1), started(2))
    both = [{"name": "TOYBRIDGE deposit-1", "record_id": f"{number:08x}"} for number in (1, 2)]
    async with store_engine.connect() as connection:
        with pytest.raises(IntegrityError):
            await connection.execute(proofs.insert(), both)


def transfer(reference: str | None = None) -> Transfer:
    return Transfer(
        "TOYBRIDGE", 1, 2, hash_of(1), 4, RECEIVER, RECEIVER, RECEIVER, NATIVE_EVM, 1, OUTPUT, 1, reference, NOON
    )  # fmt: skip


def test_a_transfer_is_one_by_its_bridge_s_name_for_it() -> None:
    assert names_of("TOY", transfer(), told()) == (f"TOY 1:{hash_of(1)}",)
    assert names_of("TOY", transfer(OTHER), told()) == names_of("TOY", transfer(OTHER.lower()), told())
    assert names_of("TOY", transfer("5Base58"), told()) != names_of("TOY", transfer("5BASE58"), told())
    assert names_of("TOY", transfer("a"), told(names=("1:7", "refund 9"))) == ("TOY 1:7", "TOY refund 9")
    assert names_of("TOY", transfer("a"), told()) != names_of("JOY", transfer("a"), told())
    (long,) = names_of("TOY", transfer("x" * 10_000), told())
    assert len(long) < 100
    assert (long,) != names_of("TOY", transfer("x" * 10_001), told())


PLACES = st.lists(st.sets(st.sampled_from("abc"), min_size=1, max_size=2).map(sorted), min_size=2, max_size=5)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("seen"), st.integers(0, 4)),
        st.tuples(st.just("asked"), st.integers(0, 4)),
        st.tuples(st.just("delivered"), st.integers(0, 4)),
        st.tuples(st.just("reorganised"), st.integers(0, 4)),
    ),
    max_size=14,
)


def rightful(names: Sequence[Sequence[str]]) -> set[int]:
    """In the order of the chain each has its names, unless one before has any of them."""
    taken: set[str] = set()
    found = set()
    for place, own in enumerate(names):
        if not taken & set(own):
            taken |= set(own)
            found.add(place)
    return found


@given(PLACES, STEPS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_end_is_the_same_in_whatever_order_things_become_known(
    store_engine: AsyncEngine, names: list[list[str]], steps: list[tuple[str, int]]
) -> None:
    """Records seen, deliveries, questions and reorganisations in any order: no name ever proves two."""
    async with store_engine.begin() as connection:
        await connection.execute(delete(transactions))
    clock, delivered = Clock(), set[int]()
    rows = [started(place + 1, f"deposit-{place}") for place in range(len(names))]

    def answer(asked: Transfer) -> TransferStatus:
        place = int(str(asked.reference)[-1])
        own = tuple(names[place])
        return told(names=own) if place in delivered else told(TransferState.BRIDGE_PENDING)

    asking = worker(store_engine, Scripted(answer), clock)

    async def look() -> set[int]:
        found = {int(str(block)) - 1 for block, state in (await states(store_engine)).items() if state == "success"}
        told_of = [name for place in found for name in names[place]]
        assert len(told_of) == len(set(told_of))
        return found

    for step, place in steps:
        place %= len(names)
        if step == "seen":
            await seen(store_engine, rows[place])
        elif step == "delivered":
            delivered.add(place)
        elif step == "asked":
            await asking.poll("TOYBRIDGE")
            clock.now += timedelta(seconds=place * 10)
        else:
            async with store_engine.begin() as connection:
                await withdraw(connection, 1, above=place)
        await look()
    delivered |= set(range(len(names)))
    await seen(store_engine, *rows)
    for _ in range(len(names) + 1):
        clock.now += timedelta(minutes=3)
        await asking.poll("TOYBRIDGE")
    assert await look() == rightful(names)
