"""Asking bridges about transfers: who is asked, when, how often, and what becomes of what they say."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.metrics import NoMetrics
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.tracking.deliveries import Deliveries
from rhumbline.tracking.evm.deposits import EvmDeposits
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.leadership import process_lease
from rhumbline.tracking.status_worker import PollingSettings, StatusWorker
from rhumbline.tracking.store import evidence, transactions
from rhumbline.tracking.trackers import TransferTracker
from rhumbline.tracking.values import PriceReader, no_prices
from tests.tracking.conftest import STORED, catch_up, kept, records
from tests.tracking.crossings import OUTPUT, Crossing, known
from tests.tracking.market import Market
from tests.tracking.test_trackers import until
from tests.tracking.test_transfers import claimed, indexer_of

Answer = Callable[[Transfer], TransferStatus]
SOON = timedelta(seconds=1)
WORD, PROOF = StatusSource.BRIDGE_API, StatusSource.ANALYTICS
# Where nothing is known of its budget, a bridge is asked so slowly that tests would wait for it.
GENEROUS = GuardRules(calls_per_s=1e6)


@dataclass
class Scripted:
    """A bridge that says what the test wants; ``asked`` are its questions."""

    answer: Answer | None = None
    error: Exception | None = None
    wait_s: float = 0
    asked: list[Transfer] = field(default_factory=list)
    was_asked: asyncio.Event = field(default_factory=asyncio.Event)
    running: int = 0
    peak: int = 0
    guard: UpstreamGuard = field(default_factory=lambda: UpstreamGuard("toy", GENEROUS))

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo("TOYBRIDGE", "Toy", "", Capability.BRIDGE, (900_001, 900_002))

    def supports(self, request: QuoteRequest, /) -> bool:
        return False

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        raise NoRoute("none")

    async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
        raise NoRoute("none")

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        return await self.guard.run(partial(self._status, transfer))

    async def _status(self, transfer: Transfer) -> TransferStatus:
        self.asked.append(transfer)
        self.was_asked.set()
        self.running += 1
        self.peak = max(self.peak, self.running)
        await asyncio.sleep(self.wait_s)
        self.running -= 1
        if self.error is not None:
            raise self.error
        assert self.answer is not None
        return self.answer(transfer)


class Hands:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


def says(state: TransferState, source: StatusSource = WORD, **more: Any) -> Answer:
    return lambda _: TransferStatus(state, source, f"word {state.value}", **more)


def poller(
    market: Market,
    engine: AsyncEngine,
    bridge: Scripted | None,
    clock: Hands,
    rpc: EvmRpc | None = None,
    prices: PriceReader = no_prices,
    **more: Any,
) -> StatusWorker:
    chains = known(market).chains
    rpcs = {900_001: market.rpc, 900_002: rpc or market.rpc}
    token = Token(900_002, OUTPUT, "OUT", 6, "Out")
    there = {ChainType.EVM: EvmDestinations(rpcs)}
    deliveries = Deliveries(chains, TokenCatalog(list(chains), [token], token_readers(rpcs)), there, prices)
    bridges = {} if bridge is None else {"TOYBRIDGE": bridge}
    deposits = {ChainType.EVM: EvmDeposits(chains, rpcs)}
    return StatusWorker(bridges, engine, deliveries, deposits, clock, PollingSettings(**more))


async def started(market: Market, engine: AsyncEngine, count: int = 1) -> None:
    for nonce in range(count):
        crossing = Crossing(market, nonce=nonce, reference=f"deposit-{nonce + 1}")
        await IssuedTransactions(engine).keep(crossing.build())
        await crossing.send()
    await catch_up(indexer_of(market, engine))


async def one(engine: AsyncEngine) -> dict[str, object]:
    (record,) = await records(engine)
    return record


async def test_a_transfer_is_followed_to_its_end(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING, raw={"status": "waiting"}))
    chain_indexer = poller(market, store_engine, bridge, clock)
    assert await chain_indexer.poll("TOYBRIDGE") is False
    record = await one(store_engine)
    assert (record["status"], record["substatus"], record["status_source"]) == (
        "bridge_pending", "word bridge_pending", "bridge_api",
    )  # fmt: skip
    assert record["last_bridge_checked_at"] == record["last_bridge_success_checked_at"] == clock.now
    assert record["raw_bridge_status"] == {"status": "waiting"}
    await chain_indexer.poll("TOYBRIDGE")
    assert len(bridge.asked) == 1
    clock.move(seconds=6)
    arrived = await market.send(market.accounts[0], market.accounts[1], b"", 1)
    bridge.answer = says(
        TransferState.SUCCESS, destination_tx_hash=arrived.upper().replace("0X", "0x"), output_amount=497
    )
    await chain_indexer.poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["dest_tx_hash"]) == ("success", arrived)
    assert record["output"] == {"address": OUTPUT, "raw": "497", "symbol": "OUT", "decimals": 6}
    assert record["dest_time"] is not None
    assert record["dest_gas_fee"] is not None
    assert record["next_bridge_check_at"] is None
    clock.move(days=1)
    await chain_indexer.poll("TOYBRIDGE")
    assert len(bridge.asked) == 2
    async with store_engine.connect() as connection:
        kept = (await connection.execute(select(evidence.c.state).order_by(evidence.c.first_at))).scalars().all()
    assert kept == ["bridge_pending", "success"]


async def test_transfers_without_an_end_are_counted(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine, 2)
    bridge, told = Scripted(says(TransferState.SUCCESS)), list[Mapping[str, int]]()

    class Counting(NoMetrics):
        def awaited(self, transfers: Mapping[str, int], /) -> None:
            told.append(transfers)

    worker = replace(poller(market, store_engine, bridge, Hands()), metrics=Counting())
    await worker.count()
    await worker.poll("TOYBRIDGE")
    await worker.count()
    assert told == [{"TOYBRIDGE": 2}, {"TOYBRIDGE": 0}]


async def test_a_bridge_that_does_not_know_is_given_time(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.UNKNOWN))
    chain_indexer = poller(market, store_engine, bridge, clock)
    await chain_indexer.poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["last_bridge_success_checked_at"]) == ("bridge_pending", None)
    assert record["last_bridge_checked_at"] == clock.now
    clock.move(minutes=31)
    await chain_indexer.poll("TOYBRIDGE")
    assert (await one(store_engine))["status"] == "unknown"
    bridge.answer = says(TransferState.SUCCESS, PROOF)
    clock.move(minutes=5)
    await chain_indexer.poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["status_source"]) == ("success", "analytics")


@pytest.mark.parametrize(
    "error",
    [UpstreamFailed("is down"), ZeroDivisionError("secret"), TimeoutError(), NodeUnavailable("x"), RpcError(1, "x")],
)
async def test_a_bridge_that_fails_is_asked_again_later(
    market: Market, store_engine: AsyncEngine, error: Exception
) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(error=error)
    chain_indexer = poller(market, store_engine, bridge, clock)
    await chain_indexer.poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["last_bridge_checked_at"]) == ("bridge_pending", clock.now)
    clock.move(seconds=6)
    bridge.error, bridge.answer = None, says(TransferState.SUCCESS)
    await chain_indexer.poll("TOYBRIDGE")
    assert (await one(store_engine))["status"] == "success"


async def test_the_pauses_grow_and_end(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING))
    chain_indexer = poller(market, store_engine, bridge, clock)
    begin = clock.now
    pauses = []
    for _ in range(50):
        await chain_indexer.poll("TOYBRIDGE")
        again = (await one(store_engine))["next_bridge_check_at"]
        assert isinstance(again, datetime)
        pauses.append((again - clock.now).total_seconds())
        clock.now = again
    assert pauses[0] == 5
    assert pauses == sorted(pauses)
    assert pauses[-1] == 120
    assert len(bridge.asked) == 50
    clock.now = begin + timedelta(days=15)
    await chain_indexer.poll("TOYBRIDGE")
    assert (await one(store_engine))["next_bridge_check_at"] is None


async def test_a_rest_that_was_asked_for_is_kept_for_all_its_transfers(
    market: Market, store_engine: AsyncEngine
) -> None:
    await started(market, store_engine, 3)
    clock = Hands()
    guard = UpstreamGuard("toy", now=lambda: clock.now.timestamp())
    bridge = Scripted(error=UpstreamFailed("limits our rate", 60.0), guard=guard)
    chain_indexer = poller(market, store_engine, bridge, clock, at_once=1)
    await chain_indexer.poll("TOYBRIDGE")
    assert len(bridge.asked) == 1
    clock.move(seconds=59)
    await chain_indexer.poll("TOYBRIDGE")
    assert len(bridge.asked) == 1
    bridge.error, bridge.answer = None, says(TransferState.SUCCESS)
    clock.move(seconds=62)
    await chain_indexer.poll("TOYBRIDGE")
    assert {record["status"] for record in await records(store_engine)} == {"success"}


async def test_a_rest_that_a_quote_was_asked_for_is_kept_too(market: Market, store_engine: AsyncEngine) -> None:
    """The host asked for it, whatever it was asked before; the transfers are due again when it is over."""
    await started(market, store_engine, 2)
    clock = Hands()
    guard = UpstreamGuard("toy", now=lambda: clock.now.timestamp())
    bridge = Scripted(says(TransferState.SUCCESS), guard=guard)

    async def quote() -> None:
        raise UpstreamFailed("limits our rate", 60.0)

    with pytest.raises(UpstreamFailed):
        await UpstreamCall(Purpose.QUOTE).run(partial(guard.run, quote))
    chain_indexer = poller(market, store_engine, bridge, clock)
    await chain_indexer.poll("TOYBRIDGE")
    assert bridge.asked == []
    for record in await records(store_engine):
        assert record["last_bridge_checked_at"] is None
        again = record["next_bridge_check_at"]
        assert isinstance(again, datetime)
        assert abs(again - clock.now - timedelta(seconds=60)) < SOON
    clock.move(seconds=61)
    await chain_indexer.poll("TOYBRIDGE")
    assert {record["status"] for record in await records(store_engine)} == {"success"}


async def test_no_turn_within_the_claim_is_left_to_whoever_claims_next(
    market: Market, store_engine: AsyncEngine
) -> None:
    await started(market, store_engine, 3)
    clock = Hands()
    guard = UpstreamGuard("toy", GuardRules(calls_per_s=0.004), now=lambda: clock.now.timestamp())
    bridge = Scripted(says(TransferState.SUCCESS), guard=guard)
    await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
    assert len(bridge.asked) == 1
    assert sorted(str(record["status"]) for record in await records(store_engine)) == [
        "bridge_pending", "bridge_pending", "success",
    ]  # fmt: skip


async def test_two_workers_never_ask_about_one_transfer_at_once(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine, 6)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING), wait_s=0.05)
    workers = [poller(market, store_engine, bridge, clock, batch=4, at_once=2) for _ in range(3)]
    more = await asyncio.gather(*(worker.poll("TOYBRIDGE") for worker in workers))
    assert sum(more) <= 1
    # Whoever chose what another one had claimed by then asks about the rest at its next look.
    await workers[0].poll("TOYBRIDGE")
    assert len({transfer.tx_hash for transfer in bridge.asked}) == len(bridge.asked) == 6
    assert bridge.peak <= 6


async def test_who_has_most_likely_arrived_is_asked_about_first(market: Market, store_engine: AsyncEngine) -> None:
    """The longest due is one that was asked about a moment ago, after an hour in vain."""
    await started(market, store_engine, 3)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING))
    hashes = [str(record["source_tx_hash"]) for record in await records(store_engine)]
    ages_s = dict(zip(hashes, [(3600, 10), (30, None), (90, None)], strict=True))
    row = transactions.c
    async with store_engine.begin() as connection:
        # Nobody else may change when a record began.
        await connection.execute(text("SET LOCAL session_replication_role = replica"))
        for due_s, (tx_hash, (age_s, asked_s)) in enumerate(ages_s.items()):
            values: dict[str, object] = {
                "origin_time": clock.now - timedelta(seconds=age_s),
                "last_bridge_checked_at": None if asked_s is None else clock.now - timedelta(seconds=asked_s),
                "next_bridge_check_at": clock.now - timedelta(seconds=10 - due_s),
            }
            await connection.execute(update(transactions).where(row.origin_tx_hash == tx_hash).values(values))
    worker = poller(market, store_engine, bridge, clock, batch=2, at_once=1)
    assert await worker.poll("TOYBRIDGE") is True
    assert [asked.tx_hash for asked in bridge.asked] == [hashes[2], hashes[1]]
    assert await worker.poll("TOYBRIDGE") is False
    assert [asked.tx_hash for asked in bridge.asked[2:]] == hashes[:1]


async def test_what_a_reorganisation_took_back_is_not_written(market: Market, store_engine: AsyncEngine) -> None:
    chain_indexer = indexer_of(market, store_engine)
    await catch_up(chain_indexer)
    mark = await market.snapshot()
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(crossing.build())
    await crossing.send()
    await catch_up(chain_indexer)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS), wait_s=0.5)
    asking = asyncio.create_task(poller(market, store_engine, bridge, clock).poll("TOYBRIDGE"))
    await bridge.was_asked.wait()
    await market.revert(mark)
    await market.mine(2)
    await catch_up(chain_indexer)
    await asking
    assert await records(store_engine) == []
    async with store_engine.connect() as connection:
        assert (await connection.execute(select(evidence))).all() == []


async def test_what_is_open_when_nobody_asks_any_more_is_unknown(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING, PROOF))
    chain_indexer = poller(market, store_engine, bridge, clock)
    clock.move(days=13)
    await chain_indexer.poll("TOYBRIDGE")
    assert (await one(store_engine))["status"] == "bridge_pending"
    clock.move(days=2)
    await chain_indexer.poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["substatus"], record["status_source"]) == (
        "unknown", "word bridge_pending", "unknown",
    )  # fmt: skip
    assert record["next_bridge_check_at"] is None


async def test_what_ended_a_transfer_was_first_whatever_the_clocks_say(
    market: Market, store_engine: AsyncEngine, http: HttpClient
) -> None:
    """Two workers, of which the second one's clock is behind; the first could not read the destination."""
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS, destination_tx_hash="0x" + "ab" * 32))
    down = EvmRpc("http://127.0.0.1:1", http, "down")
    clock.move(minutes=30)
    await poller(market, store_engine, bridge, clock, down).poll("TOYBRIDGE")
    assert (await one(store_engine))["status"] == "success"
    async with store_engine.begin() as connection:
        await connection.execute(update(transactions).values(next_bridge_check_at=clock.now - timedelta(hours=2)))
    clock.move(hours=-1)
    bridge.answer = says(TransferState.REFUNDED)
    await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
    assert len(bridge.asked) == 2
    assert (await one(store_engine))["status"] == "success"


