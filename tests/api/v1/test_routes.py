"""Routes and step transactions: what bodies are taken, and every fault by its place in the body."""

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import NoAvailableQuotes, NoStepQuote
from tests.api.api_service import (
    KEY,
    OTHER_WALLET,
    SOLANA_ID,
    SOLANA_USDC,
    SOLANA_WALLET,
    TX_ID,
    USDC,
    USDT,
    WALLET,
    ApiService,
)
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
        "tool": "UNISWAP",
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


def altered(path: str, value: Any) -> dict[str, Any]:
    """The foreign step with another value at a path; ``...`` takes it away."""
    body = deepcopy(FOREIGN)
    *names, last = path.split(".")
    place = body
    for name in names:
        place = place[name]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return body


def faults(answer: Answer) -> list[str]:
    assert (answer.status, answer.json["code"]) == (400, "VALIDATION_ERROR"), answer.text
    found: list[str] = answer.json["details"]["message"]
    return found


async def test_a_route_has_every_field_of_the_contract(client: Client, api_service: ApiService) -> None:
    body = {
        **BODY,
        "fee": 0.01,
        "integrator": "rival",
        "slippage": 5e-3,
        "maxRoutes": 3,
        "order": "CHEAPEST",
        "unknown": {"a": 1},
    }
    answer = await posted(client, ROUTES, body)
    assert answer.status == 200, answer.text
    (route,) = answer.json["routes"]
    (step,) = route["steps"]
    assert (route["tags"], step["execution"]["routeRequest"]["order"]) == (["CHEAPEST"], "CHEAPEST")
    assert (route["routeKind"], route["isMultistep"], route["inputAmount"]) == ("single-step", False, "1000000")
    assert step["id"] == f"{route['id']}:0"
    assert step["routeId"] == route["id"]
    assert step["action"]["fromToken"] == TOKENS["USDC"]
    assert (step["action"]["fromAddress"], step["action"]["toAddress"]) == (WALLET, WALLET)
    assert step["execution"]["applyFee"] is True
    assert step["execution"]["requiresPreviousStepAmount"] is False
    assert (step["integrator"], step["fee"]) == ("rival", 0.01)
    assert "transactionRequest" not in step
    for told in (route, step):
        assert (told["priceImpact"], told["trustAssumptions"]) == ("0.001235", ["Somebody's word."])
        assert [item["included"] for item in told.get("estimate", told)["fees"]["breakdown"]] == [True, False]
    asked = api_service.asked[-1]
    assert (asked.fee_share, asked.slippage, api_service.most) == (Fraction(1, 100), Fraction(5, 1000), 3)
    again = await posted(client, ROUTES, step["execution"]["routeRequest"])
    assert again.status == 200
    assert api_service.asked[-1] == asked


async def test_what_a_route_does_not_know_is_left_out(client: Client, api_service: ApiService) -> None:
    api_service.full = False
    (route,) = (await posted(client, ROUTES, BODY)).json["routes"]
    for told in (route, *route["steps"]):
        assert not told.keys() & {"priceImpact", "trustAssumptions", "warnings", "expiresAt", "approvals"}


async def test_a_steps_own_request_is_a_quote(client: Client, api_service: ApiService) -> None:
    answer = await posted(client, ROUTES, BODY)
    request = answer.json["routes"][0]["steps"][0]["execution"]["quoteRequest"]
    query = {name: str(value) for name, value in request.items()}
    assert (await client.ask("/v1/quotes", query)).status == 200


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


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b'{"a": 1, "a": 2}', b"\xff", b'{"a": NaN}'])
@pytest.mark.parametrize("path", [ROUTES, STEP])
async def test_a_body_that_is_no_object(client: Client, path: str, body: bytes) -> None:
    (fault,) = faults(await posted(client, path, body))
    assert fault.startswith("body: must be a JSON object")


async def test_a_billion_routes_may_be_wanted(client: Client, api_service: ApiService) -> None:
    assert (await posted(client, ROUTES, {**BODY, "maxRoutes": 10**9})).status == 200
    assert api_service.most == 10**9


