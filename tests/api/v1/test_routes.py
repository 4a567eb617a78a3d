"""Routes and step transactions: what bodies are taken, and every fault by its place in the body."""

import json
from typing import Any

import pytest

from rhumbline.domain.errors import NoAvailableQuotes, NoStepQuote
from tests.api.api_service import KEY, OTHER_WALLET, USDC, USDT, WALLET, ApiService
from tests.api.conftest import Answer, Client

ROUTES, STEP = "/v1/advanced/routes", "/v1/advanced/stepTransaction"
BODY: dict[str, Any] = {
    "senderAddress": WALLET,
    "originChainId": 1,
    "destinationChainId": 1,
    "amount": "1000000",
    "originCurrency": USDC,
    "destinationCurrency": USDT,
}
TOKENS = {name: {"address": address, "symbol": name, "decimals": 6, "chainId": 1} for name, address in
          (("USDC", USDC), ("USDT", USDT))}  # fmt: skip
FOREIGN: dict[str, Any] = {
    "step": {
        "id": "advanced-route:0",
        "routeId": "advanced-route",
        "type": "swap",
        "tool": "ONCHAIN",
        "action": {
            "fromChainId": 1, "toChainId": 1, "fromToken": TOKENS["USDC"], "toToken": TOKENS["USDT"],
            "fromAmount": "1000000",
        },
        "estimate": {
            "fromAmount": "1000000", "toAmount": "999000", "toAmountMin": "994005",
            "fees": {
                "total": {"amount": "0", "currencySymbol": "USDC", "currencyAddress": USDC, "chainId": 1},
                "breakdown": [],
            },
        },
        "execution": {"applyFee": True},
    },
    "context": {"senderAddress": WALLET, "receiverAddress": OTHER_WALLET},
}  # fmt: skip
"""A step of another service, with no more than the contract asks for."""


async def posted(client: Client, path: str, body: object) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await client.ask(path, method="POST", headers={"content-type": "application/json"}, data=data)


def faults(answer: Answer) -> list[str]:
    assert (answer.status, answer.json["code"]) == (400, "VALIDATION_ERROR"), answer.text
    found: list[str] = answer.json["details"]["message"]
    return found


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"amount": 1000000}, "amount must be a JSON string"),
        ({"amount": "-1"}, "amount must be a positive integer"),
        ({"originChainId": True}, "originChainId must be a JSON number"),
        ({"originChainId": 1.5}, "originChainId must be"),
        ({"senderAddress": None}, "senderAddress is missing"),
        ({"maxRoutes": 0}, "maxRoutes must be"),
        ({"maxRoutes": 1.5}, "maxRoutes must be"),
        ({"maxRoutes": -1}, "maxRoutes must be"),
        ({"maxRoutes": 10**30}, "maxRoutes must be"),
        ({"includeExchanges": "NOBODY"}, "includeExchanges names 'NOBODY', which is no adapter"),
        ({"excludeExchanges": "ACROSS"}, "excludeExchanges names ACROSS, which is of the kind bridge"),
        ({"includeBridges": ["ACROSS"]}, "includeBridges must be a JSON string"),
        ({"fee": "0.01"}, "integrator is missing"),
    ],
)
async def test_faults_of_a_routes_body(client: Client, changes: dict[str, Any], fault: str) -> None:
    found = faults(await posted(client, ROUTES, {**BODY, **changes}))
    assert any(each.startswith(fault) for each in found), found


async def test_a_billion_routes_may_be_wanted(client: Client, api_service: ApiService) -> None:
    assert (await posted(client, ROUTES, {**BODY, "maxRoutes": 10**9})).status == 200
    assert api_service.most == 10**9


async def test_the_same_key_may_be_included_and_excluded(client: Client, api_service: ApiService) -> None:
    """An exclusion wins, so that nobody is left to ask: that is no fault of the request's form."""
    api_service.failure = NoAvailableQuotes("Nobody", {"adapters": [{"adapter": "ONCHAIN", "kind": "excluded"}]})
    both = {"includeExchanges": "ONCHAIN", "excludeExchanges": "onchain"}
    answer = await posted(client, ROUTES, {**BODY, **both})
    assert (answer.status, answer.json["code"]) == (422, "NO_AVAILABLE_QUOTES")
    assert answer.json["details"]["adapters"] == [{"adapter": "ONCHAIN", "kind": "excluded"}]
    asked = api_service.asked[-1].adapters
    assert asked.include_exchanges == asked.exclude_exchanges == {"ONCHAIN"}


async def test_nothing_to_route_is_422_and_a_step_without_a_quote_400(client: Client, api_service: ApiService) -> None:
    api_service.failure = NoAvailableQuotes("Nobody")
    answer = await posted(client, ROUTES, BODY)
    assert (answer.status, answer.json["code"]) == (422, "NO_AVAILABLE_QUOTES")
    api_service.failure = NoStepQuote("Nobody")
    answer = await posted(client, STEP, FOREIGN)
    assert (answer.status, answer.json["code"]) == (400, "NO_AVAILABLE_QUOTES")


async def test_they_count_as_quotes_and_are_open_to_browsers(client: Client) -> None:
    headers = {"content-type": "application/json", "origin": "https://dapp.example", "x-api-key": KEY}
    answer = await client.ask(ROUTES, method="POST", headers=headers, data=json.dumps(BODY).encode())
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cache-control"] == "no-store"
    assert "x-ratelimit-limit" in answer.headers
