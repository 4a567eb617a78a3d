from dataclasses import replace

import aiohttp
import pytest

from rhumbline.api.server.application import create_app
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, NATIVE_SVM
from tests.api.api_service import (
    DIAMOND,
    OTHER_WALLET,
    SOLANA_ID,
    SOLANA_USDC,
    TOOLS,
    UNLISTED,
    USDC,
    USDT,
    ApiService,
    services,
)
from tests.api.conftest import Client, served
from tests.api.wire.test_quote_request import faults

pytestmark = pytest.mark.usefixtures("api_service")
SOL = {
    "address": NATIVE_SVM,
    "decimals": 9,
    "symbol": "SOL",
    "chainId": SOLANA_ID,
    "coinKey": "SOL",
    "name": "Solana",
    "logoURI": f"http://127.0.0.1:8700/logos/SOL/{NATIVE_SVM}.svg",
}


async def test_chains(client: Client) -> None:
    answer = await client.ask("/v1/chains")
    chains = answer.json["chains"]
    assert isinstance(chains, list)
    eth, base, solana = chains
    assert eth == {
        "key": "eth",
        "name": "Ethereum",
        "chainType": "EVM",
        "id": 1,
        "idHex": "0x1",
        "mainnet": True,
        "logoURI": "https://logos.example/eth.svg",
        "tokenlistUrl": "http://127.0.0.1:8700/v1/tokenlists/1.json",
        "multicallAddress": "0xcA11bde05977b3631167028862bE2a173976CA11",
        "rpcUrls": ["https://public.example/eth"],
        "blockExplorerUrls": "https://explorer.example",
        "nativeToken": {
            "address": NATIVE_EVM,
            "decimals": 18,
            "symbol": "ETH",
            "chainId": 1,
            "coinKey": "ETH",
            "name": "Ether",
            "logoURI": f"http://127.0.0.1:8700/logos/ETH/{NATIVE_EVM}.svg",
        },
        "served": True,
        "RhumblineDiamond": DIAMOND,
    }
    assert not {"RhumblineDiamond", "multicallAddress", "blockExplorerUrls"} & set(base)
    assert base["logoURI"] == "http://127.0.0.1:8700/logos/Bas/base.svg"
    assert (solana["id"], solana["idHex"], solana["chainType"]) == (SOLANA_ID, "0x3b9aca01", "SVM")
    assert "tokenlistUrl" not in solana
    assert None not in base.values()


async def test_a_chain_without_a_node_is_not_served_and_no_exchange_is_listed_on_it(api_service: ApiService) -> None:
    plain = services(api_service, {})
    narrow = replace(plain, served=frozenset({8453}), tools=ToolCatalog(TOOLS, served=frozenset({8453})))
    async with aiohttp.ClientSession() as session, served(create_app(narrow)) as (url, port):
        client = Client(url, port, session)
        chains = (await client.ask("/v1/chains")).json["chains"]
        assert [(chain["key"], chain["served"]) for chain in chains] == [("eth", False), ("base", True), ("sol", False)]
        tools = (await client.ask("/v1/tools")).json
        assert [(tool["key"], tool["supportedChains"]) for tool in tools["exchanges"]] == [("UNISWAP", ["8453"])]
        assert [tool["key"] for tool in tools["bridges"]] == ["ACROSS"]


async def test_solana_has_its_own_marker_and_no_contracts(client: Client) -> None:
    (solana,) = (await client.ask("/v1/chains", {"chainTypes": "SVM"})).json["chains"]
    assert solana == {
        "key": "sol",
        "name": "Solana",
        "chainType": "SVM",
        "id": SOLANA_ID,
        "idHex": "0x3b9aca01",
        "mainnet": True,
        "logoURI": "http://127.0.0.1:8700/logos/Sol/sol.svg",
        "rpcUrls": [],
        "nativeToken": SOL,
        "served": True,
    }


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
    ("types", "keys"),
    [
        ("EVM", ["eth", "base"]),
        ("SVM", ["sol"]),
        ("SVM,EVM", ["eth", "base", "sol"]),
        (" EVM , EVM ", ["eth", "base"]),
        ("evm", ["eth", "base"]),
        ("Svm,eVM,EVM", ["eth", "base", "sol"]),
    ],
)
async def test_chains_of_a_type(client: Client, types: str, keys: list[str]) -> None:
    chains = (await client.ask("/v1/chains", {"chainTypes": types})).json["chains"]
    assert isinstance(chains, list)
    assert [chain["key"] for chain in chains] == keys


