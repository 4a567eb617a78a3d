"""Transfers to another chain by a foreign client: what was promised arrives, and the record tells how."""

import asyncio
from typing import Any

import aiohttp
import pytest

from rhumbline.devnet.scenarios import BRIDGE, COMPOSED, HERE, ONE, REFUND, THERE, Scenario
from rhumbline.devnet.story import Chapter, Storyteller
from rhumbline.devnet.wings import open_chain
from rhumbline.gateways.http.client import HttpClient
from tests.e2e.running_demo import Demo

Record = dict[str, Any]


def told(demo: Demo, scenario: Scenario) -> tuple[Chapter, Record]:
    """Play a chapter; the record of its transaction."""

    async def go() -> tuple[Chapter, Record]:
        sandbox = demo.sandbox
        async with aiohttp.ClientSession() as session, HttpClient() as http:
            chapter = await Storyteller(sandbox, http, lambda _: None).tell(scenario)
            headers = {"x-api-key": sandbox["integrator"]["api_key"]}
            url = f"{sandbox['base_url']}/v1/transactions/{chapter.tx_hash}"
            async with session.get(url, headers=headers) as response:
                assert response.status == 200
                record: Record = await response.json()
            if record["destTxHash"] is not None:
                async with session.get(
                    f"{sandbox['base_url']}/v1/transactions/{record['destTxHash']}", headers=headers
                ) as response:
                    assert (await response.json())["id"] == record["id"]
            return chapter, record

    return asyncio.run(go())


def chain(demo: Demo, key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(item for item in demo.sandbox["chains"] if item["key"] == key)
    return found


def test_a_transfer_with_fees_through_the_contracts(demo: Demo) -> None:
    chapter, record = told(demo, BRIDGE)
    here, there = chain(demo, HERE), chain(demo, THERE)
    assert (record["protocol"], record["routeType"], record["hasDestCall"]) == (chapter.adapter, "bridge", False)
    assert (record["sourceChainId"], record["destChainId"]) == (here["id"], there["id"])
    assert (record["status"], record["destinationBlockTimestamp"] is None) == ("success", False)
    assert record["receiver"] == demo.sandbox["accounts"]["evm"][1]["address"]
    assert record["inputToken"]["amountRaw"] == str(BRIDGE.amount)
    assert record["outputToken"]["amountRaw"] == str(chapter.arrived)
    assert record["outputToken"]["chainId"] == there["id"]
    assert record["outputToken"]["address"] == there["tokens"]["USDC"]["address"]
    assert int(record["integratorFee"]["amountRaw"]) == BRIDGE.amount // 100
    assert int(record["rhumblineFee"]["amountRaw"]) == BRIDGE.amount // 1000
    assert int(record["destinationGasFee"]["amountRaw"]) > 0
    assert record["lastBridgeSuccessCheckedAt"] is not None
    assert record["rawBridgeStatus"] is not None


@pytest.mark.parametrize(
    ("adapter", "source"),
    [("ACROSS", "analytics"), ("RELAY", "bridge_api"), ("NEAR_INTENTS", "bridge_api"), ("MAYAN_SWIFT", "bridge_api")],
)
def test_the_record_tells_who_says_so(demo: Demo, adapter: str, source: str) -> None:
    scenario = Scenario("transfer", THERE, "USDC", "USDC", 120_000_000, HERE, adapter=adapter)
    chapter, record = told(demo, scenario)
    assert (chapter.adapter, record["protocol"], record["status"]) == (adapter, adapter, "success")
    assert record["statusSource"] == source
    assert record["bridgeScanUrl"] is None or record["bridgeScanUrl"].startswith("https://")


def test_a_swap_and_a_bridge_with_one_signature(demo: Demo) -> None:
    here = chain(demo, HERE)
    kept = here["tokens"]["USDC"]["address"]
    wallet = demo.sandbox["accounts"]["evm"][0]["address"]

    def left_over() -> int:
        async def go() -> int:
            async with HttpClient() as http:
                return await open_chain(here, http).balance_of(kept, wallet)

        return asyncio.run(go())

    before = left_over()
    chapter, record = told(demo, COMPOSED)
    assert (record["status"], record["statusSource"], record["protocol"]) == ("success", "analytics", "ACROSS")
    assert (record["routeType"], record["hasDestCall"], record["integrator"]) == ("bridge_swap", False, "demo")
    assert record["inputToken"]["address"] == here["tokens"]["DAI"]["address"]
    assert record["inputToken"]["amountRaw"] == str(COMPOSED.amount)
    assert int(record["integratorFee"]["amountRaw"]) == COMPOSED.amount // 100
    assert chapter.arrived >= chapter.minimum
    # What the swap brought beyond its minimum is the wallet's.
    assert 0 < left_over() - before < 10**6


@pytest.mark.parametrize(("sold", "amount"), [("DAI", 700 * ONE), ("USDT", 800_000_000)])
def test_a_swap_where_the_bridge_pays_with_one_signature(demo: Demo, sold: str, amount: int) -> None:
    """No bridge carries the one into the other: it is swapped where it arrives, before the bridge too if need be."""
    scenario = Scenario("swap on arrival", HERE, sold, "WBTC", amount, THERE, with_fee=True, adapter="ACROSS")
    chapter, record = told(demo, scenario)
    assert (record["status"], record["statusSource"], record["protocol"]) == ("success", "analytics", "ACROSS")
    assert (record["routeType"], record["hasDestCall"]) == ("bridge_swap", True)
    assert record["receiver"] == demo.sandbox["accounts"]["evm"][1]["address"]
    assert record["outputToken"]["address"] == chain(demo, THERE)["tokens"]["WBTC"]["address"]
    assert record["outputToken"]["amountRaw"] == str(chapter.arrived)
    assert chapter.arrived >= chapter.minimum


@pytest.mark.parametrize("adapter", ["GASZIP", "NEAR_INTENTS"])
def test_a_call_that_the_wallet_makes_itself_is_tracked(demo: Demo, adapter: str) -> None:
    scenario = Scenario("direct", HERE, "ETH", "ETH", ONE // 200, THERE, adapter=adapter)
    chapter, record = told(demo, scenario)
    assert record["sourceLogIndex"] is None
    assert (record["status"], record["protocol"], record["integrator"]) == ("success", adapter, "demo")
    assert (record["integratorFee"], record["rhumblineFee"]) == (None, None)
    assert chapter.arrived >= chapter.minimum


def test_a_transfer_that_fails_is_refunded_and_says_so(demo: Demo) -> None:
    chapter, record = told(demo, REFUND)
    assert (record["status"], record["destTxHash"], record["outputToken"]) == ("refunded", None, None)
    assert chapter.arrived == REFUND.amount - REFUND.amount // 1000
