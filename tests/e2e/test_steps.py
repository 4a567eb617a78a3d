"""Steps that were altered on their way: everything in them is checked again; a fee's proof is good for one step."""

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import chain_of, post

Step = dict[str, Any]
AMOUNT = 500 * 10**18
SERVICE_SHARE = 1000


@pytest.fixture(scope="module")
def steps(demo: Demo) -> list[Step]:
    return planned(demo, "USDC")


@pytest.fixture(scope="module")
def native_steps(demo: Demo) -> list[Step]:
    return planned(demo, "ETH")


def planned(demo: Demo, through: str) -> list[Step]:
    """Return the three of a route: a swap, a bridge of one asset, a swap; asked for with a fee."""
    here, there = chain_of(demo, "sbxa"), chain_of(demo, "sbxb")
    accounts = demo.sandbox["accounts"]["evm"]
    body = {
        "senderAddress": accounts[2]["address"],
        "receiverAddress": accounts[3]["address"],
        "originChainId": here["id"],
        "destinationChainId": there["id"],
        "amount": str(AMOUNT),
        "originCurrency": here["tokens"]["DAI"]["address"],
        "destinationCurrency": there["tokens"]["WBTC"]["address"],
        "integrator": demo.sandbox["integrator"]["name"],
        "fee": 0.01,
        "includeBridges": "ACROSS",
    }
    status, answer = post(demo, "/v1/advanced/routes", body)
    assert status == 200, answer
    ways: list[list[Step]] = [route["steps"] for route in answer["routes"] if len(route["steps"]) == 3]
    return next(way for way in ways if way[1]["action"]["fromToken"]["symbol"] == through)


def populated(demo: Demo, step: Step, received: int | None = None) -> tuple[int, dict[str, Any]]:
    context = {
        "senderAddress": step["action"]["fromAddress"],
        "receiverAddress": demo.sandbox["accounts"]["evm"][3]["address"],
    }
    if step["execution"]["requiresPreviousStepAmount"]:
        context["previousStepReceivedAmount"] = str(received or step["action"]["fromAmount"])
    return post(demo, "/v1/advanced/stepTransaction", {"step": step, "context": context})


def by(tool: str) -> Callable[[Step], None]:
    def alter(step: Step) -> None:
        step["tool"] = tool

    return alter


def turned(step: Step) -> None:
    action = step["action"]
    action["fromToken"], action["toToken"] = action["toToken"], action["fromToken"]


def with_turned_addresses(step: Step) -> None:
    sold, bought = step["action"]["fromToken"], step["action"]["toToken"]
    sold["address"], bought["address"] = bought["address"], sold["address"]


def to_itself(step: Step) -> None:
    step["type"] = "swap"
    step["action"]["toChainId"], step["action"]["toToken"] = step["action"]["fromChainId"], step["action"]["fromToken"]


def to_nowhere(step: Step) -> None:
    step["action"]["toChainId"] = step["action"]["toToken"]["chainId"] = 424242


@pytest.mark.parametrize(
    ("number", "alter", "status", "code"),
    [
        (0, by("ACROSS"), 400, "NO_AVAILABLE_QUOTES"),
        (0, by("JUPITER"), 400, "NO_AVAILABLE_QUOTES"),
        (1, by("KYBERSWAP"), 400, "NO_AVAILABLE_QUOTES"),
        (1, by("GASZIP"), 400, "NO_AVAILABLE_QUOTES"),
        (0, turned, 422, "SLIPPAGE_EXCEEDED"),
        (1, turned, 400, "VALIDATION_ERROR"),
        (1, with_turned_addresses, 404, "NOT_FOUND"),
        (1, to_itself, 400, "VALIDATION_ERROR"),
        (1, to_nowhere, 404, "NOT_FOUND"),
    ],
)
def test_an_altered_step_is_refused(
    demo: Demo, steps: list[Step], number: int, alter: Callable[[Step], None], status: int, code: str
) -> None:
    step = deepcopy(steps[number])
    alter(step)
    answered, body = populated(demo, step)
    assert (answered, body["code"]) == (status, code), body


def test_a_bridge_of_the_native_asset_is_not_turned_either(demo: Demo, native_steps: list[Step]) -> None:
    """Its address is the same on both chains: only the chains that the tokens name tell it."""
    step = deepcopy(native_steps[1])
    assert populated(demo, step)[0] == 200
    turned(step)
    answered, body = populated(demo, step)
    assert (answered, body["code"]) == (400, "VALIDATION_ERROR"), body
    assert [fault.split()[0] for fault in body["details"]["message"]] == [
        "step.action.fromToken.chainId",
        "step.action.toToken.chainId",
    ]


def test_what_a_step_says_of_its_outcome_counts_for_nothing(demo: Demo, steps: list[Step]) -> None:
    step = deepcopy(steps[0])
    step["estimate"].update(toAmount="9" * 30, toAmountMin="1")
    status, answer = populated(demo, step)
    honest = populated(demo, steps[0])[1]
    assert status == 200, answer
    for name in ("toAmount", "toAmountMin", "quoteFromAmount"):
        assert answer["estimate"][name] == honest["estimate"][name]


@pytest.mark.parametrize(
    ("share", "taken"), [("1/2", False), ("1", False), ("102/100", False), ("103/100", True), ("2", True)]
)
def test_a_proof_is_believed_for_its_amount_and_a_little_more(
    demo: Demo, steps: list[Step], share: str, taken: bool
) -> None:
    received = int(int(steps[1]["action"]["fromAmount"]) * Fraction(share))
    status, answer = populated(demo, steps[1], received)
    assert status == 200, answer
    assert charged(answer) == (received // SERVICE_SHARE if taken else 0)
    assert int(answer["estimate"]["quoteFromAmount"]) == received - charged(answer)
    assert answer["execution"]["applyFee"] is taken


@pytest.mark.parametrize("which", ["route", "number", "none"])
def test_a_proof_is_believed_for_its_step(demo: Demo, steps: list[Step], which: str) -> None:
    step = deepcopy(steps[1])
    if which == "route":
        step.update(routeId="another", id="another:1")
    elif which == "number":
        step["id"] = f"{step['routeId']}:2"
    else:
        del step["execution"]["routeRequest"]["feeProof"]
    status, answer = populated(demo, step)
    assert status == 200, answer
    assert charged(answer) == int(step["action"]["fromAmount"]) // SERVICE_SHARE
    assert answer["execution"]["applyFee"] is True


def charged(step: Step) -> int:
    return sum(int(item["amount"]) for item in step["estimate"]["fees"]["breakdown"] if item["type"] == "app")