async def test_one_that_is_odd_holds_up_no_other(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine, 3)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS))
    async with store_engine.begin() as connection:
        odd = select(STORED.c.id).limit(1).scalar_subquery()
        await connection.execute(update(STORED).where(STORED.c.id == odd).values(transfer={"adapter": "TOYBRIDGE"}))
    await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
    assert sorted(str(record["status"]) for record in await records(store_engine)) == [
        "bridge_pending", "success", "success",
    ]  # fmt: skip


async def test_a_claim_that_ran_out_while_waiting_is_left_alone(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine, 2)
    clock = Hands()

    def slow(transfer: Transfer) -> TransferStatus:
        clock.move(seconds=90)
        return TransferStatus(TransferState.SUCCESS, WORD)

    bridge = Scripted(slow)
    chain_indexer = poller(market, store_engine, bridge, clock, at_once=1)
    await chain_indexer.poll("TOYBRIDGE")
    assert len(bridge.asked) == 1
    clock.move(seconds=60)
    await chain_indexer.poll("TOYBRIDGE")
    assert len({transfer.tx_hash for transfer in bridge.asked}) == 2


async def test_a_bridge_is_asked_no_oftener_than_it_may_be(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine, 3)
    guard = UpstreamGuard("toy", GuardRules(calls_per_s=20.0))
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS), guard=guard)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
    assert len(bridge.asked) == 3
    assert loop.time() - began >= 2 / 5


