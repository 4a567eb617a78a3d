"""What the service is asked for a trade, and what an agent gets to hand to a wallet."""

from typing import Any

import pytest

from rhumbline_client.mcp.arguments import Asked, StepAsked
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.service import KeptSteps, Service
from rhumbline_client.mcp.trade_tools import SHOWN_FOR, quote, requested, routes, step
from rhumbline_client.models import Step
from tests.clients.python.mcp.answers import ALICE, CHAINS, ID, QUOTES, SWAP, TOKENS, USDC, WETH, chain, token
from tests.clients.python.mcp.answers import quote as quoted
from tests.clients.python.scripted_service import Reply, ScriptedService

ROUTES, STEPS = "POST /v1/advanced/routes", "POST /v1/advanced/stepTransaction"
BOB = "0x" + "b0" * 20
MINT = "So11111111111111111111111111111111111111112"
FEES = quoted()["fees"]


@pytest.fixture
def two_chains(answering: ScriptedService) -> None:
    found = [chain(1, "eth", "Ethereum"), chain(2, "sol", "Solana", "SVM")]
    answering.replies[CHAINS] = [Reply(body={"chains": found})]
    lists = [
        {"1": [token(1, "USDC", address=USDC), token(1, "WETH", address=WETH, decimals=18)]},
        {"2": [token(2, "SOL", address=MINT, decimals=9)]},
    ]
    answering.replies[TOKENS] = [Reply(body=each) for each in lists]


async def test_an_amount_is_asked_in_the_smallest_unit(service: Service) -> None:
    asked = Asked(**SWAP, sender=ALICE, slippage_percent="0.5", include_tools=["ONCHAIN"], order="FASTEST")
    request = await requested(service, asked)
    given = {name: str(value) for name, value in request.parameters.items() if value is not None}
    assert given == {
        "sender_address": ALICE, "receiver_address": ALICE, "origin_chain_id": "1", "destination_chain_id": "1",
        "origin_currency": USDC, "destination_currency": WETH, "amount": "1500000", "slippage": "0.005",
        "order": "FASTEST", "include_exchanges": "['ONCHAIN']",
    }  # fmt: skip


@pytest.mark.usefixtures("two_chains")
async def test_across_chains_tools_are_bridges(service: Service) -> None:
    more: dict[str, Any] = {**SWAP, "to_chain": "sol", "to_token": "SOL", "exclude_tools": ["MAYAN"]}
    parameters = (await requested(service, Asked(**more))).parameters
    assert parameters.get("exclude_bridges") == ["MAYAN"]
    assert "exclude_exchanges" not in parameters


@pytest.mark.usefixtures("two_chains")
async def test_who_is_refunded_is_asked_for_and_said(service: Service, answering: ScriptedService) -> None:
    asked = Asked(**{**SWAP, "to_chain": "sol", "to_token": "SOL", "sender": ALICE, "receiver": MINT}, refund_to=BOB)
    answering.replies[QUOTES] = [Reply(body=quoted(refundTo=BOB))]
    assert (await quote(service, asked)).refund_to == BOB
    assert (await requested(service, asked)).parameters.get("refund_to") == BOB
    assert "refund_to" not in (await requested(service, asked.model_copy(update={"refund_to": None}))).parameters


@pytest.mark.usefixtures("two_chains")
async def test_nobody_receives_on_another_type_of_chain_by_default(service: Service) -> None:
    more: dict[str, Any] = {**SWAP, "to_chain": "sol", "to_token": "SOL"}
    with pytest.raises(ToolFailure, match=r"^receiver: name an address on sol"):
        await requested(service, Asked(**more, sender=ALICE))
    shown = (await requested(service, Asked(**more))).parameters
    assert (shown["sender_address"], shown.get("receiver_address")) == (SHOWN_FOR["EVM"], SHOWN_FOR["SVM"])


async def test_without_a_wallet_there_is_nothing_to_sign(service: Service, answering: ScriptedService) -> None:
    approvals = [{"to": USDC, "value": "0x0", "data": "0x09"}]
    answering.replies[QUOTES] = [Reply(body=quoted(approvals=approvals))]
    found = await quote(service, Asked(**SWAP))
    assert (found.transactions, found.transaction_id) == ([], None)
    assert found.in_words().endswith("Only a price: name `sender` for something to sign.")


