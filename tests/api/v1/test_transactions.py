from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest

from rhumbline.domain.errors import InvalidRequest, StoreUnavailable
from rhumbline.domain.tracking import RouteType, TransactionFilter, TransferState
from tests.api.api_service import KEY, OTHER_WALLET, SOLANA_WALLET, TX_ID, UNKNOWN_KEY, USDC, WALLET, ApiService
from tests.api.conftest import Answer, Client
from tests.api.wire.test_quote_request import faults

LIST = "/v1/transactions"
WITH_KEY = {"x-api-key": KEY}
NOW = "2026-03-04T05:06:07.089Z"
PATHS = [LIST, f"{LIST}/{TX_ID}", f"{LIST}/{TX_ID}/status"]


def error_code(answer: Answer) -> Any:
    details: Any = answer.json["details"]
    return details["errorCode"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_key_is_needed(client: Client, api_service: ApiService, path: str) -> None:
    for headers, reason in (
        ({}, "API_KEY_MISSING"),
        ({"x-api-key": ""}, "API_KEY_MISSING"),
        ({"x-api-key": UNKNOWN_KEY}, "API_KEY_INVALID"),
    ):
        answer = await client.ask(path, headers=headers)
        assert (answer.status, answer.json["code"]) == (401, "VALIDATION_ERROR")
        assert error_code(answer) == reason
        assert "www-authenticate" in answer.headers
        assert "x-api-key-status" not in answer.headers
    assert (api_service.pages, api_service.found) == ([], [])


async def test_bad_parameters_without_a_key_are_401(client: Client, api_service: ApiService) -> None:
    assert (await client.ask(LIST, {"limit": "x"})).status == 401


@pytest.mark.parametrize("name", ["rival", "a b", "x" * 32, "x" * 1001, "ünicode", "acme ", "<script>", "acme\x00"])
async def test_another_integrator_is_forbidden(client: Client, api_service: ApiService, name: str) -> None:
    answer = await client.ask(LIST, {"integrator": name, "limit": "0"}, headers=WITH_KEY)
    assert (answer.status, answer.json["code"], error_code(answer)) == (403, "VALIDATION_ERROR", "INTEGRATOR_MISMATCH")
    assert api_service.pages == []
    assert (await client.ask(LIST, {"integrator": "acme"}, headers=WITH_KEY)).status == 200


async def test_a_page(client: Client, api_service: ApiService) -> None:
    answer = await client.ask(LIST, headers=WITH_KEY)
    assert api_service.pages == [("Acme", TransactionFilter(), 50, None)]
    assert answer.json["nextCursor"] == "next-page"
    full, bare = answer.json["transactions"]
    assert set(full) == set(bare)
    token = {"amountRaw": "1500000", "amountFormatted": "1.5", "decimals": 6, "amountUsd": "1.50015"}
    assert full["inputToken"] == {"chainId": 1, "address": USDC, "symbol": "USDC", **token}
    assert full["rhumblineFee"] == full["integratorFee"] == {"token": "USDC", **token}
    assert full["sourceGasFee"]["amountUsd"] is None
    assert full["sourceGasFee"]["amountFormatted"] == "0.000000000000021"
    assert full["date"] == full["sourceBlockTimestamp"] == full["destinationBlockTimestamp"] == NOW
    assert (full["canonicalSourceChainId"], full["canonicalDestChainId"]) == (1, 1)
    assert (full["sender"], full["receiver"]) == (WALLET, OTHER_WALLET)
    never_null = {
        "id",
        "sourceTxHash",
        "sourceChainId",
        "canonicalSourceChainId",
        "sourceNetwork",
        "date",
        "sourceBlockTimestamp",
        "protocol",
        "routeType",
        "hasDestCall",
        "status",
        "statusSource",
        "createdAt",
        "updatedAt",
    }
    assert {name for name, value in bare.items() if value is not None} == never_null | {
        "sourceBlockNumber",
        "sender",
        "integrator",
    }
    # A wallet's own call of a bridge has no event of ours.
    assert (full["sourceLogIndex"], bare["sourceLogIndex"]) == (0, None)
    assert answer.headers["cache-control"] == "no-store"


async def test_filters_and_cursor(client: Client, api_service: ApiService) -> None:
    query = {
        "cursor": "opaque+/=",
        "limit": "200",
        "status": "bridge_pending",
        "routeType": "bridge_swap",
        "sourceChainId": "1",
        "destChainId": "999999",
    }
    answer = await client.ask(LIST, query, headers=WITH_KEY)
    wanted = TransactionFilter(TransferState.BRIDGE_PENDING, RouteType.BRIDGE_SWAP, 1, 999999)
    assert api_service.pages == [("Acme", wanted, 200, "opaque+/=")]
    assert answer.json["nextCursor"] is None


@pytest.mark.parametrize("wallet", [WALLET, WALLET.lower(), SOLANA_WALLET])
async def test_filters_beyond_the_contract(client: Client, api_service: ApiService, wallet: str) -> None:
    query = {
        "senderAddress": wallet,
        "receiverAddress": SOLANA_WALLET,
        "since": "2026-11-01T02:00:00+02:00",
        "until": "2026-11-27T10:00:00.5Z",
    }
    await client.ask(LIST, query, headers=WITH_KEY)
    ((_, wanted, _, _),) = api_service.pages
    canonical = SOLANA_WALLET if wallet == SOLANA_WALLET else WALLET
    assert (wanted.sender, wanted.receiver) == (canonical, SOLANA_WALLET)
    times = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 27, 10, 0, 0, 500_000, UTC)
    assert (wanted.since, wanted.until) == times


