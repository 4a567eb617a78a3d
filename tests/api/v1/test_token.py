"""One token: by address, by symbol, with and without a price."""

import pytest

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, NATIVE_SVM
from tests.api.api_service import OTHER_WALLET, SOLANA_ID, SOLANA_USDC, UNLISTED, USDC
from tests.api.conftest import Client
from tests.api.v1.test_chains import SOL
from tests.api.wire.test_quote_request import faults

pytestmark = pytest.mark.usefixtures("api_service")


async def test_tokens_of_solana_are_named_in_base58(client: Client) -> None:
    answer = (await client.ask("/v1/tokens", {"chainTypes": "SVM"})).json
    native, usdc = answer[str(SOLANA_ID)]
    assert {name: native[name] for name in SOL} == SOL
    assert (usdc["address"], usdc["symbol"], usdc["decimals"]) == (SOLANA_USDC, "USDC", 6)
    again = (await client.ask("/v1/token", {"chain": "sol", "token": SOLANA_USDC})).json
    assert again == usdc


@pytest.mark.parametrize("token", [SOLANA_USDC.lower(), SOLANA_USDC[:-1], SOLANA_USDC.swapcase()])
async def test_a_mint_in_another_case_is_another_mint(client: Client, token: str) -> None:
    assert (await client.ask("/v1/token", {"chain": "sol", "token": token})).status == 404


@pytest.mark.parametrize(
    ("chain", "token", "address"),
    [
        ("1", "USDC", USDC),
        ("eth", "usdc", USDC),
        ("ETH", USDC.lower(), USDC),
        ("1", "0X" + USDC[2:].upper(), USDC),
        ("1", NATIVE_EVM_ALIAS, NATIVE_EVM),
        ("1", "eth", NATIVE_EVM),
        ("bas", NATIVE_EVM, NATIVE_EVM),
        ("sol", "usdc", SOLANA_USDC),
        (str(SOLANA_ID), NATIVE_SVM, NATIVE_SVM),
        ("1", OTHER_WALLET, OTHER_WALLET),
    ],
)
async def test_a_token_by_address_or_symbol(client: Client, chain: str, token: str, address: str) -> None:
    answer = await client.ask("/v1/token", {"chain": chain, "token": token})
    assert (answer.status, answer.json["address"]) == (200, address)


@pytest.mark.parametrize(
    ("chain", "token"),
    [("777", "USDC"), ("nope", "USDC"), ("1", "NOPE"), ("1", UNLISTED), ("sol", USDC), ("1", "x" * 128), ("1", "\n")],
)
async def test_an_unknown_chain_or_token(client: Client, chain: str, token: str) -> None:
    answer = await client.ask("/v1/token", {"chain": chain, "token": token})
    assert (answer.status, answer.json["code"]) == (404, "NOT_FOUND")


async def test_a_node_that_does_not_answer(client: Client) -> None:
    answer = await client.ask("/v1/token", {"chain": "base", "token": UNLISTED})
    assert (answer.status, answer.json["code"], answer.headers["retry-after"]) == (502, "ADAPTER_INTERNAL", "3")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["chain", "token"]),
        ({"chain": "1"}, ["token"]),
        ({"token": "USDC"}, ["chain"]),
        ({"chain": "", "token": ""}, ["chain", "token"]),
        ({"chain": "777", "token": ""}, ["chain", "token"]),
        ({"chain": "1", "token": "x" * 129}, ["token"]),
    ],
)
async def test_token_faults(client: Client, query: dict[str, str], names: list[str]) -> None:
    messages = faults(await client.ask("/v1/token", query), 400, "VALIDATION_ERROR")
    assert sorted(message.split(" ", 1)[0] for message in messages) == names
