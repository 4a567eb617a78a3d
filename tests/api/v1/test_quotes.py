"""Good quotes: what reaches routing, what is answered, and what each failure of routing becomes."""

import asyncio
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain import errors
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS
from rhumbline.domain.route import Order
from rhumbline.gateways.nodes.evm.rpc import RpcError
from tests.api.api_service import ACME, KEY, OTHER_WALLET, SOLANA_WALLET, UNKNOWN_KEY, USDC, WALLET, ApiService
from tests.api.conftest import Answer, Client
from tests.api.v1.test_routes import BODY, FOREIGN, ROUTES, STEP, posted
from tests.api.wire.test_quote_request import FROM_SOLANA, GOOD, TO_SOLANA


def nulls(value: Any) -> int:
    if isinstance(value, dict):
        return sum(nulls(inner) for inner in value.values())
    if isinstance(value, list):
        return sum(nulls(inner) for inner in value)
    return int(value is None)


async def test_everything_asked_reaches_routing(client: Client, api_service: ApiService) -> None:
    query = {
        **GOOD,
        "receiverAddress": OTHER_WALLET.lower(),
        "originCurrency": "0X" + USDC[2:].upper(),
        "destinationCurrency": NATIVE_EVM_ALIAS.lower(),
        "integrator": "rival",
        "fee": "0.1",
        "slippage": "5e-3",
        "slippageMode": "auto",
        "order": "FASTEST",
        "includeBridges": " across , Relay",
        "includeExchanges": "onchain",
        "excludeBridges": "GASZIP",
        "excludeExchanges": "RELAY",
        "somethingElse": "is ignored",
    }
    answer = await client.ask("/v1/quotes", query)
    assert answer.status == 200, answer.text
    (request,) = api_service.asked
    assert (request.origin.id, request.destination.id, request.amount) == (1, 1, 1_000_000)
    assert (request.sender, request.receiver) == (WALLET, OTHER_WALLET)
    assert (request.origin_token, request.destination_token) == (USDC, NATIVE_EVM)
    assert (request.integrator, request.fee_share) == ("rival", Fraction(1, 10))
    assert (request.slippage, request.auto_slippage) == (Fraction(1, 200), True)
    assert request.order is Order.FASTEST
    assert request.adapters.include_bridges == frozenset({"ACROSS", "RELAY"})
    assert request.adapters.include_exchanges == frozenset({"ONCHAIN"})
    assert request.adapters.exclude_bridges == {"GASZIP"}
    assert request.adapters.exclude_exchanges == {"RELAY"}
    assert request.client.integrator is None


async def test_the_receiver_is_the_sender_by_default(client: Client, api_service: ApiService) -> None:
    await client.ask("/v1/quotes", {**GOOD, "senderAddress": WALLET.lower()})
    await client.ask("/v1/quotes", FROM_SOLANA)
    evm, svm = api_service.asked
    assert evm.sender == evm.receiver == WALLET
    assert svm.sender == svm.receiver == SOLANA_WALLET
    assert evm.adapters.include_bridges is None
    assert (evm.slippage, evm.fee_share, evm.integrator, evm.auto_slippage) == (None, None, None, False)
    assert evm.order is Order.RECOMMENDED


async def test_a_key_brings_its_integrator(client: Client, api_service: ApiService) -> None:
    for query in (GOOD, {**GOOD, "integrator": "ACME", "fee": "0"}, {**GOOD, "fee": "0.05"}):
        assert (await client.ask("/v1/quotes", query, headers={"X-API-Key": KEY})).status == 200
    assert [request.integrator for request in api_service.asked] == ["Acme"] * 3
    assert [request.client.integrator for request in api_service.asked] == [ACME] * 3
    assert [request.fee_share for request in api_service.asked] == [None, 0, Fraction(1, 20)]


async def test_a_route_may_cross_chain_types(client: Client, api_service: ApiService) -> None:
    answer = await client.ask("/v1/quotes", {**TO_SOLANA, "receiverAddress": SOLANA_WALLET})
    assert answer.status == 200
    assert (api_service.asked[0].sender, api_service.asked[0].receiver) == (WALLET, SOLANA_WALLET)


