"""A step that is sent, quoted anew: what is read of it, what is refused, and what is answered."""

from copy import deepcopy
from typing import Any

import pytest

from rhumbline.domain.chain import NATIVE_SVM
from tests.api.api_service import OTHER_WALLET, SOLANA_ID, SOLANA_USDC, SOLANA_WALLET, TX_ID, WALLET, ApiService
from tests.api.conftest import Client
from tests.api.v1.test_routes import FOREIGN, STEP, posted


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


async def test_a_step_to_an_exact_output_keeps_its_guarantee(client: Client, api_service: ApiService) -> None:
    exact = altered("step.execution.routeRequest", {"tradeType": "EXACT_OUTPUT"})
    answer = await posted(client, STEP, exact)
    assert answer.status == 200, answer.text
    again = answer.json["execution"]["quoteRequest"]
    assert (again["tradeType"], again["amount"]) == ("EXACT_OUTPUT", FOREIGN["step"]["estimate"]["toAmountMin"])
    other = deepcopy(exact)
    other["context"]["amountOverride"] = "2000000"
    for body in (FOREIGN, other, altered("step.execution.routeRequest", {"tradeType": "EXACT_INPUT"})):
        assert (await posted(client, STEP, body)).status == 200
    assert [each.request.wanted_output for each in api_service.steps] == [994_005, None, None, None]
    assert [each.request.seeks_input for each in api_service.steps] == [False] * 4


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
    assert (asked.tool, asked.index, asked.fees_taken, asked.fee_proof) == ("ONCHAIN", 0, False, None)
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
