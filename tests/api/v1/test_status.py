"""``GET /v1/status/{transactionId}``: what a page without a key may know."""

import pytest

from rhumbline.domain.errors import StoreUnavailable
from tests.api.api_service import KEY, TX_HASH, TX_ID, USDC, ApiService
from tests.api.conftest import Client

STATUS = "/v1/status/"


async def test_anybody_may_follow_a_transaction(client: Client, api_service: ApiService) -> None:
    for headers in ({}, {"x-api-key": KEY}, {"x-api-key": "wrong", "origin": "https://page.example"}):
        answer = await client.ask(STATUS + TX_ID, headers=headers)
        assert answer.status == 200
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cache-control"] == "no-store"
        assert "x-ratelimit-remaining" in answer.headers
    short = (await client.ask(f"/v1/transactions/{TX_ID}/status", headers={"x-api-key": KEY})).json
    more = {name: answer.json[name] for name in set(answer.json) - set(short)}
    assert {name: answer.json[name] for name in short} == short
    assert set(more) == {"outputToken", "outputAmountRaw"}
    assert (more["outputToken"]["address"], more["outputAmountRaw"]) == (USDC, "1500000")


@pytest.mark.parametrize("key", [TX_HASH, TX_ID[:-1], TX_ID + "0", "nope", "%00", "x" * 300, "0x" + "00" * 32])
async def test_what_was_not_seen_is_not_there(client: Client, api_service: ApiService, key: str) -> None:
    answer = await client.ask(STATUS + key)
    assert (answer.status, answer.json["code"]) == (404, "NOT_FOUND")
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_without_a_store_it_says_so(client: Client, api_service: ApiService) -> None:
    api_service.failure = StoreUnavailable("The store does not answer")
    answer = await client.ask(STATUS + TX_ID)
    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
