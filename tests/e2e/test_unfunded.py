"""A wallet with nothing at all gets an answer wherever a funded one does, with a warning where that can be told.

`UNFUNDED_PAIRS=1000` asks about every pair of tokens on every pair of chains; the tests ask about a few by chance.
"""

import os
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from tests.e2e.random_questions import NATIVE, Json, tools_of
from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import get, post

PAIRS = int(os.environ.get("UNFUNDED_PAIRS", "1"))
"""Of each pair of chains."""
NOBODY = "0x000000000000000000000000000000000badf00d"
WORTH = {"ETH": 3000, "WETH": 3000, "WBTC": 60_000, "SOL": 150, "WSOL": 150}
USD = 500
LACK = "SOLANA_INSUFFICIENT_BALANCE"
NEVER_HELD: frozenset[str] = frozenset()
"""Adapters whose transactions nothing holds on the sandbox, as docs/upstreams.md says."""


def symbols(chain: Json) -> dict[str, tuple[str, int]]:
    """Address and decimals of each token, the native one first."""
    svm = chain["type"] == "SVM"
    native = {("SOL" if svm else "ETH"): (NATIVE[chain["type"]], 9 if svm else 18)}
    return native | {symbol: (each["address"], each["decimals"]) for symbol, each in chain["tokens"].items()}


def pairs(here: Json, there: Json) -> Iterator[tuple[str, str]]:
    mine, theirs = list(symbols(here)), list(symbols(there))
    found = [(sold, bought) for sold, bought in product(mine, theirs) if here is not there or sold != bought]
    Random(f"{here['key']} {there['key']}").shuffle(found)
    # The same asset first: bridges carry that.
    found.sort(key=lambda pair: pair[0] != pair[1])
    yield from found[:PAIRS]


def question(demo: Demo, here: Json, there: Json, sold: str, bought: str, *, funded: bool) -> dict[str, str]:
    accounts = demo.sandbox["accounts"]
    address, decimals = symbols(here)[sold]
    poor = accounts["svm_empty"][0]["address"] if here["type"] == "SVM" else NOBODY
    return {
        "senderAddress": accounts[here["type"].lower()][0]["address"] if funded else poor,
        "receiverAddress": accounts[there["type"].lower()][1]["address"],
        "originChainId": str(here["id"]),
        "destinationChainId": str(there["id"]),
        "amount": str(USD * 10**decimals // WORTH.get(sold, 1)),
        "originCurrency": address,
        "destinationCurrency": symbols(there)[bought][0],
    }


def warned(answer: Any) -> bool:
    return LACK in {each["code"] for each in answer.get("warnings", ())}


def test_every_pair_is_answered(demo: Demo) -> None:
    chains = demo.sandbox["chains"]
    faults, answered = [], 0
    for here, there in product(chains, chains):
        for sold, bought in pairs(here, there):
            status, _ = get(demo, "/v1/quotes", **question(demo, here, there, sold, bought, funded=True))
            if status != 200:
                continue
            answered += 1
            status, quote = get(demo, "/v1/quotes", **question(demo, here, there, sold, bought, funded=False))
            if status != 200 or (here["type"] == "SVM") != warned(quote):
                faults.append(f"{here['key']} {sold} to {there['key']} {bought}: {status} {quote}")
    assert not faults, f"{len(faults)} of {answered}:\n" + "\n".join(faults)
    assert answered >= len(chains)


def test_every_adapter_from_solana_answers_or_is_known_to_be_held_by_nothing(demo: Demo) -> None:
    chains = {chain["key"]: chain for chain in demo.sandbox["chains"]}
    solana = next(chain for chain in chains.values() if chain["type"] == "SVM")
    refused, asked = set(), set()
    for tool in tools_of(demo.sandbox, get(demo, "/v1/tools")[1]):
        if solana not in tool.chains:
            continue
        only = {"includeBridges" if tool.crossing else "includeExchanges": tool.key}
        there = next((chain for chain in tool.chains if chain is not solana), solana) if tool.crossing else solana
        ways = [("USDC", "USDC"), ("SOL", "ETH")] if tool.crossing else [("USDC", "USDT"), ("SOL", "USDC")]
        for sold, bought in ways:
            status, _ = get(demo, "/v1/quotes", **question(demo, solana, there, sold, bought, funded=True), **only)
            if status != 200:
                continue
            asked.add(tool.key)
            status, quote = get(demo, "/v1/quotes", **question(demo, solana, there, sold, bought, funded=False), **only)
            if status != 200:
                refused.add(tool.key)
                continue
            assert warned(quote), quote
            simulation = quote["simulation"]
            assert (simulation["executionStatus"], simulation["outputValidation"]) == ("REVERTED", "NOT_SIMULATED"), (
                simulation
            )
    assert refused == NEVER_HELD
    assert len(asked) > 6


@pytest.mark.parametrize("to", ["sbxa", "sbxs"])
def test_routes_are_built_and_all_of_them_warn(demo: Demo, to: str) -> None:
    chains = {chain["key"]: chain for chain in demo.sandbox["chains"]}
    bought = "USDC" if to == "sbxa" else "USDT"
    asked = question(demo, chains["sbxs"], chains[to], "USDC", bought, funded=False)
    body = {
        **asked,
        "originChainId": int(asked["originChainId"]),
        "destinationChainId": int(asked["destinationChainId"]),
    }
    status, found = post(demo, "/v1/advanced/routes", body)
    assert status == 200, found
    routes = found["routes"]
    assert routes
    assert all(map(warned, routes)), [route.get("warnings") for route in routes]
    assert any("simulation" in route for route in routes)
