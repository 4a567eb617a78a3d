"""Where a transaction stands, at once or when it has ended, and what a key lists."""

import asyncio
from typing import Any

import anyio
import pytest

from rhumbline_client.mcp.arguments import RecordsAsked, StatusAsked
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.record_tools import status, transactions
from rhumbline_client.mcp.service import Service
from tests.clients.python.mcp.answers import ALICE, ID, TIME, WETH
from tests.clients.python.scripted_service import Reply, ScriptedService, error

STATUS, RECORDS = f"GET /v1/status/{ID}", "GET /v1/transactions"


def stands(name: str, **more: Any) -> Reply:
    body = {
        "id": "1", "transactionId": ID, "sourceTxHash": "0x1", "destTxHash": None, "status": name, "substatus": None,
        "statusSource": "receipt", "updatedAt": TIME, "outputToken": None, "outputAmountRaw": None, **more,
    }  # fmt: skip
    return Reply(body=body)


async def test_what_was_not_seen_is_no_error(service: Service, answering: ScriptedService) -> None:
    answering.replies[STATUS] = [error(404, "NOT_FOUND")]
    found = await status(service, StatusAsked(transaction_id=ID))
    assert (found.status, found.final) == ("not_seen", False)
    assert "do not sign another one" in found.in_words()


@pytest.mark.parametrize(("name", "final"), [("bridge_pending", False), ("refund_pending", False), ("success", True)])
async def test_a_status_says_whether_it_is_over(
    service: Service, answering: ScriptedService, name: str, final: bool
) -> None:
    arrived = {
        "chainId": 1, "address": WETH, "symbol": "WETH", "amountRaw": "1500000", "amountFormatted": "1.5",
        "decimals": 6, "amountUsd": None,
    }  # fmt: skip
    answering.replies[STATUS] = [stands(name, outputToken=arrived)]
    found = await status(service, StatusAsked(transaction_id=ID))
    assert found.final is final
    assert found.received is not None
    assert (found.received.amount, found.received.units) == ("1.5", "1500000")


async def test_waiting_ends_with_the_transaction(service: Service, answering: ScriptedService) -> None:
    answering.replies[f"{STATUS}/stream"] = [Reply(503, b"")]
    answering.replies[STATUS] = [stands("success")]
    assert (await status(service, StatusAsked(transaction_id=ID, wait_seconds=50))).final


async def test_waiting_ends_with_its_time(
    service: Service, answering: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering.replies[STATUS] = [stands("bridge_pending")]

    async def wait(_: str) -> None:
        await anyio.sleep_forever()

    monkeypatch.setattr(service.client, "wait", wait)
    found = await asyncio.wait_for(status(service, StatusAsked(transaction_id=ID, wait_seconds=1)), 60)
    assert (found.status, found.final) == ("bridge_pending", False)


async def test_without_a_key_the_owner_is_named(service: Service, answering: ScriptedService) -> None:
    body = {**error(401, "VALIDATION_ERROR").body, "details": {"errorCode": "API_KEY_MISSING"}}
    answering.replies[RECORDS] = [Reply(401, body)]
    with pytest.raises(ToolFailure, match="its owner sets RHUMBLINE_API_KEY where it is started"):
        await transactions(service, RecordsAsked(sender=ALICE))


async def test_a_page_is_listed(service: Service, answering: ScriptedService) -> None:
    absent = (
        "destTxHash", "sourceLogIndex", "destChainId", "canonicalDestChainId", "protocolRawSourceChainId",
        "destNetwork",
        "protocolRawDestChainId", "destinationBlockTimestamp", "sender", "receiver", "integrator", "inputToken",
        "outputToken", "sourceGasFee", "destinationGasFee", "integratorFee", "substatus", "bridgeScanUrl",
        "rawBridgeStatus", "lastReceiptCheckedAt", "lastBridgeCheckedAt", "lastBridgeSuccessCheckedAt",
    )  # fmt: skip
    record = {
        **dict.fromkeys(absent), "id": "1", "transactionId": ID, "sourceTxHash": "0x1", "sourceBlockNumber": 1,
        "sourceChainId": 1, "canonicalSourceChainId": 1, "sourceNetwork": "eth", "date": TIME,
        "sourceBlockTimestamp": TIME, "protocol": "ONCHAIN", "routeType": "swap", "hasDestCall": False,
        "status": "success", "statusSource": "receipt", "createdAt": TIME, "updatedAt": TIME,
    }  # fmt: skip
    answering.replies[RECORDS] = [Reply(body={"transactions": [record], "nextCursor": "next"})]
    page = await transactions(service, RecordsAsked(from_chain="eth", limit=1))
    assert [each.transaction_id for each in page.transactions] == [ID]
    assert page.in_words() == "1 transactions. There are more: give next_cursor as cursor."