async def test_a_bridge_that_hangs_holds_up_no_other(market: Market, store_engine: AsyncEngine) -> None:
    for nonce, adapter in enumerate(("TOYBRIDGE", "SLOWBRIDGE")):
        crossing = Crossing(market, nonce=nonce, adapter=adapter)
        await IssuedTransactions(store_engine).keep(crossing.build())
        await crossing.send()
    await catch_up(indexer_of(market, store_engine))
    quick, slow = Scripted(says(TransferState.SUCCESS)), Scripted(says(TransferState.SUCCESS), wait_s=3600)
    bridges = {"TOYBRIDGE": quick, "SLOWBRIDGE": slow}
    chains = known(market).chains
    deliveries = Deliveries(chains, TokenCatalog(list(chains), [], {}), {ChainType.EVM: EvmDestinations({})})
    stop = asyncio.Event()
    chain_indexer = TransferTracker(
        StatusWorker(bridges, store_engine, deliveries, {}, system_clock),
        IssuedTransactions(store_engine),
        0.02,
    )
    leases = Leases(store_engine)
    running = asyncio.create_task(chain_indexer.run(leases, stop))
    await slow.was_asked.wait()

    async def arrived() -> bool:
        states = {record["protocol"]: record["status"] for record in await records(store_engine)}
        assert states["SLOWBRIDGE"] == "bridge_pending"
        return states["TOYBRIDGE"] == "success"

    await until(arrived)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await leases.release()


