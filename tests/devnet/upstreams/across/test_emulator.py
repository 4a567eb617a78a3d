"""The emulator is as strict as the real API, and shaped like it."""

from collections.abc import Mapping
from typing import Any

import pytest

from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.devnet.upstreams.emulator import Fault
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.across.bridge_fixture import BridgeFixture
from tests.adapters.across.case import CASES
from tests.adapters.across.conftest import bridge_fixture, pool_on_solana
from tests.adapters.across.stub_upstream import said
from tests.adapters.adapter_fixture import RECEIVER

__all__ = ["bridge_fixture", "pool_on_solana"]

BROKEN = sorted(set(Fault) - {Fault.NONE, Fault.LATE, Fault.NEVER})


def route(bridge_fixture: BridgeFixture, symbol: str = "USDC") -> dict[str, str]:
    return {
        "inputToken": bridge_fixture.token("sbxa", symbol),
        "outputToken": bridge_fixture.token("sbxb", symbol),
        "originChainId": str(bridge_fixture.chains["sbxa"].id),
        "destinationChainId": str(bridge_fixture.chains["sbxb"].id),
    }


def swap(bridge_fixture: BridgeFixture) -> dict[str, str]:
    more = {"amount": "1000000000", "depositor": bridge_fixture.account, "recipient": RECEIVER}
    return {**route(bridge_fixture), **more, "integratorId": "0xbeef", "routingPreference": "across"}


async def ask(bridge_fixture: BridgeFixture, path: str, query: Mapping[str, str]) -> Any:
    return await bridge_fixture.adapter.context.http.get(path, query)


async def refusal(bridge_fixture: BridgeFixture, path: str, query: Mapping[str, str]) -> tuple[int, Any]:
    with pytest.raises(UpstreamRefused) as caught:
        await ask(bridge_fixture, path, query)
    body = caught.value.body
    assert isinstance(body, dict)
    return caught.value.status, body.get("code", body.get("error"))


def keys(document: Any) -> Any:
    """What an answer consists of, without its values."""
    if isinstance(document, dict):
        return {name: keys(value) for name, value in document.items()}
    return None


async def test_answers_have_the_documented_shape(bridge_fixture: BridgeFixture) -> None:
    fees = await ask(bridge_fixture, "/suggested-fees", {**route(bridge_fixture), "amount": "1000000000"})
    assert keys(fees) == keys(said("suggested_fees.json"))
    answer = await ask(bridge_fixture, "/swap/approval", swap(bridge_fixture))
    documented = said("swap_approval.json")
    assert keys(answer["steps"]) == keys(documented["steps"])
    assert set(documented) - set(answer) == {"approvalTxns"}
    assert set(answer) - set(documented) == {"fees"}
    transfer, relay = await bridge_fixture.deposited()
    status = await ask(bridge_fixture, "/deposit/status", {"depositTxnRef": transfer.tx_hash})
    assert keys(status) == keys(said("deposit_status.json"))
    assert (status["status"], status["depositId"]) == ("pending", str(relay.number))


@pytest.mark.parametrize("missing", ["inputToken", "outputToken", "originChainId", "destinationChainId", "amount"])
async def test_a_missing_parameter(bridge_fixture: BridgeFixture, missing: str) -> None:
    query = {**route(bridge_fixture), "amount": "1000000000"}
    del query[missing]
    assert await refusal(bridge_fixture, "/suggested-fees", query) == (400, "MISSING_PARAM")


BAD: list[tuple[str, str]] = [
    ("amount", "0"),
    ("amount", "1e9"),
    ("amount", "-5"),
    ("depositor", "me"),
    ("recipient", "0x12"),
    ("inputToken", NATIVE_EVM[:-1]),
    ("slippage", "0.51"),
    ("slippage", "50"),
    ("tradeType", "exact"),
    ("routingPreference", "Across"),
    ("refundOnOrigin", "yes"),
    ("integratorId", "beef"),
    ("integratorId", "0xdead"),
    ("slippageBps", "50"),
    ("destinationChainId", "1"),
]


