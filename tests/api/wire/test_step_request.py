"""A client's own copy of a step is read, and nothing in it is trusted."""

from typing import Any

import pytest

from tests.api.api_service import OTHER_WALLET, SOLANA_WALLET, WALLET, ApiService
from tests.api.conftest import Client
from tests.api.v1.test_routes import STEP, faults, posted
from tests.api.v1.test_step_transaction import altered


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
        ("context.permits", "true", "context.permits must be true or false"),
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
