"""The emulator is as strict as the real API, and shaped like it."""

from collections.abc import Mapping
from typing import Any

import pytest

from rhumbline.devnet.upstreams.across import Across
from rhumbline.devnet.upstreams.emulator import Fault
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.http import UpstreamRefused
from tests.adapters.across.case import CASES
from tests.adapters.across.pier import Pier
from tests.adapters.across.shop import said
from tests.adapters.bridging.desk import RECEIVER

BROKEN = sorted(set(Fault) - {Fault.NONE, Fault.LATE, Fault.NEVER})


def route(pier: Pier, symbol: str = "USDC") -> dict[str, str]:
    return {
        "inputToken": pier.token("sbxa", symbol),
        "outputToken": pier.token("sbxb", symbol),
        "originChainId": str(pier.desk.chains["sbxa"].id),
        "destinationChainId": str(pier.desk.chains["sbxb"].id),
    }


def swap(pier: Pier) -> dict[str, str]:
    more = {"amount": "1000000000", "depositor": pier.desk.account, "recipient": RECEIVER}
    return {**route(pier), **more, "integratorId": "0xbeef", "routingPreference": "across"}


async def ask(pier: Pier, path: str, query: Mapping[str, str]) -> Any:
    return await pier.adapter.parts.http.get(path, query)


async def refusal(pier: Pier, path: str, query: Mapping[str, str]) -> tuple[int, Any]:
    with pytest.raises(UpstreamRefused) as caught:
        await ask(pier, path, query)
    body = caught.value.body
    assert isinstance(body, dict)
    return caught.value.status, body.get("code", body.get("error"))


def keys(document: Any) -> Any:
    """What an answer consists of, without its values."""
    if isinstance(document, dict):
        return {name: keys(value) for name, value in document.items()}
    return None


async def test_answers_have_the_documented_shape(pier: Pier) -> None:
    fees = await ask(pier, "/suggested-fees", {**route(pier), "amount": "1000000000"})
    assert keys(fees) == keys(said("suggested_fees.json"))
    answer = await ask(pier, "/swap/approval", swap(pier))
    documented = said("swap_approval.json")
    assert keys(answer["steps"]) == keys(documented["steps"])
    assert set(documented) - set(answer) == {"approvalTxns"}
    assert set(answer) - set(documented) == {"fees"}
    transfer, relay = await pier.deposited()
    status = await ask(pier, "/deposit/status", {"depositTxnRef": transfer.tx_hash})
    assert keys(status) == keys(said("deposit_status.json"))
    assert (status["status"], status["depositId"]) == ("pending", str(relay.number))


async def test_routes_and_chains(pier: Pier) -> None:
    chains = await ask(pier, "/swap/chains", {})
    assert [row["chainId"] for row in chains] == [chain.id for chain in pier.sandbox.chains]
    routes = await ask(pier, "/available-routes", {"originChainId": route(pier)["originChainId"]})
    assert {row["originTokenSymbol"] for row in routes} == {"USDC", "USDT", "DAI", "WETH", "WBTC"}
    assert {str(row["destinationChainId"]) for row in routes} == {route(pier)["destinationChainId"]}


@pytest.mark.parametrize("missing", ["inputToken", "outputToken", "originChainId", "destinationChainId", "amount"])
async def test_a_missing_parameter(pier: Pier, missing: str) -> None:
    query = {**route(pier), "amount": "1000000000"}
    del query[missing]
    assert await refusal(pier, "/suggested-fees", query) == (400, "MISSING_PARAM")


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
async def test_a_bad_parameter(pier: Pier, name: str, value: str) -> None:
    assert await refusal(pier, "/swap/approval", {**swap(pier), name: value}) == (400, "INVALID_PARAM")


async def test_the_swap_api_wants_the_key(pier: Pier) -> None:
    bare = pier.adapter.parts.http
    for headers in ({}, {"authorization": "Bearer other"}):
        http = type(bare)(bare.name, bare.url, bare.pool, headers)
        with pytest.raises(UpstreamRefused) as caught:
            await http.get("/swap/approval", swap(pier))
        assert caught.value.status == 401
        await http.get("/suggested-fees", {**route(pier), "amount": "1000000000"})


async def test_without_the_preference_another_bridge_is_taken(pier: Pier) -> None:
    query = {name: value for name, value in swap(pier).items() if name != "routingPreference"}
    assert (await ask(pier, "/swap/approval", query))["steps"]["bridge"]["provider"] == "cctp"


async def test_native_input_goes_through_the_periphery(pier: Pier) -> None:
    query = {**swap(pier), **route(pier, "WETH"), "inputToken": NATIVE_EVM, "outputToken": NATIVE_EVM}
    answer = await ask(pier, "/swap/approval", {**query, "amount": str(10**18)})
    assert answer["swapTx"]["to"] == pier.sandbox.chains[0].contracts["spoke_pool_periphery"]
    assert answer["swapTx"]["value"] == str(10**18)


async def test_the_status_of_nothing(pier: Pier) -> None:
    nobody = {"depositTxnRef": "0x" + "12" * 32}
    assert await refusal(pier, "/deposit/status", nobody) == (404, "DepositNotFoundException")
    by_number = {"originChainId": route(pier)["originChainId"], "depositId": "999999"}
    assert await refusal(pier, "/deposit/status", by_number) == (404, "DepositNotFoundException")
    for query in ({}, {"depositId": "1"}, {**by_number, **nobody}):
        assert await refusal(pier, "/deposit/status", query) == (400, "IncorrectQueryParamsException")
    transfer, _ = await pier.deposited()
    beyond = {"depositTxnRef": transfer.tx_hash, "index": "1"}
    assert await refusal(pier, "/deposit/status", beyond) == (400, "IndexParamOutOfRangeException")


@pytest.mark.parametrize("name", sorted(CASES[0].failures))
async def test_every_documented_failure(pier: Pier, name: str) -> None:
    pier.desk.emulator.behaviour.failure = name
    for adapter in (pier.adapter, pier.with_parts(credentials={})):
        with pytest.raises(CASES[0].failures[name]) as caught:
            await adapter.quote(pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9))
        assert type(caught.value) is CASES[0].failures[name]


@pytest.mark.parametrize("fault", BROKEN)
async def test_every_fault(pier: Pier, fault: Fault) -> None:
    pier.desk.emulator.behaviour.fault = fault
    for adapter in (pier.adapter, pier.with_parts(credentials={})):
        with pytest.raises(UpstreamFailed):
            await adapter.quote(pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9))


def test_every_failure_is_in_the_case() -> None:
    on_status = {name for name, failure in Across.failures.items() if failure.on}
    assert set(CASES[0].failures) == set(Across.failures) - on_status