async def test_a_wallet_gets_approvals_first_and_gas_terms(service: Service, answering: ScriptedService) -> None:
    approvals = [{"to": USDC, "value": "0x0", "data": "0x09"}]
    gas = {"maxFeePerGas": "0x10", "maxPriorityFeePerGas": "0x1", "gasLimit": "0x5208"}
    answering.replies[QUOTES] = [Reply(body=quoted(approvals=approvals, gas=gas))]
    found = await quote(service, Asked(**SWAP, sender=ALICE))
    approval, trade = found.transactions
    assert (approval.purpose, approval.to, approval.gas_limit, approval.max_fee_per_gas) == (
        "approval",
        USDC,
        None,
        "0x10",
    )
    assert (trade.purpose, trade.data, trade.gas_limit, trade.sender) == ("transaction", "0x01", "0x5208", ALICE)
    assert found.transaction_id == ID


def planned(name: str, **more: Any) -> dict[str, Any]:
    ends = {"address": USDC, "symbol": "USDC", "decimals": 6, "chainId": 1}
    return {
        "id": name, "routeId": "r", "type": "swap", "tool": "ONCHAIN",
        "action": {"fromChainId": 1, "toChainId": 1, "fromToken": ends, "toToken": {**ends, "address": WETH},
                   "fromAmount": "1", "fromAddress": ALICE, "toAddress": ALICE},
        "estimate": {"fromAmount": "1500000", "toAmount": "2", "toAmountMin": "1", "fees": FEES,
                     "quoteFromAmount": "1"},
        "execution": {"applyFee": False, "requiresPreviousStepAmount": True, "quoteRequest": {"unknown": 1},
                      "routeRequest": {}},
        **more,
    }  # fmt: skip


async def test_a_step_is_sent_back_as_it_was_answered(service: Service, answering: ScriptedService) -> None:
    route = {
        "id": "r", "routeKind": "multistep", "inputAmount": "1500000", "outputAmount": "2", "minOutputAmount": "1",
        "fees": FEES, "adapter": "ONCHAIN", "isMultistep": True, "steps": [planned("r:1")], "tags": ["FASTEST"],
    }  # fmt: skip
    made = planned("r:1", transactionRequest={"to": WETH, "value": "0x1", "data": "0x02"}, transactionId=ID)
    answering.replies |= {ROUTES: [Reply(body={"routes": [route]})], STEPS: [Reply(body=made)]}
    (found,) = (await routes(service, Asked(**SWAP, sender=ALICE, receiver=BOB))).routes
    assert [(each.step_id, each.signer, each.needs_received_amount) for each in found.steps] == [("r:1", ALICE, True)]
    with pytest.raises(ToolFailure, match=r"^received_amount: is needed"):
        await step(service, StepAsked(step_id="r:1"))
    with pytest.raises(ToolFailure, match=r"^received_amount: USDC has 6 decimals"):
        await step(service, StepAsked(step_id="r:1", received_amount="0.0000001"))
    assert STEPS not in answering.asked
    trade = await step(service, StepAsked(step_id="r:1", received_amount="1.4"))
    assert (trade.transaction_id, trade.transactions[0].value) == (ID, "0x1")
    (body,) = answering.bodies[STEPS]
    assert body["step"] == planned("r:1")
    assert body["context"] == {
        "senderAddress": ALICE, "receiverAddress": BOB, "previousStepReceivedAmount": "1400000"
    }  # fmt: skip


async def test_routes_for_show_have_no_steps_to_make(service: Service, answering: ScriptedService) -> None:
    route = {
        "id": "r", "routeKind": "single-step", "inputAmount": "1500000", "outputAmount": "2", "minOutputAmount": "1",
        "fees": FEES, "adapter": "ONCHAIN", "isMultistep": False, "steps": [planned("r:0")], "tags": [],
    }  # fmt: skip
    answering.replies[ROUTES] = [Reply(body={"routes": [route]})]
    (found,) = (await routes(service, Asked(**SWAP))).routes
    assert [(each.step_id, each.signer) for each in found.steps] == [(None, None)]
    assert service.steps.find("r:0") is None


def test_only_the_latest_steps_are_kept() -> None:
    kept = KeptSteps(most=2)
    for name in ("a", "b", "a", "c"):
        kept.keep(Step.model_validate(planned(name)), ALICE)
    assert [name for name in "abc" if kept.find(name)] == ["a", "c"]