async def test_a_claim_counts_when_its_bridge_has_found_it(market: Market, store_engine: AsyncEngine) -> None:
    await claimed(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.UNKNOWN))
    chain_indexer = poller(market, store_engine, bridge, clock)
    for state, expected in (
        (TransferState.UNKNOWN, "unknown"),
        (TransferState.BRIDGE_PENDING, "bridge_pending"),
        (TransferState.SUCCESS, "success"),
    ):
        bridge.answer = says(state, PROOF)
        await chain_indexer.poll("TOYBRIDGE")
        assert (await one(store_engine))["status"] == expected
        clock.move(minutes=1)


async def test_a_rest_is_no_attempt(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine, 2)
    clock, bridge = Hands(), Scripted(error=UpstreamFailed("limits our rate", 60.0))
    await poller(market, store_engine, bridge, clock, at_once=1).poll("TOYBRIDGE")
    checked = [record["last_bridge_checked_at"] for record in await records(store_engine)]
    assert sorted(at is None for at in checked) == [False, True]


async def test_a_bridge_that_is_gone_leaves_the_record(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock = Hands()
    await poller(market, store_engine, None, clock).poll("")
    record = await one(store_engine)
    assert (record["status"], record["last_bridge_checked_at"]) == ("bridge_pending", clock.now)


async def test_claims_of_a_process_that_is_gone_are_freed_and_its_late_answer_is_not_written(
    market: Market, store_engine: AsyncEngine
) -> None:
    await started(market, store_engine, 2)
    clock, leases = Hands(), Leases(store_engine)
    own = process_lease(leases.holder)
    hung, well = Scripted(says(TransferState.BRIDGE_FAILED), wait_s=1000), Scripted(says(TransferState.BRIDGE_PENDING))
    gone = replace(poller(market, store_engine, hung, clock), process=leases.holder)
    heir = replace(poller(market, store_engine, well, clock), process="heir")
    assert await leases.take(own)
    asking = asyncio.create_task(gone.poll("TOYBRIDGE"))
    await hung.was_asked.wait()
    await until(partial(claims_are, store_engine, {leases.holder}))
    assert await heir.free_ended() == 0
    await heir.poll("TOYBRIDGE")
    assert not well.asked
    await leases.release()
    clock.move(seconds=1)
    assert await heir.free_ended() == 2
    await heir.poll("TOYBRIDGE")
    assert len(well.asked) == 2
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert {record["status"] for record in await records(store_engine)} == {"bridge_pending"}
    assert await claims_are(store_engine, {None})
    await started_again(gone, hung, clock)
    await gone.free_own()
    assert await claims_are(store_engine, {None})


async def started_again(worker: StatusWorker, bridge: Scripted, clock: Hands) -> None:
    """Have a worker claim what is due, and end in the middle of it."""
    clock.move(seconds=600)
    bridge.was_asked.clear()
    asking = asyncio.create_task(worker.poll("TOYBRIDGE"))
    await bridge.was_asked.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)


