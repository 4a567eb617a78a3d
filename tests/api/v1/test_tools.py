"""Exchanges and bridges."""

import pytest

from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("api_service")


async def test_tools_are_grouped_by_what_they_can(client: Client) -> None:
    answer = await client.ask("/v1/tools")
    relay = {"key": "RELAY", "name": "Relay", "logoURI": "https://logos.example/relay.svg", "supportedChains": ["1"]}
    assert answer.json["exchanges"] == [
        {
            "key": "ONCHAIN",
            "name": "On-chain pools",
            "logoURI": "https://logos.example/uni.svg",
            "supportedChains": ["1", "8453"],
        },
        relay,
    ]
    bridges = answer.json["bridges"]
    assert isinstance(bridges, list)
    assert [tool["key"] for tool in bridges] == ["ACROSS", "RELAY"]
    filtered = (await client.ask("/v1/tools", {"chains": "base"})).json
    assert [[tool["key"] for tool in filtered[kind]] for kind in ("exchanges", "bridges")] == [
        ["ONCHAIN"],
        ["ACROSS"],
    ]
