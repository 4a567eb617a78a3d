"""The API's word for a transfer: exact requests, every documented word, and what is not believed."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.adapters.across.transfer_status import STATES
from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.domain.errors import AdapterError, CredentialsRejected, RequestRejected, UpstreamFailed
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer
from tests.adapters.across.bridge_fixture import BridgeFixture
from tests.adapters.across.case import CASES
from tests.adapters.across.stub_upstream import RECEIVER, USDC, USDC_BASE, WALLET, StubUpstream, said

TX, FILL_TX, REFUND_TX = ("0x" + pair * 32 for pair in ("a1", "b2", "c3"))
TRANSFER = Transfer(
    "ACROSS", 1, 8453, TX, -1, WALLET, RECEIVER, WALLET, USDC.address, 1_000_000_000, USDC_BASE.address, 999_878_415,
    None, datetime(2026, 11, 21, tzinfo=UTC),
)  # fmt: skip


def without_nodes(stub_upstream: StubUpstream) -> AcrossAdapter:
    return AcrossAdapter(replace(stub_upstream.keyless.context, rpcs={}))


async def test_the_request_by_transaction(stub_upstream: StubUpstream) -> None:
    status = await without_nodes(stub_upstream).status(TRANSFER)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path, asked.query) == ("GET", "/api/deposit/status", {"depositTxnRef": TX})
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.BRIDGE_API)
    assert (status.substatus, status.destination_tx_hash, status.refund_tx_hash) == ("filled", FILL_TX, None)
    assert (status.output_token, status.output_amount) == (None, None)
    assert status.raw == {
        "originChainId": 1,
        "destinationChainId": 8453,
        "depositId": "3141592",
        "status": "filled",
        "depositTxnRef": TX,
        "fillTxnRef": FILL_TX,
        "depositRefundTxnRef": None,
    }


async def test_every_word(stub_upstream: StubUpstream) -> None:
    words = dict(CASES[0].statuses)
    assert words == dict(STATES)
    assert set(words) == set(Across.statuses)
    for word, meant in {**words, "something-new": TransferState.BRIDGE_PENDING}.items():
        refunded = {"depositRefundTxnRef": REFUND_TX} if word == "refunded" else {}
        stub_upstream.upstream.says("/deposit/status", said("deposit_status.json") | {"status": word} | refunded)
        status = await without_nodes(stub_upstream).status(TRANSFER)
        assert (status.state, status.substatus) == (meant, word)
        assert status.refund_tx_hash == (REFUND_TX if refunded else None)


async def test_actions_that_failed_have_recovered_the_tokens(stub_upstream: StubUpstream) -> None:
    for told, meant in (
        (False, TransferState.RECOVERED),
        (True, TransferState.SUCCESS),
        ("null,", TransferState.SUCCESS),
    ):
        stub_upstream.upstream.says("/deposit/status", said("deposit_status.json") | {"actionsSucceeded": told})
        assert (await without_nodes(stub_upstream).status(TRANSFER)).state is meant


async def test_the_old_names_of_transactions(stub_upstream: StubUpstream) -> None:
    new = ("depositTxnRef", "fillTxnRef", "depositRefundTxnRef")
    answer = {key: value for key, value in said("deposit_status.json").items() if key not in new}
    stub_upstream.upstream.says("/deposit/status", answer)
    assert (await without_nodes(stub_upstream).status(TRANSFER)).destination_tx_hash == FILL_TX


async def test_what_the_api_does_not_know(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/deposit/status", said("deposit_not_found.json"), 404)
    status = await without_nodes(stub_upstream).status(TRANSFER)
    assert (status.state, status.source) == (TransferState.UNKNOWN, StatusSource.UNKNOWN)


async def test_one_of_several_deposits_cannot_be_told_by_the_transaction_alone(stub_upstream: StubUpstream) -> None:
    pages = {"pagination": {"currentIndex": 0, "maxIndex": 1}}
    stub_upstream.upstream.says("/deposit/status", said("deposit_status.json") | pages)
    assert (await without_nodes(stub_upstream).status(TRANSFER)).state is TransferState.UNKNOWN


OTHERS: list[dict[str, Any]] = [
    {"originChainId": 10},
    {"destinationChainId": 10},
    {"depositTxnRef": FILL_TX},
    {"fillTxnRef": "0x12"},
    {"fillTxnRef": "<script>"},
    {"depositId": "-1"},
    {"status": None},
    {"pagination": {}},
]


@pytest.mark.parametrize("change", OTHERS)
async def test_an_answer_about_something_else_is_none(stub_upstream: StubUpstream, change: dict[str, Any]) -> None:
    stub_upstream.upstream.says("/deposit/status", said("deposit_status.json") | change)
    with pytest.raises(UpstreamFailed):
        await without_nodes(stub_upstream).status(TRANSFER)


FAILURES: list[tuple[int, dict[str, str], type[AdapterError]]] = [
    (400, {"error": "IncorrectQueryParamsException", "message": "no"}, RequestRejected),
    (400, {"error": "IndexParamOutOfRangeException", "message": "no"}, RequestRejected),
    (401, {}, CredentialsRejected),
    (429, {}, UpstreamFailed),
    (500, {}, UpstreamFailed),
]


@pytest.mark.parametrize(("code", "body", "meant"), FAILURES)
async def test_failures(
    stub_upstream: StubUpstream, code: int, body: dict[str, str], meant: type[AdapterError]
) -> None:
    stub_upstream.upstream.says("/deposit/status", body, code)
    with pytest.raises(meant):
        await without_nodes(stub_upstream).status(TRANSFER)


async def test_chains_that_are_not_known(stub_upstream: StubUpstream) -> None:
    for unknown in (replace(TRANSFER, origin_chain_id=5), replace(TRANSFER, destination_chain_id=10)):
        status = await without_nodes(stub_upstream).status(unknown)
        assert status.state is TransferState.UNKNOWN
    assert stub_upstream.upstream.asked == []


async def test_a_deposit_that_the_origin_shows_is_asked_for_by_its_number(bridge_fixture: BridgeFixture) -> None:
    """No node of the destination: the API tells, of the deposit that was verified on the origin."""
    transfer, relay = await bridge_fixture.deposited()
    adapter = bridge_fixture.without_node("sbxb")
    emulator = bridge_fixture.emulator
    for word, meant in CASES[0].statuses.items():
        emulator.behaviour.status = word
        status = await adapter.status(transfer)
        assert (status.state, status.substatus, status.source) == (meant, word, StatusSource.BRIDGE_API)
    asked = emulator.requests[-1]
    assert dict(asked.query) == {"originChainId": str(relay.origin), "depositId": str(relay.number)}
    emulator.behaviour.failure = "deposit_not_found"
    status = await adapter.status(transfer)
    assert (status.state, status.source) == (TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS)


async def test_the_api_is_not_believed_against_the_chains(bridge_fixture: BridgeFixture) -> None:
    """Whatever the API says, the pools say that nobody filled."""
    transfer, _ = await bridge_fixture.deposited()
    for word in Across.statuses:
        bridge_fixture.emulator.behaviour.status = word
        assert (await bridge_fixture.adapter.status(transfer)).state is TransferState.BRIDGE_PENDING


async def test_a_refund_that_only_the_api_tells_of_is_its_word(bridge_fixture: BridgeFixture) -> None:
    transfer, _ = await bridge_fixture.deposited()
    for chain in ("sbxa", "sbxb"):
        await bridge_fixture.pass_time(chain, 24_000)
    for word, meant, source in (
        ("filled", TransferState.REFUND_PENDING, StatusSource.ANALYTICS),
        ("expired", TransferState.REFUND_PENDING, StatusSource.ANALYTICS),
        ("refunded", TransferState.REFUNDED, StatusSource.BRIDGE_API),
    ):
        bridge_fixture.emulator.behaviour.status = word
        status = await bridge_fixture.adapter.status(transfer)
        assert (status.state, status.source) == (meant, source)
