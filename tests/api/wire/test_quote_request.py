"""Every way a quote's parameters can be wrong: code, status and the message's beginning; none of it reaches routing."""

from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain import errors
from rhumbline.domain.account import ApiClient
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS
from rhumbline.domain.fee import FeeRule
from tests.api.api_service import ACME, KEY, SOLANA_ID, SOLANA_USDC, SOLANA_WALLET, USDC, USDT, WALLET, ApiService
from tests.api.conftest import Answer, Client

GOOD = {
    "senderAddress": WALLET,
    "originChainId": "1",
    "destinationChainId": "1",
    "amount": "1000000",
    "originCurrency": USDC,
    "destinationCurrency": USDT,
}
TO_SOLANA = {**GOOD, "destinationChainId": str(SOLANA_ID), "destinationCurrency": SOLANA_USDC}
FROM_SOLANA = {
    **GOOD,
    "senderAddress": SOLANA_WALLET,
    "originChainId": str(SOLANA_ID),
    "destinationChainId": str(SOLANA_ID),
    "originCurrency": SOLANA_USDC,
    "destinationCurrency": "11111111111111111111111111111111",
}


def faults(answer: Answer, status: int, code: str) -> list[str]:
    assert (answer.status, answer.json["statusCode"], answer.json["code"]) == (status, status, code), answer.text
    details: Any = answer.json["details"]
    messages = details["message"]
    assert isinstance(messages, list)
    return messages


async def fault_of(client: Client, query: dict[str, str], **headers: str) -> str:
    answer = await client.ask("/v1/quotes", query, headers=headers)
    (only,) = faults(answer, 400, "VALIDATION_ERROR")
    assert answer.json["message"] == f"Invalid request parameters: {only}"
    return only


BAD_AMOUNTS = ["0", "-1", "+1", "1.5", "1e18", "01", "1_0", " 1", "1 ", "", "0x10", "١", "1,000", str(2**256), "9" * 78]


@pytest.mark.parametrize("amount", BAD_AMOUNTS)
async def test_an_amount_that_is_none(client: Client, api_service: ApiService, amount: str) -> None:
    assert (await fault_of(client, {**GOOD, "amount": amount})).startswith("amount ")
    assert api_service.asked == []


