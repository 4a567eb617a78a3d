"""A record is followed only if its own transaction shows that the bridge took what was handed out."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BURNT, BridgeDeposit, LogPattern
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.tracking import columns
from rhumbline.tracking.evm.deposits import own_logs, took
from rhumbline.tracking.evm.logs import BRIDGE_STARTED, SWAPPED, EvmLog
from rhumbline.tracking.issued_transactions import IssuedTransactions, find_builds
from tests.tracking.conftest import catch_up
from tests.tracking.crossings import Crossing
from tests.tracking.events import DIAMOND, OTHER_TOKEN, RECEIVER, SENDER, TOKEN, address_topic
from tests.tracking.market import Market
from tests.tracking.test_proofs import transfer
from tests.tracking.test_status_worker import Hands, Scripted, one, poller, says
from tests.tracking.test_transfers import indexer_of

POOL, ADDRESS = "0x" + "90" * 20, "0x" + "aD" * 20
TRANSFER, DEPOSITED = topic("Transfer(address,address,uint256)"), topic("Deposited(bytes32,uint256)")
ORDER = bytes(31) + b"\x07"


def log(index: int, emitter: str, topics: tuple[bytes, ...], data: bytes = b"") -> EvmLog:
    return EvmLog(emitter.lower(), topics, data, 1, "0xb1", "0xaa", index)


def moved(index: int, giver: str, taker: str, amount: int, token: str = TOKEN) -> EvmLog:
    return log(index, token, (TRANSFER, address_topic(giver), address_topic(taker)), amount.to_bytes(32))


def deposited(index: int, order: bytes = ORDER, amount: int = 1000, pool: str = POOL) -> EvmLog:
    return log(index, pool, (DEPOSITED, order), bytes(32) + amount.to_bytes(32))


PAID = BridgeDeposit(TOKEN, 900, (ADDRESS,))
NAMED = BridgeDeposit(TOKEN, 900, (POOL,), LogPattern(POOL, (DEPOSITED, ORDER), {0: bytes(32)}, 1))


SENT = replace(transfer(), sent_token=TOKEN, sent_amount=1000)


@pytest.mark.parametrize(
    ("deposit", "logs", "there"),
    [
        (PAID, [moved(1, SENDER, ADDRESS, 1000)], True),
        (PAID, [moved(1, SENDER, ADDRESS, 400), moved(2, SENDER, ADDRESS, 600)], True),
        (PAID, [moved(1, SENDER, ADDRESS, 998)], True),
        (PAID, [moved(1, SENDER, ADDRESS, 997)], False),
        (PAID, [moved(1, SENDER, ADDRESS, 1000), moved(2, ADDRESS, SENDER, 3)], False),
        (PAID, [moved(1, ADDRESS, ADDRESS, 10**6)], False),
        (PAID, [moved(1, SENDER, RECEIVER, 1000)], False),
        (PAID, [moved(1, SENDER, ADDRESS, 1000, OTHER_TOKEN)], False),
        (PAID, [log(1, TOKEN, (TRANSFER, address_topic(ADDRESS)), (1000).to_bytes(32))], False),
        (PAID, [], False),
        (BridgeDeposit(TOKEN, 900, (ADDRESS,), swapped=True), [moved(1, SENDER, ADDRESS, 900)], True),
        (BridgeDeposit(TOKEN, 900, (ADDRESS,), swapped=True), [moved(1, SENDER, ADDRESS, 897)], False),
        (BridgeDeposit(OTHER_TOKEN, 9, (ADDRESS,)), [moved(1, SENDER, ADDRESS, 9, OTHER_TOKEN)], True),
        (BridgeDeposit(TOKEN, 900, (BURNT,)), [moved(1, SENDER, BURNT, 1000)], True),
        (BridgeDeposit(NATIVE_EVM, 1000, (ADDRESS,)), [], True),
        (NAMED, [deposited(1)], True),
        (NAMED, [deposited(1, bytes(32)), deposited(2, amount=900)], True),
        (NAMED, [deposited(1, amount=899)], False),
        (NAMED, [deposited(1, bytes(32))], False),
        (NAMED, [deposited(1, pool=DIAMOND)], False),
        (NAMED, [moved(1, SENDER, POOL, 1000)], False),
        (NAMED, [log(1, POOL, (DEPOSITED, ORDER), (1).to_bytes(32) + (1000).to_bytes(32))], False),
        (NAMED, [log(1, POOL, (DEPOSITED, ORDER), bytes(63))], False),
        (NAMED, [log(1, POOL, (DEPOSITED,), bytes(32) + (1000).to_bytes(32))], False),
    ],
)
def test_what_shows_that_a_bridge_took_the_tokens(deposit: BridgeDeposit, logs: list[EvmLog], there: bool) -> None:
    assert took(deposit, logs, SENT) is there
    assert took(stored(deposit), logs, SENT) is there


def test_one_deposit_is_one_event_s() -> None:
    """What came before the Diamond's previous event is that one's; what comes after ours is nobody's yet."""
    first, second = (log(index, DIAMOND, (topic(event),)) for index, event in ((4, SWAPPED), (8, BRIDGE_STARTED)))
    stranger = log(5, RECEIVER, (topic(BRIDGE_STARTED),))
    logs = [deposited(2), first, stranger, deposited(6), second, deposited(9)]
    assert [item.log_index for item in own_logs(logs, DIAMOND, 4)] == [2, 4]
    assert [item.log_index for item in own_logs(logs, DIAMOND.upper().replace("0X", "0x"), 8)] == [5, 6, 8]
    assert own_logs(logs, DIAMOND, -1) == tuple(logs)
    assert own_logs(logs, None, 8) == tuple(logs[:5])


