"""Native and a call on arrival, by a published client that sends what was answered."""

import asyncio
import json
import subprocess
from typing import Any

import pytest

from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import NATIVE, address, balance, chain_of, get, post
from tests.e2e.test_published_clients import question, waited
from tests.e2e.test_solana_clients import told as told_on_solana
from tests.node_program import bundled
from tests.solidity import ROOT, creation_codes

SAVINGS = ROOT / "contracts" / "test" / "support" / "Savings.sol"
GAS = 2 * 10**15


def played(demo: Demo, **want: Any) -> dict[str, Any]:
    """Let the client play; what it saw."""
    asked = {"origin": "USDC", "destination": "USDC", "amount": "500000000", "payer": 5, "receiver": 6, **want}
    script = ROOT / "tests" / "e2e" / "arrival.mjs"
    command = ["node", str(bundled(script)), str(demo.folder / "sandbox.json"), json.dumps(asked)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr[-1500:]
    told: dict[str, Any] = json.loads(result.stdout)
    return told


@pytest.mark.parametrize(
    "want", [{"gas": str(GAS)}, {"gas": "auto", "origin": "DAI", "amount": str(700 * 10**18), "way": "routes"}]
)
def test_native_arrives_with_the_output(demo: Demo, want: dict[str, Any]) -> None:
    told = played(demo, **want)
    brought = told["quote"]["destinationGas"]
    least = int(brought["minAmount"])
    # A swap on arrival brings just what was asked for; a bridge that brings it by itself leaves itself room.
    assert GAS <= least <= GAS * 102 // 100 or want["gas"] == "auto"
    assert told["status"] == "success"
    assert int(told["tokens"]) >= int(told["quote"]["outputAmount"])
    assert least <= int(told["native"]) <= least * 104 // 100
    fees = told["quote"]["fees"] if "fees" in told["quote"] else told["quote"]["estimate"]["fees"]
    (item,) = [each for each in fees["breakdown"] if each["type"] == "destinationGas"]
    assert item["included"] is True
    assert float(item["amountUsd"]) > 0
    assert item["chainId"] == chain_of(demo, "sbxb")["id"]


@pytest.mark.parametrize(
    "want",
    [
        {"bridge": "MAYAN_SWIFT", "gas": str(GAS)},
        {"bridge": "MAYAN", "gas": "auto", "origin": "DAI", "amount": str(700 * 10**18), "way": "routes"},
        {"bridge": "RELAY", "gas": "auto", "origin": "DAI", "amount": str(700 * 10**18)},
    ],
)
def test_a_bridge_brings_it_by_itself(demo: Demo, want: dict[str, Any]) -> None:
    told = played(demo, **want)
    brought, native = told["quote"]["destinationGas"], int(told["native"])
    assert (told["status"], told["quote"]["adapter"]) == ("success", want["bridge"])
    assert int(told["tokens"]) > 0
    assert int(brought["minAmount"]) <= native == int(brought["amount"]) <= int(brought["minAmount"]) * 102 // 100
    assert int(brought["minAmount"]) >= GAS or want["gas"] == "auto"
    key = demo.sandbox["integrator"]["api_key"]
    _, record = waited(
        lambda: get(demo, f"/v1/transactions/{told['transactionHash']}", key), lambda answer: answer[0] == 200
    )
    assert record["rawBridgeStatus"]["destinationGas"] == str(native)
    fees = told["quote"]["fees"] if "fees" in told["quote"] else told["quote"]["estimate"]["fees"]
    (item,) = [each for each in fees["breakdown"] if each["type"] == "destinationGas"]
    assert (item["included"], item["amount"], item["chainId"]) == (True, str(native), chain_of(demo, "sbxb")["id"])
    assert float(item["amountUsd"]) > 0


@pytest.mark.parametrize(
    "want",
    [
        {"bridge": "MAYAN_SWIFT", "gas": str(GAS), "origin": "USDC", "amount": "500000000"},
        {"bridge": "RELAY", "gas": "auto", "origin": "SOL", "amount": "3000000000"},
        {"bridge": "RELAY", "gas": str(GAS), "origin": "USDC", "amount": "200000000", "tradeType": "EXACT_OUTPUT"},
    ],
    ids=lambda want: f"{want['bridge']}-{want['origin']}",
)
def test_a_bridge_brings_it_from_solana(demo: Demo, want: dict[str, str]) -> None:
    there, receiver = chain_of(demo, "sbxb"), demo.sandbox["accounts"]["evm"][6]["address"]
    had = balance(there, NATIVE, receiver)
    play = {"from": "sbxs", "to": "sbxb", "destination": "USDC", "payer": 4, "receiver": 6, **want}
    told = told_on_solana(demo, "solana_kit.mjs", play)
    quote, brought = told["quote"], told["quote"]["destinationGas"]
    assert (told["error"], quote["adapter"]) == (None, want["bridge"])
    wanted = int(want["amount"]) if "tradeType" in want else 1
    assert int(told["gained"]) >= int(quote["minOutputAmount"]) >= wanted
    native = balance(there, NATIVE, receiver) - had
    assert int(brought["minAmount"]) <= native == int(brought["amount"]) <= int(brought["minAmount"]) * 102 // 100
    assert int(brought["minAmount"]) >= GAS or want["gas"] == "auto"
    (item,) = [each for each in quote["fees"]["breakdown"] if each["type"] == "destinationGas"]
    assert (item["included"], item["amount"], item["chainId"]) == (True, str(native), there["id"])
    assert float(item["amountUsd"]) > 0
    path, key = f"/v1/transactions/{quote['transactionId']}", demo.sandbox["integrator"]["api_key"]
    _, record = waited(lambda: get(demo, path, key), lambda answer: answer[1].get("status") == "success")
    assert record["rawBridgeStatus"]["destinationGas"] == str(native)


def test_a_step_from_solana_repeats_it_and_who_cannot_says_so(demo: Demo) -> None:
    here, there = chain_of(demo, "sbxs"), chain_of(demo, "sbxb")
    payer, receiver = (demo.sandbox["accounts"][kind][4]["address"] for kind in ("svm", "evm"))
    asked = {
        "senderAddress": payer, "receiverAddress": receiver, "originChainId": here["id"],
        "destinationChainId": there["id"], "amount": "500000000", "originCurrency": address(here, "USDC"),
        "destinationCurrency": address(there, "USDC"), "destinationGas": "auto",
    }  # fmt: skip
    status, found = post(demo, "/v1/advanced/routes", asked)
    assert status == 200, found
    assert {route["adapter"] for route in found["routes"]} == {"MAYAN", "MAYAN_SWIFT", "RELAY"}
    step = found["routes"][0]["steps"][0]
    context = {"senderAddress": payer, "receiverAddress": receiver}
    status, made = post(demo, "/v1/advanced/stepTransaction", {"step": step, "context": context})
    assert status == 200, made
    least = int(made["destinationGas"]["minAmount"])
    assert least >= int(made["action"]["destinationGas"]) == int(step["action"]["destinationGas"]) > 0
    bridges = {"includeBridges": "ACROSS,MAYAN_MCTP,NEAR_INTENTS"}
    status, error = get(demo, "/v1/quotes", **{name: str(value) for name, value in {**asked, **bridges}.items()})
    assert (status, error["code"]) == (422, "NO_AVAILABLE_QUOTES")
    refused = [each for each in error["details"]["message"] if "cannot bring native of the destination" in each]
    assert [each.partition(":")[0] for each in refused] == ["ACROSS", "MAYAN_MCTP", "NEAR_INTENTS"]


def test_a_call_has_the_tokens(demo: Demo) -> None:
    code = "0x" + asyncio.run(creation_codes(SAVINGS))["Savings"].hex()
    told = played(demo, savings=code, gas=str(GAS))
    assert (told["status"], told["tokens"]) == ("success", "0")
    assert int(told["saved"]) == int(told["quote"]["outputAmount"])
    assert int(told["native"]) >= GAS


def test_a_call_has_what_was_swapped_into_on_arrival(demo: Demo) -> None:
    code = "0x" + asyncio.run(creation_codes(SAVINGS))["Savings"].hex()
    told = played(demo, savings=code, gas=str(GAS), origin="DAI", destination="WBTC", amount=str(700 * 10**18))
    assert told["status"] == "success"
    assert int(told["saved"]) == int(told["quote"]["minOutputAmount"])
    # What the swap brings beyond is the receiver's: together what was expected, to a thousandth.
    expected, beyond = int(told["quote"]["outputAmount"]), int(told["tokens"])
    assert beyond > 0
    assert abs(int(told["saved"]) + beyond - expected) * 1_000 <= expected
    assert int(told["native"]) >= GAS


def test_a_call_that_fails_leaves_the_tokens(demo: Demo) -> None:
    code = "0x" + asyncio.run(creation_codes(SAVINGS))["Savings"].hex()
    told = played(demo, savings=code, close=True, way="routes")
    assert (told["status"], told["saved"], told["native"]) == ("recovered", "0", "0")
    assert int(told["tokens"]) == int(told["quote"]["outputAmount"])


def test_what_cannot_be_is_refused_by_name(demo: Demo) -> None:
    usdc, there = question(demo, "USDC", "USDC", 10**8, "sbxb"), chain_of(demo, "sbxb")
    token = question(demo, "USDC", "USDC", 10**8, "sbxb")["destinationCurrency"]

    def call(**members: object) -> str:
        return json.dumps({"target": "0x" + "12" * 20, "calldata": "0x12345678", **members})

    wrong = [
        ({**usdc, "destinationGas": "1.5"}, "destinationGas "),
        ({**usdc, "destinationGas": str(10**19)}, "destinationGas: "),
        (question(demo, "USDC", "DAI", 10**8, destinationGas="1000"), "destinationGas "),
        (question(demo, "ETH", "ETH", 10**17, "sbxb", destinationGas="1000"), "destinationGas "),
        ({**usdc, "destinationCall": "[]"}, "destinationCall "),
        ({**usdc, "destinationCall": call(target=token)}, "destinationCall.target "),
        ({**usdc, "destinationCall": call(target=there["contracts"]["receiver"])}, "destinationCall.target "),
        ({**usdc, "destinationCall": call(target=there["contracts"]["diamond"])}, "destinationCall.target "),
        ({**usdc, "destinationCall": call(target="0x" + "00" * 19 + "04")}, "destinationCall.target "),
        ({**usdc, "destinationCall": call()}, "destinationCall.target: "),
        ({**usdc, "destinationCall": call(calldata="0x123")}, "destinationCall.calldata "),
        ({**usdc, "destinationCall": call(calldata="0x" + "00" * 1537)}, "destinationCall.calldata "),
        ({**usdc, "destinationCall": call(gas=10**8)}, "destinationCall.gas "),
        ({**usdc, "destinationCall": call(value="1")}, "destinationCall.value "),
    ]
    for asked, named in wrong:
        status, error = get(demo, "/v1/quotes", **asked)
        assert (status, error["code"]) == (400, "VALIDATION_ERROR"), (asked, error)
        assert error["details"]["message"][0].startswith(named), (named, error)
        body = {name: int(text) if name.endswith("ChainId") else text for name, text in asked.items()}
        assert post(demo, "/v1/advanced/routes", body)[0] == 400, asked
