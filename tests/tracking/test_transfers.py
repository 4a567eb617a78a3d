"""A transfer becomes a record, and only what was handed out is believed."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.tracking import RouteType, TransferState
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.public_record import public_record
from rhumbline.tracking.resolution import Origin
from rhumbline.tracking.transfers import ScanPages, origin_of, transfer_of
from tests.tracking.conftest import Record, catch_up, kept, new_id, records, service_keys
from tests.tracking.crossings import DEPOSIT, OUTPUT, Crossing, known
from tests.tracking.market import Market


def indexer_of(market: Market, engine: AsyncEngine, rpc: EvmRpc | None = None, **changes: Any) -> Indexer:
    chain = replace(market.chain, **changes)
    settings = IndexingSettings(market.first_block, 2000)
    return Indexer(chain, rpc or market.rpc, engine, service_keys, system_clock, settings, known=known(market))


async def test_a_transfer_becomes_a_record_that_waits_for_its_bridge(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(crossing.build())
    tx_hash = await crossing.send()
    chain_indexer = indexer_of(market, store_engine)
    await catch_up(chain_indexer)
    (record,) = await records(store_engine)
    assert (record["source_tx_hash"], record["dest_tx_hash"]) == (tx_hash, None)
    assert (record["protocol"], record["route_type"], record["has_dest_call"]) == ("TOYBRIDGE", "bridge", False)
    assert (record["source_chain_id"], record["dest_chain_id"]) == (900_001, 900_002)
    assert (record["sender"], record["receiver"]) == (crossing.sender, market.accounts[1])
    assert (record["status"], record["status_source"]) == ("bridge_pending", "analytics")
    assert record["input"] == {"address": NATIVE_EVM, "raw": str(10**15)}
    assert record["output"] is None
    assert record["bridge_scan_url"] == f"https://scan.example/{tx_hash}/deposit-1"
    assert record["next_bridge_check_at"] is not None
    transfer = transfer_of((await kept(store_engine))[0])
    assert (transfer.adapter, transfer.reference, transfer.tx_hash) == ("TOYBRIDGE", "deposit-1", tx_hash)
    assert (transfer.sent_amount, transfer.min_output, transfer.output_token) == (10**15, 490, OUTPUT)
    assert (transfer.refund_to, transfer.receiver) == (crossing.sender, market.accounts[1])
    assert await chain_indexer.step() is False


CLAIMS = pytest.mark.parametrize(
    "claim",
    [
        {"adapter": "ACROSS"},
        {"reference": "deposit-2"},
        {"reference": None},
        {"receiver": "0x70997970C51812dc3A010C7d01b50e0d17dc79C9"},
        {"min_output": 1},
        {"expected_output": 10**30},
        {"output_token": NATIVE_EVM},
        {"amount": 10**14, "net": 10**14, "sent": 10**14},
    ],
)


@CLAIMS
async def test_an_order_that_was_not_handed_out_is_nobodys(
    market: Market, store_engine: AsyncEngine, claim: dict[str, Any]
) -> None:
    """The ID is good for the order that it was made for, and for no other of the same wallet."""
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(crossing.build())
    await crossing.send(**claim)
    await crossing.send(deadline=2**40 + 1)
    await catch_up(indexer_of(market, store_engine))
    assert await records(store_engine) == []


async def test_less_than_ordered_to_the_bridge_is_unknown(market: Market, store_engine: AsyncEngine) -> None:
    """What the bridge took is measured, and no term of the ID: the build tells what it should have been."""
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(crossing.build())
    await crossing.send(sent=10**14)
    await catch_up(indexer_of(market, store_engine))
    assert [record["status"] for record in await records(store_engine)] == ["unknown"]


@CLAIMS
async def test_a_claim_that_no_build_has_is_unknown_and_nobody_is_asked(
    market: Market, store_engine: AsyncEngine, claim: dict[str, Any]
) -> None:
    """Even under an ID that is good for it, as only who has the key could make one."""
    crossing = Crossing(market)
    build = crossing.build()
    order = replace(crossing.plain, **claim)
    await IssuedTransactions(store_engine).keep(
        replace(build, transaction_id="0x" + crossing.identifier_of(order).hex())
    )
    await crossing.send_as_given(**claim)
    await catch_up(indexer_of(market, store_engine))
    (record,) = await records(store_engine)
    assert (record["status"], record["status_source"]) == ("unknown", "unknown")
    assert (record["transfer"], record["next_bridge_check_at"], record["bridge_scan_url"]) == (None, None, None)


async def test_without_what_was_handed_out_a_record_is_there_and_unknown(
    market: Market, store_engine: AsyncEngine
) -> None:
    await Crossing(market).send()
    await catch_up(indexer_of(market, store_engine))
    (record,) = await records(store_engine)
    assert (record["status"], record["protocol"]) == ("unknown", "TOYBRIDGE")


@pytest.mark.parametrize("told", [True, False])
async def test_what_a_bridge_takes_after_a_swap_is_what_was_handed_out(
    market: Market, store_engine: AsyncEngine, told: bool
) -> None:
    """A build that names no token, as older ones do, says that the bridge takes the input."""
    crossing = Crossing(market)
    sent: dict[str, Any] = {"swapped_into": market.weth, "sent": 9 * 10**14}
    identifier = "0x" + crossing.identifier_of(replace(crossing.plain, **sent)).hex()
    build = crossing.build(transaction_id=identifier, sent_amount=9 * 10**14)
    await IssuedTransactions(store_engine).keep(replace(build, sent_token=market.weth) if told else build)
    await crossing.send_as_given(**sent)
    await catch_up(indexer_of(market, store_engine))
    (record,) = await records(store_engine)
    assert record["input"] == {"address": NATIVE_EVM, "raw": str(10**15)}
    assert record["status"] == ("bridge_pending" if told else "unknown")
    if told:
        transfer = transfer_of((await kept(store_engine))[0])
        assert (transfer.sent_token, transfer.sent_amount) == (market.weth, 9 * 10**14)


@pytest.mark.parametrize(("handed_out", "told"), [(True, True), (True, False), (False, True)])
async def test_a_call_on_the_destination_is_one_that_was_handed_out(
    market: Market, store_engine: AsyncEngine, handed_out: bool, told: bool
) -> None:
    crossing = Crossing(market, calls=told)
    call = DestinationCall(DEPOSIT, market.weth, 2**200, b"\x00\xff message")
    await IssuedTransactions(store_engine).keep(crossing.build(destination_call=call if handed_out else None))
    await crossing.send()
    await catch_up(indexer_of(market, store_engine))
    (record,) = await kept(store_engine)
    assert record.has_destination_call is told
    if handed_out and told:
        assert (record.status, origin_of(record)) == (TransferState.BRIDGE_PENDING, Origin.TRANSFER_CALLING)
        assert record.route_type is RouteType.BRIDGE_SWAP
        assert transfer_of(record).destination_call == call
    else:
        assert (record.status, record.terms, record.next_bridge_check_at) == (TransferState.UNKNOWN, None, None)


async def test_a_call_of_which_nothing_vouches_is_asked_of_nobody(market: Market, store_engine: AsyncEngine) -> None:
    """Even where the bridge looks for transfers itself: the event does not tell what is called."""
    await Crossing(market, calls=True).send()
    known_ = replace(known(market), proving=PROVING)
    settings = IndexingSettings(market.first_block, 2000)
    chain_indexer = Indexer(market.chain, market.rpc, store_engine, service_keys, system_clock, settings, known=known_)
    await catch_up(chain_indexer)
    (record,) = await kept(store_engine)
    assert (record.status, record.terms) == (TransferState.UNKNOWN, None)


PROVING = frozenset({"TOYBRIDGE"})


async def claimed(market: Market, engine: AsyncEngine, **claim: Any) -> Record:
    """What becomes of a transfer that nothing vouches for, where its bridge looks for transfers itself."""
    await Crossing(market).send_as_given(**claim)
    settings = IndexingSettings(market.first_block, 2000)
    known_ = replace(known(market), proving=PROVING)
    chain_indexer = Indexer(market.chain, market.rpc, engine, service_keys, system_clock, settings, known=known_)
    await catch_up(chain_indexer)
    (record,) = await records(engine)
    return record


async def test_a_bridge_that_looks_itself_is_asked_about_claims(market: Market, store_engine: AsyncEngine) -> None:
    record = await claimed(market, store_engine)
    assert (record["status"], record["status_source"]) == ("unknown", "unknown")
    assert record["next_bridge_check_at"] is not None
    (typed,) = await kept(store_engine)
    assert origin_of(typed) is Origin.TRANSFER_CLAIMED
    transfer = transfer_of(typed)
    assert (transfer.reference, transfer.receiver, transfer.refund_to) == (None, market.accounts[1], market.accounts[0])
    assert (transfer.sent_amount, transfer.output_token, transfer.min_output) == (10**15, OUTPUT, 490)


@pytest.mark.parametrize("claim", [{"refund_to": OUTPUT}, {"destination": 77}, {"adapter": "ACROSS"}])
async def test_a_claim_that_no_quote_would_make_is_asked_of_nobody(
    market: Market, store_engine: AsyncEngine, claim: dict[str, Any]
) -> None:
    if "destination" in claim:
        claim = {"destination": replace(market.chain, id=claim["destination"])}
    record = await claimed(market, store_engine, **claim)
    assert (record["status"], record["transfer"], record["next_bridge_check_at"]) == ("unknown", None, None)


async def test_an_id_of_somebody_else_is_nobodys(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(crossing.build())
    await crossing.send(integrator="other")
    await crossing.send(id=b"\x07" * 32)
    await catch_up(indexer_of(market, store_engine))
    assert await records(store_engine) == []


async def test_swaps_and_transfers_in_one_range(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(crossing.build())
    await market.swap(new_id(market.accounts[0], nonce=5))
    await crossing.send()
    await catch_up(indexer_of(market, store_engine))
    assert [record["route_type"] for record in await records(store_engine)] == ["swap", "bridge"]


def test_pages_need_what_they_name() -> None:
    pages = ScanPages({"A": "https://a.example/{txHash}", "B": "https://b.example/{reference}"})
    assert pages.url("A", "0x1", None) == "https://a.example/0x1"
    assert pages.url("B", "0x1", None) is None
    assert pages.url("B", "0x1", "r") == "https://b.example/r"
    assert pages.url("B", "0x1", "r/../x?y#z") == "https://b.example/r%2F..%2Fx%3Fy%23z"
    assert pages.url("C", "0x1", "r") is None


@pytest.mark.parametrize(
    ("issued", "sent", "asked"), [(2, 2, 2), (0, 0, 0), (2, 0, None), (None, 2, None), (3, 2, None)]
)
async def test_a_named_refund_is_that_of_the_build_and_of_the_event(
    market: Market, store_engine: AsyncEngine, issued: int | None, sent: int, asked: int | None
) -> None:
    """By numbers of accounts; the first is the sender. The ID is good for the order that is sent."""
    crossing, accounts = Crossing(market), market.accounts
    order = replace(crossing.plain, refund_to=accounts[sent])
    build = crossing.build(transaction_id="0x" + crossing.identifier_of(order).hex())
    build = replace(build, refund_to=None if issued is None else accounts[issued])
    await IssuedTransactions(store_engine).keep(build)
    await crossing.send_as_given(refund_to=accounts[sent])
    await catch_up(indexer_of(market, store_engine))
    (record,) = await kept(store_engine)
    if asked is None:
        assert (record.status, record.terms, record.next_bridge_check_at) == (TransferState.UNKNOWN, None, None)
    else:
        assert transfer_of(record).refund_to == accounts[asked]
        assert public_record(record, lambda *_: None).refund_to == accounts[asked]