async def test_the_same_key_may_be_included_and_excluded(client: Client, api_service: ApiService) -> None:
    """An exclusion wins, so that nobody is left to ask: that is no fault of the request's form."""
    api_service.failure = NoAvailableQuotes("Nobody", {"adapters": [{"adapter": "UNISWAP", "kind": "excluded"}]})
    both = {"includeExchanges": "UNISWAP", "excludeExchanges": "uniswap"}
    answer = await posted(client, ROUTES, {**BODY, **both})
    assert (answer.status, answer.json["code"]) == (422, "NO_AVAILABLE_QUOTES")
    assert answer.json["details"]["adapters"] == [{"adapter": "UNISWAP", "kind": "excluded"}]
    asked = api_service.asked[-1].adapters
    assert asked.include_exchanges == asked.exclude_exchanges == {"UNISWAP"}


async def test_nothing_to_route_is_422_and_a_step_without_a_quote_400(client: Client, api_service: ApiService) -> None:
    api_service.failure = NoAvailableQuotes("Nobody")
    answer = await posted(client, ROUTES, BODY)
    assert (answer.status, answer.json["code"]) == (422, "NO_AVAILABLE_QUOTES")
    api_service.failure = NoStepQuote("Nobody")
    answer = await posted(client, STEP, FOREIGN)
    assert (answer.status, answer.json["code"]) == (400, "NO_AVAILABLE_QUOTES")


async def test_a_step_on_solana_tells_its_last_height(client: Client, api_service: ApiService) -> None:
    assert api_service.failure is None
    step = deepcopy(FOREIGN)
    step["step"]["action"] |= {
        "fromChainId": SOLANA_ID, "toChainId": SOLANA_ID,
        "fromToken": {"address": SOLANA_USDC, "chainId": SOLANA_ID, "symbol": "USDC", "decimals": 6},
        "toToken": {"address": NATIVE_SVM, "chainId": SOLANA_ID, "symbol": "SOL", "decimals": 9},
    }  # fmt: skip
    step["context"] = {"senderAddress": SOLANA_WALLET, "receiverAddress": SOLANA_WALLET}
    answer = await posted(client, STEP, step)
    assert answer.status == 200, answer.text
    assert answer.json["lastValidBlockHeight"] == 418_958_566
    assert "lastValidBlockHeight" not in (await posted(client, STEP, FOREIGN)).json


async def test_a_step_of_another_service_is_populated(client: Client, api_service: ApiService) -> None:
    answer = await posted(client, STEP, FOREIGN)
    assert answer.status == 200, answer.text
    step = answer.json
    assert (step["id"], step["routeId"], step["tool"]) == ("advanced-route:0", "advanced-route", step["tool"])
    assert step["transactionRequest"].keys() >= {"to", "value", "data"}
    assert step["calls"] == [
        *step["approvals"],
        {name: step["transactionRequest"][name] for name in ("to", "value", "data")},
    ]
    assert (step["expiresAt"], step["priceImpact"]) == ("2026-03-04T05:26:07.000Z", "0.001235")
    assert step["trustAssumptions"] == ["Somebody's word."]
    assert step["transactionId"] == TX_ID
    (asked,) = api_service.steps
    assert (asked.tool, asked.index, asked.fees_taken, asked.fee_proof) == ("UNISWAP", 0, False, None)
    assert (asked.request.sender, asked.request.receiver, asked.request.amount) == (WALLET, OTHER_WALLET, 10**6)


@pytest.mark.parametrize(
    ("path", "value", "amount"),
    [
        ("context.previousStepReceivedAmount", "1234567", 1234567),
        ("context.amountOverride", "7654321", 7654321),
        ("step.action.fromAmount", "1000000", 10**6),
    ],
)
async def test_what_goes_into_a_step(
    client: Client, api_service: ApiService, path: str, value: str, amount: int
) -> None:
    assert (await posted(client, STEP, altered(path, value))).status == 200
    assert api_service.steps[-1].request.amount == amount


async def test_a_later_step_shows_its_proof(client: Client, api_service: ApiService) -> None:
    body = altered("step.execution", {"applyFee": False, "routeRequest": {"feeProof": "1.2.ab"}})
    assert (await posted(client, STEP, body)).status == 200
    assert (api_service.steps[-1].fees_taken, api_service.steps[-1].fee_proof) == (True, "1.2.ab")