async def claims_are(engine: AsyncEngine, whose: set[str | None]) -> bool:
    return {record["claimed_by"] for record in await records(engine)} == whose


async def ask_again(worker: StatusWorker, engine: AsyncEngine) -> str:
    (record,) = await kept(engine)
    return await worker.ask_again(record)


async def kinds_of_events(engine: AsyncEngine) -> list[str]:
    async with engine.connect() as connection:
        return list((await connection.execute(text("SELECT kind FROM events ORDER BY number"))).scalars())


async def test_a_transfer_is_asked_about_again_before_it_is_due(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING))
    worker = poller(market, store_engine, bridge, clock)
    await worker.poll("TOYBRIDGE")
    assert await worker.poll("TOYBRIDGE") is False
    assert len(bridge.asked) == 1
    bridge.answer = says(TransferState.REFUNDED)
    assert await ask_again(worker, store_engine) == "TOYBRIDGE answered: refunded (word refunded)"
    assert ((await one(store_engine))["status"], len(bridge.asked)) == ("refunded", 2)
    bridge.error = UpstreamFailed("is down")
    assert (await ask_again(worker, store_engine)).startswith("TOYBRIDGE did not answer")
    without = poller(market, store_engine, None, clock)
    assert "not configured any more" in await ask_again(without, store_engine)


