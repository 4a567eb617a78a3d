"""A quote's answer, in the contract's words."""

from dataclasses import replace

import pytest

from rhumbline.api.wire.quote import to_quote
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from tests.api.api_service import DIAMOND, SOLANA_WALLET, TX_ID, USDC, USDT, ApiService, bare_answer
from tests.api.conftest import Client
from tests.api.v1.test_quotes import nulls
from tests.api.wire.test_quote_request import FROM_SOLANA, GOOD, TO_SOLANA


async def test_a_full_answer(client: Client, api_service: ApiService) -> None:
    answer = await client.ask("/v1/quotes", GOOD)
    run = {
        "source": "RPC",
        "executionStatus": "SUCCESS",
        "outputValidation": "VERIFIED",
        "simulatedOutputAmount": "1999753",
        "deviation": {"absolute": "-247", "bps": -1.24, "percent": "-0.0124%"},
        "gasUsed": "140000",
        "reason": "as expected",
        "latencyMs": 12,
    }
    fee = {"currencySymbol": "USDC", "currencyAddress": USDC, "chainId": 1, "decimals": 6}
    eth = {"currencySymbol": "ETH", "currencyAddress": NATIVE_EVM, "chainId": 1, "decimals": 18}
    price = {"chainId": 1, "tier": "hot", "refreshing": True}
    approval = {"to": USDC, "value": "0x0", "data": "0x095e"}
    assert answer.json == {
        "inputAmount": "1000000",
        "outputAmount": "2000000",
        "minOutputAmount": "1990000",
        "estimatedTimeSec": 42,
        "adapter": "ONCHAIN",
        "transactionId": TX_ID,
        "calldata": {"to": DIAMOND, "value": "0x0", "data": "0x1234"},
        "fees": {
            "total": {**fee, "amount": "10002"},
            "breakdown": [
                {**fee, "amount": "10001", "type": "app", "included": True, "amountUsd": "0.010003"},
                {**eth, "amount": "7", "type": "gas", "included": False, "amountUsd": "0.000001"},
            ],
            "totalUsd": "0.010004",
        },
        "gas": {"maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1", "gasLimit": "0x2bf20"},
        "warnings": [{"code": "INTEGRATOR_WALLET_NOT_CONFIGURED_FEE_SKIPPED", "message": "Acme has no wallet there"}],
        "approvalAddress": DIAMOND,
        "expiresAt": "2026-03-04T05:26:07.000Z",
        "approvals": [approval],
        "calls": [approval, {"to": DIAMOND, "value": "0x0", "data": "0x1234"}],
        "priceImpact": "0.001235",
        "trustAssumptions": ["Somebody's word."],
        "simulation": {**run, "advertisedOutputAmount": "2000000", "providerResults": [run]},
        "usd": {
            "originCurrency": {
                **price,
                "token": USDC,
                "priceUSD": "1.0001",
                "source": "pool",
                "updatedAt": "2026-03-04T05:06:07.089Z",
                "stale": False,
            },
            "destinationCurrency": {**price, "token": USDT, "stale": True},
        },
    }
    assert answer.headers["cache-control"] == "no-store"


async def test_optionals_are_left_out_never_null(client: Client, api_service: ApiService) -> None:
    api_service.full = False
    bare = await client.ask("/v1/quotes", GOOD)
    assert set(bare.json) == {
        "inputAmount",
        "outputAmount",
        "minOutputAmount",
        "adapter",
        "transactionId",
        "calldata",
        "calls",
        "fees",
    }
    api_service.full = True
    full = await client.ask("/v1/quotes", GOOD)
    assert nulls(bare.json) == nulls(full.json) == 0


async def test_a_solana_answer(client: Client, api_service: ApiService) -> None:
    api_service.full = False
    answer = await client.ask("/v1/quotes", FROM_SOLANA)
    assert answer.json["calldata"] == {"to": NATIVE_SVM, "value": "0x0", "data": "AQEB" * 100}
    assert answer.json["transactionSize"] == {"raw": 300, "encoded": 400}
    assert answer.json["lastValidBlockHeight"] == 418_958_566
    assert not {"approvals", "calls"} & set(answer.json)


@pytest.mark.parametrize(
    ("scan_url", "reference", "scan"),
    [
        (None, None, {}),
        (None, "a", {"transferId": "a"}),
        ("https://scan.example/{txHash}", None, {"url": "https://scan.example/{txHash}"}),
        ("https://scan.example/{reference}", None, {}),
        (
            "https://scan.example/{reference}?x",
            "../a b&c#d",
            {"url": "https://scan.example/..%2Fa%20b%26c%23d?x", "transferId": "../a b&c#d"},
        ),
    ],
)
async def test_where_a_transfer_can_be_looked_at(
    client: Client, api_service: ApiService, scan_url: str | None, reference: str | None, scan: dict[str, str]
) -> None:
    await client.ask("/v1/quotes", {**TO_SOLANA, "receiverAddress": SOLANA_WALLET})
    crossing = replace(bare_answer(api_service.asked[0]), adapter="RELAY", scan_url=scan_url, reference=reference)
    told = to_quote(crossing).model_dump(by_alias=True)
    assert told["bridgeScan"] == {"provider": "RELAY", **scan}