@pytest.mark.parametrize(
    ("failure", "status", "code", "retry"),
    [
        (errors.NoAvailableQuotes("no route", {"message": ["ONCHAIN: none"]}), 422, "NO_AVAILABLE_QUOTES", None),
        (
            errors.AmountTooLow("too low", {"minimum": "5", "adapters": ({"adapter": "X"},)}),
            422,
            "AMOUNT_TOO_LOW",
            None,
        ),
        (errors.SlippageExceeded("too much"), 422, "SLIPPAGE_EXCEEDED", None),
        (errors.AdaptersRejected("rejected", ["a", "b"]), 422, "ADAPTER_BAD_REQUEST", None),
        (errors.AdaptersUnauthorized("unauthorized", "x"), 502, "ADAPTER_UNAUTHORIZED", None),
        (errors.AdaptersFailed("failed"), 502, "ADAPTER_INTERNAL", "3"),
        (errors.NodeUnavailable("eth: connection refused"), 502, "ADAPTER_INTERNAL", "3"),
        (RpcError(-32005, "connection refused"), 502, "ADAPTER_INTERNAL", "3"),
        (errors.NotFound("no token there"), 404, "NOT_FOUND", None),
        (errors.StoreUnavailable("the store is down"), 503, "UNKNOWN", "5"),
    ],
)
async def test_failures_of_routing(
    client: Client, api_service: ApiService, failure: Exception, status: int, code: str, retry: str | None
) -> None:
    api_service.failure = failure
    answer = await client.ask("/v1/quotes", GOOD)
    assert (answer.status, answer.json["statusCode"], answer.json["code"]) == (status, status, code)
    assert answer.headers.get("retry-after") == retry
    assert answer.headers["access-control-allow-origin"] == "*"
    assert str(answer.json["path"]).startswith("/v1/quotes?senderAddress=")
    assert "connection refused" not in answer.text
    details = getattr(failure, "details", None)
    assert ("details" in answer.json) == (details is not None)


async def test_an_invalid_key_counts_as_none_and_shows(client: Client, api_service: ApiService) -> None:
    wrong = {"x-api-key": UNKNOWN_KEY}
    good = await client.ask("/v1/quotes", GOOD, headers=wrong)
    bad = await client.ask("/v1/quotes", {**GOOD, "amount": "0"}, headers=wrong)
    assert (good.status, bad.status) == (200, 400)
    assert good.headers["x-api-key-status"] == bad.headers["x-api-key-status"] == "invalid"
    assert api_service.asked[0].client.integrator is None
    for headers in ({"x-api-key": KEY}, {}):
        assert "x-api-key-status" not in (await client.ask("/v1/quotes", GOOD, headers=headers)).headers


async def test_a_key_cannot_be_looked_at_while_the_store_is_down(client: Client, api_service: ApiService) -> None:
    api_service.store_down = True
    refused = await client.ask("/v1/quotes", GOOD, headers={"x-api-key": KEY})
    assert (refused.status, refused.json["code"], refused.headers["retry-after"]) == (503, "UNKNOWN", "5")
    assert (await client.ask("/v1/quotes", GOOD)).status == 200
    assert (await client.ask("/v1/chains", headers={"x-api-key": KEY})).status == 200


async def test_the_body_of_a_get_is_ignored(client: Client, api_service: ApiService) -> None:
    answer = await client.ask("/v1/quotes", GOOD, data=b'{"amount": "0"}')
    assert answer.status == 200


async def test_beyond_the_bound_everything_that_is_quoted_is_503_and_the_place_is_left(
    client: Client, api_service: ApiService
) -> None:
    """A stream as well, before it begins; all else is answered."""

    async def ask() -> list[Answer]:
        asked = (client.ask("/v1/quotes", GOOD), client.ask("/v1/quotes/stream", GOOD))
        return [*await asyncio.gather(*asked, posted(client, ROUTES, BODY), posted(client, STEP, FOREIGN))]

    api_service.admission.at_once = 0
    for answer in await ask():
        assert (answer.status, answer.headers["retry-after"]) == (503, "2")
        assert (answer.json["code"], "overloaded" in answer.json["message"]) == ("UNKNOWN", True)
    assert (await client.ask("/v1/chains")).status == 200
    assert api_service.asked == []
    api_service.admission.at_once = 4
    for failure in (None, errors.NoAvailableQuotes("There is no route"), RuntimeError("a fault")):
        api_service.failure = failure
        assert 503 not in [answer.status for answer in await ask()]
        assert (api_service.admission.in_progress, api_service.admission.waiting) == (0, 0)
