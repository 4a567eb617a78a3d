"""How transfers stand, in every word that Relay has for it."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError, CredentialsRejected, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import Transfer
from tests.adapters.relay.stub_upstream import BASE_USDC, REQUEST, REQUEST_ID, USDC, WALLET, StubUpstream, said

DONE = "0x" + "a1" * 32
TRANSFER = Transfer(
    "RELAY", 1, 8453, DONE, -1, WALLET, REQUEST.receiver, WALLET, USDC.address, REQUEST.amount, BASE_USDC.address,
    248_000_000, REQUEST_ID, datetime.fromisoformat("2026-11-21T00:00:00+00:00"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("recording", "changes", "state", "substatus"),
    [
        ("status_success.json", {}, TransferState.SUCCESS, "success"),
        ("status_success.json", {"status": "waiting", "inTxHashes": []}, TransferState.BRIDGE_PENDING, "waiting"),
        ("status_success.json", {"status": "brand-new"}, TransferState.BRIDGE_PENDING, "brand-new"),
        ("status_success.json", {"inTxHashes": ["0x" + "a2" * 32]}, TransferState.UNKNOWN, "another deposit"),
        ("status_refund.json", {}, TransferState.REFUNDED, "refund"),
        ("status_refund.json", {"txHashes": []}, TransferState.REFUND_PENDING, "refund"),
        ("status_refund.json", {"status": "fallback"}, TransferState.REFUND_PENDING, "fallback"),
        (
            "status_refund.json", {"refundFailReason": "MANUAL_REFUND_REQUIRED"},
            TransferState.BRIDGE_FAILED, "MANUAL_REFUND_REQUIRED",
        ),
        ("status_refund.json", {"status": "refunded"}, TransferState.REFUNDED, "refunded"),
        ("status_refund.json", {"status": "refunded", "txHashes": []}, TransferState.REFUND_PENDING, "refunded"),
        ("status_success.json", {"status": "unknown"}, TransferState.UNKNOWN, "unknown"),
        ("status_success.json", {"status": "unknown", "inTxHashes": []}, TransferState.UNKNOWN, "unknown"),
        ("status_failure.json", {}, TransferState.BRIDGE_FAILED, "BLOCKED_WALLET"),
        ("status_failure.json", {"failReason": "N/A"}, TransferState.BRIDGE_FAILED, "failure"),
    ],
)  # fmt: skip
async def test_how_a_transfer_stands(
    stub_upstream: StubUpstream, recording: str, changes: dict[str, Any], state: TransferState, substatus: str
) -> None:
    stub_upstream.upstream.says("/intents/status/v3", said(recording) | changes)
    status = await stub_upstream.adapter.status(TRANSFER)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path, asked.query) == ("GET", "/intents/status/v3", {"requestId": REQUEST_ID})
    assert (status.state, status.substatus) == (state, substatus)
    assert (status.destination_tx_hash == "0x" + "b2" * 32) is (state is TransferState.SUCCESS)
    assert (status.refund_tx_hash == "0x" + "c3" * 32) is (state is TransferState.REFUNDED)
    assert status.raw["status"] == (said(recording) | changes)["status"]


@pytest.mark.parametrize("code", [400, 404])
async def test_what_relay_does_not_know_is_unknown(stub_upstream: StubUpstream, code: int) -> None:
    stub_upstream.upstream.says("/intents/status/v3", {"message": "Request not found"}, code)
    assert (await stub_upstream.adapter.status(TRANSFER)).state is TransferState.UNKNOWN
    assert (await stub_upstream.adapter.status(replace(TRANSFER, reference=None))).state is TransferState.UNKNOWN
    assert len(stub_upstream.upstream.asked) == 1


@pytest.mark.parametrize(("code", "kind"), [(401, CredentialsRejected), (429, UpstreamFailed), (503, UpstreamFailed)])
async def test_a_status_that_cannot_be_had_is_an_error(
    stub_upstream: StubUpstream, code: int, kind: type[AdapterError]
) -> None:
    stub_upstream.upstream.says("/intents/status/v3", {"message": "?"}, code)
    with pytest.raises(kind):
        await stub_upstream.adapter.status(TRANSFER)