@pytest.mark.parametrize(
    ("name", "value", "beginning"),
    [
        ("fee", "NaN", "fee must be a decimal number from 0 to 0.1"),
        ("fee", "inf", "fee must be a decimal number"),
        ("fee", "-Infinity", "fee must be a decimal number"),
        ("fee", "1e400", "fee must be from 0 to 0.1"),
        ("fee", "0.11", "fee must be from 0 to 0.1"),
        ("fee", "0.1000000000000000001", "fee must be from 0 to 0.1"),
        ("fee", "0.0" + "1" * 62, "fee must have at most 64 characters; got 65"),
        ("fee", "-0.01", "fee must be from 0 to 0.1"),
        ("fee", "1_0", "fee must be a decimal number"),
        ("fee", " 0.1", "fee must be a decimal number"),
        ("fee", "0,1", "fee must be a decimal number"),
        ("fee", "1e-999", "fee must have an exponent of at least -30"),
        ("fee", "1e-9999999", "fee must be a decimal number"),
        ("fee", "", "fee is empty: give a fraction from 0 to 0.1, or leave it out"),
        ("slippage", "1.1", "slippage must be from 0 to 1"),
        ("slippage", "1e400", "slippage must be from 0 to 1"),
        ("slippage", "1e-31", "slippage must have an exponent of at least -30"),
        ("slippage", "0." + "1" * 63, "slippage must have at most 64 characters; got 65"),
        ("slippage", "-0.1", "slippage must be from 0 to 1"),
        ("slippage", "nan", "slippage must be a decimal number from 0 to 1"),
        ("slippage", "0x1", "slippage must be a decimal number"),
        ("slippageMode", "fast", "slippageMode must be auto; got 'fast'"),
        ("slippageMode", "AUTO", "slippageMode must be auto"),
        ("slippageMode", "", "slippageMode is empty"),
        ("permits", "yes", "permits must be true or false"),
        ("integrator", "", "integrator is empty"),
        ("integrator", "two words", "integrator must be 1 to 31 letters"),
        ("integrator", "x" * 32, "integrator must have at most 31 characters"),
        ("integrator", "ünicode", "integrator must be 1 to 31 letters"),
        ("includeBridges", "NOPE", "includeBridges names 'NOPE', which is no adapter: use ACROSS, RELAY"),
        ("includeBridges", "ONCHAIN", "includeBridges names ONCHAIN, which is of the kind exchange: name it in inclu"),
        ("excludeBridges", "openocean", "excludeBridges names OPENOCEAN, which is of the kind exchange"),
        ("includeExchanges", "ACROSS", "includeExchanges names ACROSS, which is of the kind bridge: name it in inclu"),
        ("excludeExchanges", "RELAY,across", "excludeExchanges names ACROSS, which is of the kind bridge"),
        ("includeBridges", "ACROSS,,RELAY", "includeBridges has an empty entry"),
        ("includeBridges", "", "includeBridges is empty"),
        ("originChainId", "eth", "originChainId must be a chain's numeric ID"),
        ("originChainId", "1.0", "originChainId must be a chain's numeric ID"),
        ("originChainId", "0", "originChainId must be a chain's numeric ID"),
        ("originChainId", "-1", "originChainId must be a chain's numeric ID"),
        ("originChainId", str(2**53), "originChainId must be a chain's numeric ID"),
        ("originChainId", "", "originChainId is empty: give the numeric ID"),
        ("destinationChainId", "1e0", "destinationChainId must be a chain's numeric ID"),
        ("senderAddress", "", "senderAddress is empty: give the wallet"),
        ("receiverAddress", "", "receiverAddress is empty: give the wallet"),
        ("originCurrency", "", "originCurrency is empty: give the address"),
        ("originCurrency", "USDC", "originCurrency must be a token's address, not a symbol"),
        ("originCurrency", USDC[:-1], "originCurrency must be a token on Ethereum: an EVM address, 0x and 40 hex"),
        ("originCurrency", USDC + "0", "originCurrency must be a token on Ethereum"),
        ("originCurrency", USDC.replace("0x", "0y"), "originCurrency must be a token on Ethereum"),
        ("destinationCurrency", SOLANA_USDC, "destinationCurrency must be a token on Ethereum"),
        ("destinationCurrency", " " + USDT, "destinationCurrency must be a token on Ethereum"),
        ("destinationCurrency", USDC, "destinationCurrency names the same token on the same chain"),
        ("destinationCurrency", USDC.lower(), "destinationCurrency names the same token on the same chain"),
        ("destinationCurrency", "x" * 1001, "destinationCurrency must have at most 1000 characters"),
    ],
)
async def test_a_parameter_that_breaks_its_rule(
    client: Client, api_service: ApiService, name: str, value: str, beginning: str
) -> None:
    extra = {"integrator": "acme"} if name == "fee" else {}
    assert (await fault_of(client, {**GOOD, **extra, name: value})).startswith(beginning)
    assert api_service.asked == []


@pytest.mark.parametrize("name", sorted(GOOD))
async def test_a_required_parameter_that_is_missing(client: Client, api_service: ApiService, name: str) -> None:
    rest = {key: value for key, value in GOOD.items() if key != name}
    assert (await fault_of(client, rest)).startswith(f"{name} is missing: give ")
    assert api_service.asked == []


@pytest.mark.parametrize("name", [*GOOD, "fee", "slippage", "includeBridges"])
async def test_a_repeated_scalar(client: Client, api_service: ApiService, name: str) -> None:
    value = {**GOOD, "fee": "0.01", "slippage": "0.1", "includeBridges": "ACROSS"}[name]
    query = [*GOOD.items(), ("integrator", "acme"), (name, value)]
    answer = await client.ask("/v1/quotes", query if name in GOOD else [*query, (name, value)])
    assert faults(answer, 400, "VALIDATION_ERROR") == [f"{name} is given 2 times: give it once"]
    assert api_service.asked == []


async def test_a_fee_needs_someone_who_earns_it(client: Client, api_service: ApiService) -> None:
    assert (await fault_of(client, {**GOOD, "fee": "0.01"})).startswith("integrator is missing: it is required")
    assert api_service.asked == []


async def test_a_key_with_the_name_of_another(client: Client, api_service: ApiService) -> None:
    fault = await fault_of(client, {**GOOD, "integrator": "rival"}, **{"x-api-key": KEY})
    assert fault.startswith("integrator must be Acme, the API key's integrator")
    assert api_service.asked == []


