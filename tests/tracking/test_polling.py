"""Asking bridges about transfers: who is asked, when, how often, and what becomes of what they say."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import Transaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.rpc import EvmRpc
from rhumbline.tracking.arrivals import Arrivals
from rhumbline.tracking.builds import Builds
from rhumbline.tracking.polling import BridgePoller, PollingSettings
from rhumbline.tracking.raw_status import LARGEST_BYTES, shown
from rhumbline.tracking.store import evidence
from tests.tracking.conftest import catch_up, records
from tests.tracking.crossings import OUTPUT, Crossing, known
from tests.tracking.market import Market
from tests.tracking.test_transfers import follower_of

Answer = Callable[[Transfer], TransferStatus]
WORD, PROOF = StatusSource.BRIDGE_API, StatusSource.ANALYTICS


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

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo("TOYBRIDGE", "Toy", "", Capability.BRIDGE, (900_001, 900_002))

    def supports(self, request: QuoteRequest, /) -> bool:
        return False

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        raise NoRoute("none")

    async def build(self, quote: Quote[None], /) -> Transaction:
        raise NoRoute("none")

    async def status(self, transfer: Transfer, /) -> TransferStatus:
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
    market: Market, engine: AsyncEngine, bridge: Scripted | None, clock: Hands, rpc: EvmRpc | None = None, **more: Any
) -> BridgePoller:
    chains = known(market).chains
    rpcs = {900_001: market.rpc, 900_002: rpc or market.rpc}
    token = Token(900_002, OUTPUT, "OUT", 6, "Out")
    arrivals = Arrivals(chains, TokenCatalog(list(chains), [token], rpcs), rpcs)
    return BridgePoller(
        {} if bridge is None else {"TOYBRIDGE": bridge}, engine, arrivals, clock, PollingSettings(**more)
    )


async def started(market: Market, engine: AsyncEngine, count: int = 1) -> None:
    for nonce in range(count):
        crossing = Crossing(market, nonce=nonce)
        await Builds(engine).keep(crossing.build())
        await crossing.send()
    await catch_up(follower_of(market, engine))


async def one(engine: AsyncEngine) -> dict[str, object]:
    (record,) = await records(engine)
    return record


async def test_a_transfer_is_followed_to_its_end(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING, raw={"status": "waiting"}))
    follower = poller(market, store_engine, bridge, clock)
    assert await follower.poll() is False
    record = await one(store_engine)
    assert (record["status"], record["substatus"], record["status_source"]) == (
        "bridge_pending", "word bridge_pending", "bridge_api",
    )  # fmt: skip
    assert record["last_bridge_checked_at"] == record["last_bridge_success_checked_at"] == clock.now
    assert record["raw_bridge_status"] == {"status": "waiting"}
    await follower.poll()
    assert len(bridge.asked) == 1
    clock.move(seconds=6)
    arrived = await market.send(market.accounts[0], market.accounts[1], b"", 1)
    bridge.answer = says(TransferState.SUCCESS, dest_tx_hash=arrived.upper().replace("0X", "0x"), output_amount=497)
    await follower.poll()
    record = await one(store_engine)
    assert (record["status"], record["dest_tx_hash"]) == ("success", arrived)
    assert record["output"] == {"address": OUTPUT, "raw": "497", "symbol": "OUT", "decimals": 6}
    assert record["dest_time"] is not None
    assert record["dest_gas_fee"] is not None
    assert record["next_bridge_check_at"] is None
    clock.move(days=1)
    await follower.poll()
    assert len(bridge.asked) == 2
    async with store_engine.connect() as connection:
        kept = (await connection.execute(select(evidence.c.state).order_by(evidence.c.first_at))).scalars().all()
    assert kept == ["bridge_pending", "success"]


async def test_a_bridge_that_does_not_know_is_given_time(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.UNKNOWN))
    follower = poller(market, store_engine, bridge, clock)
    await follower.poll()
    record = await one(store_engine)
    assert (record["status"], record["last_bridge_success_checked_at"]) == ("bridge_pending", None)
    assert record["last_bridge_checked_at"] == clock.now
    clock.move(minutes=31)
    await follower.poll()
    assert (await one(store_engine))["status"] == "unknown"
    bridge.answer = says(TransferState.SUCCESS, PROOF)
    clock.move(minutes=5)
    await follower.poll()
    record = await one(store_engine)
    assert (record["status"], record["status_source"]) == ("success", "analytics")


@pytest.mark.parametrize("error", [UpstreamFailed("is down"), ZeroDivisionError("secret"), TimeoutError()])
async def test_a_bridge_that_fails_is_asked_again_later(
    market: Market, store_engine: AsyncEngine, error: Exception
) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(error=error)
    follower = poller(market, store_engine, bridge, clock)
    await follower.poll()
    record = await one(store_engine)
    assert (record["status"], record["last_bridge_checked_at"]) == ("bridge_pending", clock.now)
    clock.move(seconds=6)
    bridge.error, bridge.answer = None, says(TransferState.SUCCESS)
    await follower.poll()
    assert (await one(store_engine))["status"] == "success"


async def test_the_pauses_grow_and_end(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING))
    follower = poller(market, store_engine, bridge, clock)
    begin = clock.now
    pauses = []
    for _ in range(50):
        await follower.poll()
        again = (await one(store_engine))["next_bridge_check_at"]
        assert isinstance(again, datetime)
        pauses.append((again - clock.now).total_seconds())
        clock.now = again
    assert pauses[0] == 5
    assert pauses == sorted(pauses)
    assert pauses[-1] == 120
    assert len(bridge.asked) == 50
    clock.now = begin + timedelta(days=15)
    await follower.poll()
    assert (await one(store_engine))["next_bridge_check_at"] is None


async def test_a_rest_that_was_asked_for_is_kept_for_all_its_transfers(
    market: Market, store_engine: AsyncEngine
) -> None:
    await started(market, store_engine, 3)
    clock, bridge = Hands(), Scripted(error=UpstreamFailed("limits our rate", 60.0))
    follower = poller(market, store_engine, bridge, clock, at_once=1)
    await follower.poll()
    assert len(bridge.asked) == 1
    clock.move(seconds=59)
    await follower.poll()
    assert len(bridge.asked) == 1
    bridge.error, bridge.answer = None, says(TransferState.SUCCESS)
    clock.move(seconds=62)
    await follower.poll()
    assert {record["status"] for record in await records(store_engine)} == {"success"}


async def test_two_workers_never_ask_about_one_transfer_at_once(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine, 6)
    clock, bridge = Hands(), Scripted(says(TransferState.BRIDGE_PENDING), wait_s=0.05)
    workers = [poller(market, store_engine, bridge, clock, batch=4, at_once=2) for _ in range(3)]
    more = await asyncio.gather(*(worker.poll() for worker in workers))
    assert sum(more) <= 1
    assert len({transfer.tx_hash for transfer in bridge.asked}) == len(bridge.asked) == 6
    assert bridge.peak <= 6


async def test_what_a_reorganisation_took_back_is_not_written(market: Market, store_engine: AsyncEngine) -> None:
    follower = follower_of(market, store_engine)
    await catch_up(follower)
    mark = await market.snapshot()
    crossing = Crossing(market)
    await Builds(store_engine).keep(crossing.build())
    await crossing.send()
    await catch_up(follower)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS), wait_s=0.5)
    asking = asyncio.create_task(poller(market, store_engine, bridge, clock).poll())
    await bridge.was_asked.wait()
    await market.revert(mark)
    await market.mine(2)
    await catch_up(follower)
    await asking
    assert await records(store_engine) == []
    async with store_engine.connect() as connection:
        assert (await connection.execute(select(evidence))).all() == []


async def test_a_bridge_that_is_gone_leaves_the_record(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock = Hands()
    await poller(market, store_engine, None, clock).poll()
    record = await one(store_engine)
    assert (record["status"], record["last_bridge_checked_at"]) == ("bridge_pending", clock.now)


async def test_an_arrival_that_cannot_be_read_yet_is_read_later(
    market: Market, store_engine: AsyncEngine, session: Any
) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS, dest_tx_hash="0x" + "ab" * 32, output_amount=7))
    down = EvmRpc("http://127.0.0.1:1", session, "down")
    await poller(market, store_engine, bridge, clock, down).poll()
    record = await one(store_engine)
    assert (record["status"], record["dest_tx_hash"]) == ("success", "0x" + "ab" * 32)
    assert record["next_bridge_check_at"] is not None
    clock.move(seconds=10)
    await poller(market, store_engine, bridge, clock).poll()
    record = await one(store_engine)
    assert record["next_bridge_check_at"] is None
    assert record["output"] == {"address": OUTPUT, "raw": "7", "symbol": "OUT", "decimals": 6}


answers = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=40,
)


@given(st.dictionaries(st.text(), answers))
def test_whatever_a_bridge_says_can_be_kept(raw: dict[str, object]) -> None:
    text = json.dumps(shown(raw))
    assert len(text) <= LARGEST_BYTES
    assert "\\u0000" not in text


@pytest.mark.parametrize("raw", [{"a": "x" * 10**6}, {"a": ["x" * 900] * 50}, {"a": {"b": {"c": {}}}}, {"n": 2**60}])
def test_large_answers_are_cut(raw: dict[str, object]) -> None:
    kept = shown(raw)
    assert kept
    if raw == {"n": 2**60}:
        assert kept == {"n": str(2**60)}
