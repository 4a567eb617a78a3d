from dataclasses import replace

import aiohttp
import pytest

from rhumbline.api.server.application import create_app
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from tests.api.api_service import DIAMOND, SOLANA_ID, TOOLS, ApiService, services
from tests.api.conftest import Client, served

pytestmark = pytest.mark.usefixtures("api_service")
SOL = {
    "address": NATIVE_SVM,
    "decimals": 9,
    "symbol": "SOL",
    "chainId": SOLANA_ID,
    "coinKey": "SOL",
    "name": "Solana",
    "logoURI": "http://127.0.0.1:8700/logos/SOL/SOL.svg",
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
            "logoURI": "http://127.0.0.1:8700/logos/ETH/ETH.svg",
        },
        "served": True,
        "RhumblineDiamond": DIAMOND,
    }
    assert not {"RhumblineDiamond", "multicallAddress", "blockExplorerUrls"} & set(base)
    assert base["logoURI"] == "http://127.0.0.1:8700/logos/Base/base.svg"
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
        assert [(tool["key"], tool["supportedChains"]) for tool in tools["exchanges"]] == [("ONCHAIN", ["8453"])]
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
        "logoURI": "http://127.0.0.1:8700/logos/Sola/sol.svg",
        "rpcUrls": [],
        "nativeToken": SOL,
        "served": True,
    }


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