async def test_a_fee_above_what_the_key_allows(client: Client, api_service: ApiService) -> None:
    api_service.key_owner = ApiClient(ACME, 1, rule=FeeRule(largest_integrator_share=Fraction(1, 100)))
    fault = await fault_of(client, {**GOOD, "fee": "0.02"}, **{"x-api-key": KEY})
    assert fault.startswith("fee must be at most 0.01, the limit of this API key")
    assert api_service.asked == []


async def test_native_markers_are_one_token(client: Client, api_service: ApiService) -> None:
    query = {**GOOD, "originCurrency": NATIVE_EVM, "destinationCurrency": NATIVE_EVM_ALIAS.lower()}
    assert (await fault_of(client, query)).startswith("destinationCurrency names the same token")


async def test_a_solana_amount_has_64_bits(client: Client, api_service: ApiService) -> None:
    assert (await fault_of(client, {**FROM_SOLANA, "amount": str(2**64)})).startswith("amount must be at most 18446744")
    answer = await client.ask("/v1/quotes", {**FROM_SOLANA, "amount": str(2**64 - 1)})
    assert (answer.status, api_service.asked[0].amount) == (200, 2**64 - 1)


async def test_all_faults_at_once(client: Client, api_service: ApiService) -> None:
    query = {
        "originChainId": "x",
        "destinationChainId": "1",
        "amount": "1.5",
        "originCurrency": USDC,
        "destinationCurrency": "DAI",
        "receiverAddress": "0x123",
        "fee": "2",
        "slippage": "2",
        "slippageMode": "fast",
        "includeBridges": "ONCHAIN,NOPE",
        "excludeExchanges": "ACROSS",
    }
    messages = faults(await client.ask("/v1/quotes", query), 400, "VALIDATION_ERROR")
    assert [message.split(" ", 1)[0] for message in messages] == [
        "senderAddress",
        "originChainId",
        "amount",
        "destinationCurrency",
        "receiverAddress",
        "fee",
        "integrator",
        "slippage",
        "slippageMode",
        "includeBridges",
        "excludeExchanges",
    ]
    assert "ONCHAIN" in messages[9]
    assert "NOPE" in messages[9]
    assert api_service.asked == []


@pytest.mark.parametrize(
    ("query", "beginnings"),
    [
        ({**GOOD, "senderAddress": "0x123"}, ["senderAddress must be a wallet on Ethereum: an EVM address"]),
        ({**GOOD, "senderAddress": "vitalik.eth"}, ["senderAddress must be a wallet on Ethereum"]),
        ({**GOOD, "senderAddress": WALLET + "0"}, ["senderAddress must be a wallet on Ethereum"]),
        ({**GOOD, "senderAddress": WALLET.replace("dA6", "Da6")}, ["senderAddress has a wrong EIP-55 checksum"]),
        ({**GOOD, "senderAddress": SOLANA_WALLET}, ["senderAddress must be a wallet on Ethereum"]),
        ({**GOOD, "receiverAddress": SOLANA_WALLET}, ["receiverAddress must be a wallet on Ethereum"]),
        ({**TO_SOLANA, "receiverAddress": WALLET}, ["receiverAddress must be a wallet on Solana: a Solana address"]),
        ({**FROM_SOLANA, "senderAddress": WALLET}, ["senderAddress must be a wallet on Solana"]),
        ({**FROM_SOLANA, "senderAddress": SOLANA_WALLET[:-2]}, ["senderAddress must be a wallet on Solana"]),
        ({**FROM_SOLANA, "senderAddress": "0OIl" * 8}, ["senderAddress must be a wallet on Solana"]),
        (
            {**GOOD, "senderAddress": "0x1", "receiverAddress": "0x2"},
            ["senderAddress must be a wallet", "receiverAddress must be a wallet"],
        ),
        (
            {**GOOD, "senderAddress": "0x1", "destinationChainId": "777"},
            ["senderAddress must be a wallet", "destinationChainId names the chain '777'"],
        ),
    ],
)
async def test_wallets_alone_are_wrong_addresses(
    client: Client, api_service: ApiService, query: dict[str, str], beginnings: list[str]
) -> None:
    messages = faults(await client.ask("/v1/quotes", query), 400, "WRONG_ADDRESS")
    assert [message[: len(start)] for message, start in zip(messages, beginnings, strict=True)] == beginnings
    assert api_service.asked == []


