"""``refundTo``: who may be named, and that it is not lost between a quote, a route and its steps."""

import json
from typing import Any

import pytest

from tests.api.api_service import DIAMOND, OTHER_WALLET, SOLANA_WALLET, USDC, USDT, WALLET, ApiService
from tests.api.conftest import Client

SWAP = {
    "senderAddress": WALLET, "originChainId": "1", "destinationChainId": "1", "amount": "1000000",
    "originCurrency": USDC, "destinationCurrency": USDT,
}  # fmt: skip
CROSSING = {**SWAP, "destinationChainId": "8453", "destinationCurrency": "0x" + "0" * 40}


@pytest.mark.parametrize(
    ("asked", "named", "code", "words"),
    [
        (CROSSING, "0x" + "0" * 39 + "1", "VALIDATION_ERROR", "refundTo is an address that nobody can sign for"),
        (CROSSING, DIAMOND, "VALIDATION_ERROR", "refundTo is a contract that does not give back"),
        (CROSSING, USDC, "VALIDATION_ERROR", "refundTo is a contract that does not give back"),
        (CROSSING, SOLANA_WALLET, "WRONG_ADDRESS", "refundTo must be a wallet on Ethereum"),
        (CROSSING, OTHER_WALLET[:-1] + "b", "WRONG_ADDRESS", "refundTo has a wrong EIP-55 checksum"),
        (CROSSING, "", "VALIDATION_ERROR", "refundTo is empty"),
        (SWAP, OTHER_WALLET, "VALIDATION_ERROR", "refundTo is for transfers between chains"),
    ],
)
async def test_who_cannot_be_named(
    client: Client, api_service: ApiService, asked: dict[str, str], named: str, code: str, words: str
) -> None:
    answer = await client.ask("/v1/quotes", {**asked, "refundTo": named})
    assert (answer.status, answer.json["code"], api_service.asked) == (400, code, [])
    assert answer.json["details"]["message"][0].startswith(words)


async def test_the_named_one_is_asked_for_and_said(client: Client, api_service: ApiService) -> None:
    answer = await client.ask("/v1/quotes", {**CROSSING, "refundTo": OTHER_WALLET.lower()})
    assert (answer.status, answer.json["refundTo"]) == (200, OTHER_WALLET)
    assert api_service.asked[-1].refund_to == OTHER_WALLET
    own = await client.ask("/v1/quotes", {**SWAP, "refundTo": WALLET})
    assert own.status == 200
    assert "refundTo" not in own.json
    assert api_service.asked[-1].refund_to is None


async def test_without_it_nothing_is_named(client: Client, api_service: ApiService) -> None:
    answer = await client.ask("/v1/quotes", CROSSING)
    assert (answer.status, "refundTo" in answer.text) == (200, False)
    routes = await client.ask("/v1/advanced/routes", method="POST", data=json.dumps(CROSSING).encode())
    assert "refundTo" not in routes.text


async def test_a_step_keeps_it(client: Client, api_service: ApiService) -> None:
    body = json.dumps({**CROSSING, "refundTo": OTHER_WALLET}).encode()
    routes = await client.ask("/v1/advanced/routes", method="POST", data=body)
    step: dict[str, Any] = routes.json["routes"][0]["steps"][0]
    assert step["action"]["refundTo"] == OTHER_WALLET
    assert step["execution"]["quoteRequest"]["refundTo"] == OTHER_WALLET
    posted = {"step": step, "context": {"senderAddress": WALLET, "receiverAddress": WALLET}}
    answer = await client.ask("/v1/advanced/stepTransaction", method="POST", data=json.dumps(posted).encode())
    assert answer.status == 200, answer.text
    assert api_service.steps[-1].request.refund_to == OTHER_WALLET
    assert answer.json["action"]["refundTo"] == OTHER_WALLET
    step["action"]["refundTo"] = "nobody"
    wrong = await client.ask("/v1/advanced/stepTransaction", method="POST", data=json.dumps(posted).encode())
    assert wrong.json["details"]["message"][0].startswith("step.action.refundTo must be a wallet")