async def test_whoever_has_claimed_a_transfer_writes_nothing_after_it_was_asked_again(
    market: Market, store_engine: AsyncEngine
) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING), wait_s=0.3)
    worker = poller(market, store_engine, bridge, clock)
    polling = asyncio.create_task(worker.poll("TOYBRIDGE"))
    await bridge.was_asked.wait()
    late, bridge.wait_s = bridge, 0
    sooner = Scripted(says(TransferState.REFUNDED))
    await ask_again(poller(market, store_engine, sooner, clock), store_engine)
    late.answer = says(TransferState.SUCCESS)
    await polling
    assert (await one(store_engine))["status"] == "refunded"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (says(TransferState.SUCCESS), "refunded"),
        (says(TransferState.BRIDGE_PENDING, PROOF), "refunded"),
        (says(TransferState.SUCCESS, PROOF, output_amount=497), "success"),
    ],
)
async def test_an_end_is_reopened_by_a_proof_alone(
    market: Market, store_engine: AsyncEngine, answer: Answer, status: str
) -> None:
    await started(market, store_engine)
    bridge = Scripted(says(TransferState.REFUNDED))
    worker = poller(market, store_engine, bridge, Hands())
    await worker.poll("TOYBRIDGE")
    before = await kinds_of_events(store_engine)
    bridge.answer = answer
    await ask_again(worker, store_engine)
    record = await one(store_engine)
    assert record["status"] == status
    # What changed nothing is no event, and is evidence all the same.
    assert len(await kinds_of_events(store_engine)) == len(before) + (status != "refunded")
    async with store_engine.connect() as connection:
        assert len((await connection.execute(select(evidence))).all()) == 2


async def test_one_that_was_given_up_is_found_after_all(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING))
    worker = poller(market, store_engine, bridge, clock)
    clock.move(days=15)
    await worker.poll("TOYBRIDGE")
    assert ((await one(store_engine))["status"], (await one(store_engine))["next_bridge_check_at"]) == ("unknown", None)
    before = await kinds_of_events(store_engine)
    await ask_again(worker, store_engine)
    assert ((await one(store_engine))["status"], await kinds_of_events(store_engine)) == ("unknown", before)
    bridge.answer = says(TransferState.REFUNDED)
    await ask_again(worker, store_engine)
    record = await one(store_engine)
    assert (record["status"], record["next_bridge_check_at"]) == ("refunded", None)
    assert await kinds_of_events(store_engine) == [*before, "final"]