async def test_wallets_among_other_faults_are_validation_errors(client: Client, api_service: ApiService) -> None:
    query = {**GOOD, "senderAddress": "0x1", "amount": "0", "destinationChainId": "777"}
    messages = faults(await client.ask("/v1/quotes", query), 400, "VALIDATION_ERROR")
    assert [message.split(" ", 1)[0] for message in messages] == ["destinationChainId", "amount", "senderAddress"]


async def test_a_receiver_is_required_across_chain_types(client: Client, api_service: ApiService) -> None:
    assert (await fault_of(client, TO_SOLANA)).startswith("receiverAddress is missing: it is required from EVM to SVM")
    back = {**FROM_SOLANA, "destinationChainId": "1", "destinationCurrency": USDC}
    assert (await fault_of(client, back)).startswith("receiverAddress is missing: it is required from SVM to EVM")
    assert api_service.asked == []


@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        ({**GOOD, "originChainId": "777"}, ["originChainId"]),
        ({**GOOD, "destinationChainId": "9007199254740991"}, ["destinationChainId"]),
        ({**GOOD, "originChainId": "777", "destinationChainId": "778"}, ["originChainId", "destinationChainId"]),
        ({**GOOD, "originChainId": "777", "senderAddress": "nobody can judge this"}, ["originChainId"]),
    ],
)
async def test_an_unknown_chain_is_not_found(
    client: Client, api_service: ApiService, query: dict[str, str], unknown: list[str]
) -> None:
    messages = faults(await client.ask("/v1/quotes", query), 404, "NOT_FOUND")
    assert [message.split(" ", 1)[0] for message in messages] == unknown
    assert all("GET /v1/chains" in message for message in messages)
    assert api_service.asked == []


async def test_a_long_value_is_not_echoed_whole(client: Client, api_service: ApiService) -> None:
    fault = await fault_of(client, {**GOOD, "slippage": "7" * 900})
    assert len(fault) < 250


async def test_an_exact_output_is_parsed(client: Client, api_service: ApiService) -> None:
    query = {**GOOD, "tradeType": "EXACT_OUTPUT"}
    assert (await client.ask("/v1/quotes", query)).status == 200
    assert (await client.ask("/v1/quotes", {**GOOD, "tradeType": "EXACT_INPUT"})).status == 200
    wanted, given = api_service.asked
    assert (wanted.amount, wanted.wanted_output, wanted.seeks_input) == (0, 1_000_000, True)
    assert (given.amount, given.wanted_output, given.seeks_input) == (1_000_000, None, False)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"tradeType": "EXPECTED_OUTPUT"}, "tradeType must be EXACT_INPUT or EXACT_OUTPUT; got 'EXPECTED_OUTPUT'"),
        ({"tradeType": "exact_output"}, "tradeType must be EXACT_INPUT or EXACT_OUTPUT"),
        ({"tradeType": ""}, "tradeType is empty: give EXACT_INPUT or EXACT_OUTPUT, or leave it out"),
        ({"slippage": "0.51"}, "slippage must be at most 0.5 with tradeType EXACT_OUTPUT"),
        ({"amount": "0"}, "amount must be a positive integer"),
    ],
)
async def test_an_exact_output_that_cannot_be(
    client: Client, api_service: ApiService, change: dict[str, str], fault: str
) -> None:
    assert (await fault_of(client, {**GOOD, "tradeType": "EXACT_OUTPUT", **change})).startswith(fault)
    assert api_service.asked == []


async def test_the_bounds_of_an_exact_output_are_those_of_its_chain(client: Client, api_service: ApiService) -> None:
    large = {"amount": str(2**64), "tradeType": "EXACT_OUTPUT"}
    fault = await fault_of(client, {**TO_SOLANA, "receiverAddress": SOLANA_WALLET, **large})
    assert fault.startswith(f"amount must be at most {2**64 - 1}")
    from_solana = {**FROM_SOLANA, "receiverAddress": WALLET, "destinationChainId": "1", "destinationCurrency": USDC}
    api_service.failure = errors.NoAvailableQuotes("nobody has so much")
    assert (await client.ask("/v1/quotes", {**from_solana, **large})).status == 422
    assert [each.wanted_output for each in api_service.asked] == [2**64]