@pytest.mark.parametrize(("name", "value"), BAD)
async def test_a_bad_parameter(bridge_fixture: BridgeFixture, name: str, value: str) -> None:
    assert await refusal(bridge_fixture, "/swap/approval", {**swap(bridge_fixture), name: value}) == (
        400,
        "INVALID_PARAM",
    )


async def test_the_swap_api_wants_the_key(bridge_fixture: BridgeFixture) -> None:
    bare = bridge_fixture.adapter.context.http
    for headers in ({}, {"authorization": "Bearer other"}):
        http = type(bare)(bare.name, bare.url, bare.pool, headers)
        with pytest.raises(UpstreamRefused) as caught:
            await http.get("/swap/approval", swap(bridge_fixture))
        assert caught.value.status == 401
        await http.get("/suggested-fees", {**route(bridge_fixture), "amount": "1000000000"})


async def test_without_the_preference_another_bridge_is_taken(bridge_fixture: BridgeFixture) -> None:
    query = {name: value for name, value in swap(bridge_fixture).items() if name != "routingPreference"}
    assert (await ask(bridge_fixture, "/swap/approval", query))["steps"]["bridge"]["provider"] == "cctp"


async def test_native_input_goes_through_the_periphery(bridge_fixture: BridgeFixture) -> None:
    query = {
        **swap(bridge_fixture),
        **route(bridge_fixture, "WETH"),
        "inputToken": NATIVE_EVM,
        "outputToken": NATIVE_EVM,
    }
    answer = await ask(bridge_fixture, "/swap/approval", {**query, "amount": str(10**18)})
    assert answer["swapTx"]["to"] == bridge_fixture.sandbox.evm_chains[0].contracts["spoke_pool_periphery"]
    assert answer["swapTx"]["value"] == str(10**18)


async def test_the_status_of_nothing(bridge_fixture: BridgeFixture) -> None:
    nobody = {"depositTxnRef": "0x" + "12" * 32}
    assert await refusal(bridge_fixture, "/deposit/status", nobody) == (404, "DepositNotFoundException")
    by_number = {"originChainId": route(bridge_fixture)["originChainId"], "depositId": "999999"}
    assert await refusal(bridge_fixture, "/deposit/status", by_number) == (404, "DepositNotFoundException")
    for query in ({}, {"depositId": "1"}, {**by_number, **nobody}):
        assert await refusal(bridge_fixture, "/deposit/status", query) == (400, "IncorrectQueryParamsException")
    transfer, _ = await bridge_fixture.deposited()
    beyond = {"depositTxnRef": transfer.tx_hash, "index": "1"}
    assert await refusal(bridge_fixture, "/deposit/status", beyond) == (400, "IndexParamOutOfRangeException")


@pytest.mark.parametrize("name", sorted(CASES[0].failures))
async def test_every_documented_failure(bridge_fixture: BridgeFixture, name: str) -> None:
    bridge_fixture.emulator.behaviour.failure = name
    for adapter in (bridge_fixture.adapter, bridge_fixture.with_parts(credentials={})):
        with pytest.raises(CASES[0].failures[name]) as caught:
            await adapter.quote(bridge_fixture.asked())
        assert type(caught.value) is CASES[0].failures[name]


@pytest.mark.parametrize("fault", BROKEN)
async def test_every_fault(bridge_fixture: BridgeFixture, fault: Fault) -> None:
    bridge_fixture.emulator.behaviour.fault = fault
    for adapter in (bridge_fixture.adapter, bridge_fixture.with_parts(credentials={})):
        with pytest.raises(UpstreamFailed):
            await adapter.quote(bridge_fixture.asked())


def test_every_failure_is_in_the_case() -> None:
    on_status = {name for name, failure in Across.failures.items() if failure.on}
    assert set(CASES[0].failures) == set(Across.failures) - on_status