@pytest.mark.parametrize("charged", [True, False])
async def test_a_populated_step_says_whether_it_takes_the_fee(
    client: Client, api_service: ApiService, charged: bool
) -> None:
    """A step without a valid proof takes the service's fee whatever it says, and never the integrator's."""
    api_service.full = charged
    body = altered("step.execution", {"applyFee": False, "routeRequest": {"feeProof": "1.2.ab"}})
    body["step"].update(integrator="rival", fee=0.01)
    step = (await posted(client, STEP, body)).json
    told = step["execution"]
    assert told["applyFee"] is charged
    assert ("fee" in step, "fee" in told["routeRequest"]) == (not charged, not charged)
    assert ("feeProof" in told["routeRequest"], "fee" in told["quoteRequest"]) == (not charged, False)
    # Sent once more as it was answered, it is the same question.
    assert (await posted(client, STEP, {"step": step, "context": body["context"]})).status == 200
    assert api_service.steps[-1].fees_taken is not charged


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("step.id", "other:0", "step.id must be"),
        ("step.id", "advanced-route", "step.id must be"),
        ("step.routeId", ..., "step.routeId is missing"),
        ("step.tool", "LIFI", "step.tool names 'LIFI'"),
        ("step.id", "advanced-route:-1", "step.id must be"),
        ("step.tool", 7, "step.tool must be a JSON string"),
        ("step.tool", "", "step.tool names ''"),
        ("step.type", "bridge", "step.type must be swap within one chain"),
        ("step.type", "jump", "step.type must be swap or bridge"),
        ("step.action.fromChainId", ..., "step.action.fromChainId is missing"),
        ("step.action.fromToken.address", "USDC", "step.action.fromToken.address must be"),
        ("step.action.fromToken.chainId", 137, "step.action.fromToken.chainId must be step.action.fromChainId"),
        ("step.action.toToken.chainId", 137, "step.action.toToken.chainId must be step.action.toChainId"),
        ("step.action.toToken.chainId", True, "step.action.toToken.chainId must be a JSON number"),
        ("step.action.fromAmount", "2", "step.estimate.fromAmount must be step.action.fromAmount"),
        ("step.action.fromAddress", OTHER_WALLET, "step.action.fromAddress must be"),
        ("step.action.toAddress", "0x" + "12" * 20, "step.action.toAddress must be"),
        ("step.estimate.fromAmount", "999000", "step.estimate.fromAmount must be step.action.fromAmount"),
        ("step.estimate.toAmount", "994004", "step.estimate.toAmountMin must not be more"),
        ("step.estimate.toAmountMin", "999001", "step.estimate.toAmountMin must not be more"),
        ("step.estimate.toAmount", 999000, "step.estimate.toAmount must be a JSON string"),
        ("step.estimate.fees", ..., "step.estimate.fees must be an object"),
        ("step.execution.applyFee", ..., "step.execution.applyFee must be true or false"),
        ("step.execution.requiresPreviousStepAmount", True, "context.previousStepReceivedAmount is missing"),
        ("context.senderAddress", ..., "context.senderAddress is missing"),
        ("context.receiverAddress", ..., "context.receiverAddress is missing"),
        ("context.previousStepReceivedAmount", "-5", "context.previousStepReceivedAmount must be a positive integer"),
        ("context.previousStepReceivedAmount", "0", "context.previousStepReceivedAmount must be a positive integer"),
        ("context.previousStepReceivedAmount", 5, "context.previousStepReceivedAmount must be a JSON string"),
        ("context.amountOverride", "1.5", "context.amountOverride must be a positive integer"),
        ("context.slippage", 2, "context.slippage must be"),
        ("step.action.slippage", 2, "step.action.slippage must be"),
        ("context.receiverAddress", "", "context.receiverAddress is empty"),
        ("context.senderAddress", 7, "context.senderAddress must be a JSON string"),
    ],
)
async def test_faults_of_a_step(client: Client, path: str, value: Any, fault: str) -> None:
    found = faults(await posted(client, STEP, altered(path, value)))
    assert any(each.startswith(fault) for each in found), found
    assert len([each for each in found if each.split()[0] == fault.split()[0]]) == 1, found