@pytest.mark.parametrize("types", ["ev", "TON", "EVM,", ",", "", " "])
@pytest.mark.parametrize("path", ["/v1/chains", "/v1/tokens"])
async def test_a_bad_chain_type_names_the_allowed(client: Client, path: str, types: str) -> None:
    (fault,) = faults(await client.ask(path, {"chainTypes": types}), 400, "VALIDATION_ERROR")
    assert fault.startswith("chainTypes ")
    if types in ("ev", "TON"):
        assert "EVM and SVM" in fault


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


async def test_a_token_with_and_without_a_price(client: Client) -> None:
    assert (await client.ask("/v1/token", {"chain": "1", "token": "USDC"})).json == {
        "address": USDC,
        "symbol": "USDC",
        "decimals": 6,
        "chainId": 1,
        "name": "USD Coin",
        "coinKey": "USDC",
        "priceUSD": "1.0001",
        "priceUpdatedAt": "2026-03-04T05:06:07.089Z",
        "priceSource": "pool",
        "priceStale": False,
        "priceTier": "hot",
        "logoURI": "https://logos.example/usdc.svg",
    }
    bare = (await client.ask("/v1/token", {"chain": "base", "token": "ETH"})).json
    assert bare == {
        "address": NATIVE_EVM,
        "symbol": "ETH",
        "decimals": 18,
        "chainId": 8453,
        "name": "Ether",
        "coinKey": "ETH",
        "logoURI": f"http://127.0.0.1:8700/logos/ETH/{NATIVE_EVM}.svg",
        "priceStale": True,
        "priceTier": "cold",
    }


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


@pytest.mark.parametrize(
    ("query", "chains"),
    [
        ({}, ["1", "8453", str(SOLANA_ID)]),
        ({"chains": "8453,eth"}, ["1", "8453"]),
        ({"chains": " bas "}, ["8453"]),
        ({"chainTypes": "SVM"}, [str(SOLANA_ID)]),
        ({"chainTypes": "SVM", "chains": "1"}, []),
    ],
)
async def test_tokens_by_chain(client: Client, query: dict[str, str], chains: list[str]) -> None:
    answer = await client.ask("/v1/tokens", query)
    assert (answer.status, list(answer.json)) == (200, chains)
    assert "null" not in answer.text


@pytest.mark.parametrize("path", ["/v1/tokens", "/v1/tools"])
@pytest.mark.parametrize("chains", ["777", "1,777", "1,,8453", "", "nope"])
async def test_an_unknown_chain_in_a_list(client: Client, path: str, chains: str) -> None:
    (fault,) = faults(await client.ask(path, {"chains": chains}), 400, "VALIDATION_ERROR")
    assert fault.startswith("chains ")


async def test_tools_are_grouped_by_what_they_can(client: Client) -> None:
    answer = await client.ask("/v1/tools")
    relay = {"key": "RELAY", "name": "Relay", "logoURI": "https://logos.example/relay.svg", "supportedChains": ["1"]}
    assert answer.json["exchanges"] == [
        relay,
        {
            "key": "UNISWAP",
            "name": "Uniswap",
            "logoURI": "https://logos.example/uni.svg",
            "supportedChains": ["1", "8453"],
        },
    ]
    bridges = answer.json["bridges"]
    assert isinstance(bridges, list)
    assert [tool["key"] for tool in bridges] == ["ACROSS", "RELAY"]
    filtered = (await client.ask("/v1/tools", {"chains": "base"})).json
    assert [[tool["key"] for tool in filtered[kind]] for kind in ("exchanges", "bridges")] == [
        ["UNISWAP"],
        ["ACROSS"],
    ]


async def test_a_token_list_is_where_the_chain_says(client: Client) -> None:
    answer = await client.ask("/v1/tokenlists/1.json")
    assert answer.json["name"] == "Rhumbline Ethereum"
    assert answer.json["version"] == {"major": 1, "minor": 0, "patch": 0}
    tokens = answer.json["tokens"]
    assert isinstance(tokens, list)
    assert [token["address"] for token in tokens] == [NATIVE_EVM, USDC, USDT, OTHER_WALLET]
    assert set(tokens[1]) == {"chainId", "address", "name", "decimals", "symbol", "logoURI"}


@pytest.mark.parametrize("name", ["777", "eth", str(SOLANA_ID), "9" * 300])
async def test_no_token_list(client: Client, name: str) -> None:
    answer = await client.ask(f"/v1/tokenlists/{name}.json")
    assert (answer.status, answer.json["code"]) == (404, "NOT_FOUND")