async def test_a_time_that_ends_before_it_begins(client: Client, api_service: ApiService) -> None:
    query = {"since": "2026-11-02T00:00:00Z", "until": "2026-11-02T00:00:00Z"}
    (fault,) = faults(await client.ask(LIST, query, headers=WITH_KEY), 400, "VALIDATION_ERROR")
    assert fault.startswith("until must be later than since")


@pytest.mark.parametrize(
    ("name", "value", "beginning"),
    [
        ("limit", "0", "limit must be a whole number from 1 to 200"),
        ("limit", "201", "limit must be a whole number from 1 to 200"),
        ("limit", "-1", "limit must be a whole number"),
        ("limit", "1.0", "limit must be a whole number"),
        ("limit", "01", "limit must be a whole number"),
        ("limit", "", "limit is empty"),
        ("limit", "1" * 30, "limit must be a whole number"),
        ("status", "SUCCESS", "status must be success or recovered or bridge_pending"),
        ("status", "done", "status must be success"),
        ("routeType", "hop", "routeType must be bridge or swap or bridge_swap or unknown"),
        ("sourceChainId", "eth", "sourceChainId must be a chain's numeric ID"),
        ("destChainId", str(2**63), "destChainId must be a chain's numeric ID"),
        ("cursor", "", "cursor is empty"),
        ("cursor", "x" * 4097, "cursor must have at most 4096 characters"),
        ("integrator", "", "integrator is empty"),
        ("senderAddress", "0x12", "senderAddress must be a wallet: an EVM address"),
        ("senderAddress", WALLET.replace("8d", "8D"), "senderAddress has a wrong EIP-55 checksum"),
        ("receiverAddress", "vitalik.eth", "receiverAddress must be a wallet"),
        ("since", "2026-11-01", "since must be a moment with its offset from UTC"),
        ("until", "", "until is empty"),
    ],
)
async def test_a_bad_filter(client: Client, api_service: ApiService, name: str, value: str, beginning: str) -> None:
    (fault,) = faults(await client.ask(LIST, {name: value}, headers=WITH_KEY), 400, "VALIDATION_ERROR")
    assert fault.startswith(beginning)
    assert api_service.pages == []


async def test_all_bad_filters_at_once(client: Client, api_service: ApiService) -> None:
    query = [("limit", "0"), ("status", "x"), ("routeType", "y"), ("sourceChainId", "1"), ("sourceChainId", "2")]
    messages = faults(await client.ask(LIST, query, headers=WITH_KEY), 400, "VALIDATION_ERROR")
    assert [message.split(" ", 1)[0] for message in messages] == ["limit", "status", "routeType", "sourceChainId"]


async def test_what_the_listing_refuses(client: Client, api_service: ApiService) -> None:
    api_service.failure = InvalidRequest(["cursor was not given out for this integrator"])
    assert faults(await client.ask(LIST, {"cursor": "x"}, headers=WITH_KEY), 400, "VALIDATION_ERROR")
    api_service.failure = StoreUnavailable("The store does not answer")
    answer = await client.ask(LIST, headers=WITH_KEY)
    assert (answer.status, answer.json["code"], answer.headers["retry-after"]) == (503, "UNKNOWN", "5")


async def test_no_key_can_be_checked_without_the_store(client: Client, api_service: ApiService) -> None:
    api_service.store_down = True
    assert (await client.ask(LIST, headers=WITH_KEY)).status == 503
    assert (await client.ask(LIST)).status == 401


@pytest.mark.parametrize("key", ["0x" + "00" * 32, "what", "x" * 200, "%E2%82%AC", "%FF"])
@pytest.mark.parametrize("tail", ["", "/status"])
async def test_an_unknown_transaction(client: Client, api_service: ApiService, key: str, tail: str) -> None:
    answer = await client.ask(f"{LIST}/{key}{tail}", headers=WITH_KEY)
    assert (answer.status, answer.json["code"]) == (404, "NOT_FOUND")
    assert answer.json["message"] == "There is no such transaction"


@pytest.mark.parametrize("key", ["x" * 201, "a\nb", "a\x00", "\x7f", "\x85"])
async def test_an_impossible_lookup_key(client: Client, api_service: ApiService, key: str) -> None:
    for tail in ("", "/status"):
        (fault,) = faults(
            await client.ask(f"{LIST}/{quote(key, safe='')}{tail}", headers=WITH_KEY), 400, "VALIDATION_ERROR"
        )
        assert fault.startswith("lookupKey must")
    assert api_service.found == []


async def test_browsers_are_not_let_in(client: Client, api_service: ApiService) -> None:
    for method in ("GET", "OPTIONS"):
        answer = await client.ask(
            LIST, method=method, headers={"origin": "https://app.example", "access-control-request-method": "GET"}
        )
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]