@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("step", "id, routeId,"),
        ("step.action", "fromChainId,"),
        ("step.action.fromToken", "address,"),
        ("step.estimate", "fromAmount,"),
        ("step.execution", "applyFee,"),
        ("context", "senderAddress,"),
    ],
)
@pytest.mark.parametrize("value", [None, ..., [], "x"])
async def test_what_is_no_object_is_one_fault_and_not_one_for_each_member(
    client: Client, path: str, members: str, value: Any
) -> None:
    (fault,) = faults(await posted(client, STEP, altered(path, value)))
    assert fault.startswith(f"{path} must be an object with {members}")


@pytest.mark.parametrize(
    ("path", "body", "place"),
    [
        (ROUTES, '{"amount": "1", "originChainId": %s}', "originChainId"),
        (ROUTES, '{"a b": %s}', "body:"),
        (ROUTES, '{"slippage": 0.%s}', "slippage"),
        (ROUTES, '{"slippage": 1e-%s}', "slippage"),
        (STEP, '{"step": {"action": {"fromChainId": %s}}}', "step.action.fromChainId"),
        (STEP, '{"step": {"list": [0, {"a": 1}, %s, 7]}, "more": 1}', "step.list[2]"),
        (STEP, "%s", "body:"),
    ],
)
async def test_a_number_that_is_too_long_names_its_field(client: Client, path: str, body: str, place: str) -> None:
    (fault,) = faults(await posted(client, path, (body % ("9" * 401)).encode()))
    assert fault == f"{place} must be a number of at most 400 digits"


@pytest.mark.parametrize("path", [ROUTES, STEP])
@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain;charset=UTF-8"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/jsonp"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
async def test_a_body_that_calls_itself_something_else_is_415(
    client: Client, path: str, headers: dict[str, str]
) -> None:
    body = BODY if path == ROUTES else FOREIGN
    answer = await client.ask(path, method="POST", headers=headers, data=json.dumps(body).encode())
    assert (answer.status, answer.json["statusCode"], answer.json["code"]) == (415, 415, "VALIDATION_ERROR")
    assert answer.json["message"].startswith("The body must be ")


@pytest.mark.parametrize(
    "kind",
    ["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json", "application/octet-stream", ""],
)
async def test_a_body_that_calls_itself_json_or_nothing_is_read(client: Client, kind: str) -> None:
    answer = await client.ask(ROUTES, method="POST", headers={"content-type": kind}, data=json.dumps(BODY).encode())
    assert answer.status == 200, answer.text


async def test_a_body_without_a_content_type_is_read(client: Client) -> None:
    sent = client.session.post(client.url + ROUTES, data=json.dumps(BODY).encode(), skip_auto_headers=["content-type"])
    async with sent as response:
        assert "content-type" not in response.request_info.headers
        assert response.status == 200


async def test_a_token_need_not_name_its_chain(client: Client) -> None:
    assert (await posted(client, STEP, altered("step.action.fromToken.chainId", ...))).status == 200


async def test_two_amounts_for_a_step(client: Client) -> None:
    body = altered("context.previousStepReceivedAmount", "5")
    body["context"]["amountOverride"] = "6"
    (fault,) = faults(await posted(client, STEP, body))
    assert fault.startswith("context.amountOverride must not be given beside")


async def test_a_step_pays_one_of_the_two_wallets(client: Client, api_service: ApiService) -> None:
    body = altered("step.action.toAddress", WALLET.lower())
    assert (await posted(client, STEP, body)).status == 200
    assert api_service.steps[-1].request.receiver == WALLET
    body = altered("context.receiverAddress", SOLANA_WALLET)
    assert (await posted(client, STEP, body)).json["code"] == "WRONG_ADDRESS"


async def test_they_count_as_quotes_and_are_open_to_browsers(client: Client) -> None:
    headers = {"content-type": "application/json", "origin": "https://dapp.example", "x-api-key": KEY}
    answer = await client.ask(ROUTES, method="POST", headers=headers, data=json.dumps(BODY).encode())
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cache-control"] == "no-store"
    assert "x-ratelimit-limit" in answer.headers