WORD = st.binary(min_size=32, max_size=32)
PATTERN = st.builds(
    LogPattern,
    st.just(POOL),
    st.lists(st.none() | WORD, max_size=4).map(tuple),
    st.dictionaries(st.integers(0, 9), WORD, max_size=3),
    st.none() | st.integers(0, 9),
)
DEPOSIT = st.builds(
    BridgeDeposit,
    st.sampled_from([TOKEN, NATIVE_EVM]),
    st.integers(0, 2**256 - 1),
    st.lists(st.sampled_from([POOL, BURNT]), max_size=2).map(tuple),
    st.none() | PATTERN,
    st.booleans(),
)


@given(DEPOSIT)
def test_a_deposit_is_read_as_it_was_written(deposit: BridgeDeposit) -> None:
    assert stored(deposit) == deposit


def stored(deposit: BridgeDeposit) -> BridgeDeposit:
    kept = columns.DEPOSIT.parse(json.loads(json.dumps(columns.serialise(deposit))))
    assert kept is not None
    return kept


async def seen(market: Market, engine: AsyncEngine, pattern: Callable[[Crossing], LogPattern]) -> None:
    """A transfer whose bridge is to write a log of this pattern, and the Diamond's own is all that there is."""
    crossing = Crossing(market)
    deposit = BridgeDeposit(NATIVE_EVM, crossing.amount, (), pattern(crossing))
    await IssuedTransactions(engine).keep(crossing.build(deposit=deposit))
    async with engine.connect() as connection:
        (kept,) = (await find_builds(connection, ["0x" + crossing.identifier.hex()])).values()
    assert kept.deposit == deposit
    await crossing.send()
    await catch_up(indexer_of(market, engine))


def ours(crossing: Crossing) -> LogPattern:
    return LogPattern(crossing.market.diamond, (topic(BRIDGE_STARTED), crossing.identifier, None, None))


def another(crossing: Crossing) -> LogPattern:
    return LogPattern(crossing.market.diamond, (topic(BRIDGE_STARTED), bytes(32), None, None))


async def test_a_transfer_whose_deposit_is_there_is_followed(market: Market, store_engine: AsyncEngine) -> None:
    await seen(market, store_engine, ours)
    bridge = Scripted(says(TransferState.BRIDGE_PENDING))
    clock = Hands()
    for _ in range(2):
        await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
        clock.move(minutes=1)
    assert len(bridge.asked) == 2
    record = await one(store_engine)
    assert isinstance(record["transfer"], dict)
    assert "deposit" not in record["transfer"], "it is looked for once"


async def test_a_transfer_that_was_paid_elsewhere_is_unknown_and_nobody_is_asked(
    market: Market, store_engine: AsyncEngine
) -> None:
    await seen(market, store_engine, another)
    bridge, clock = Scripted(says(TransferState.SUCCESS)), Hands()
    for _ in range(2):
        await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
        clock.move(hours=1)
    record = await one(store_engine)
    assert (record["status"], record["status_source"], record["transfer"]) == ("unknown", "unknown", None)
    assert (record["next_bridge_check_at"], record["bridge_scan_url"]) == (None, None)
    assert bridge.asked == []


async def test_as_long_as_no_node_tells_nobody_is_asked(
    market: Market, store_engine: AsyncEngine, http: HttpClient
) -> None:
    await seen(market, store_engine, ours)
    bridge, clock = Scripted(says(TransferState.SUCCESS)), Hands()
    down = EvmRpc("http://127.0.0.1:1", http, "down")
    await poller(replace(market, rpc=down), store_engine, bridge, clock).poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["last_bridge_checked_at"], bridge.asked) == ("bridge_pending", None, [])
    clock.move(minutes=1)
    await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
    assert (await one(store_engine))["status"] == "success"
