"""Steps that were altered on their way: everything in them is checked again; a fee's proof is good for one step."""

import time
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from eth_abi.abi import encode
from eth_utils.crypto import keccak

from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import chain_of, post, send

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


def made(demo: Demo, step: Step, received: int | None = None) -> None:
    """Populate a step, approve what it spends, and send it."""
    status, answer = populated(demo, step, received)
    assert status == 200, answer
    chain, key = chain_of(demo, "sbxa"), demo.sandbox["accounts"]["evm"][2]["private_key"]
    transaction, amount = answer["transactionRequest"], received or int(answer["action"]["fromAmount"])
    approval = keccak(text="approve(address,uint256)")[:4]
    approval += encode(["address", "uint256"], [answer["estimate"]["approvalAddress"], amount])
    send(chain, key, answer["action"]["fromToken"]["address"], "0x0", "0x" + approval.hex(), transaction["gas"])
    send(chain, key, transaction["to"], transaction["value"], transaction["data"], transaction["gas"])


@pytest.fixture(scope="module")
def begun(demo: Demo) -> list[Step]:
    """The steps of a route whose first one was made."""
    steps = planned(demo, "USDC")
    made(demo, steps[0])
    return steps


@pytest.mark.parametrize(
    ("share", "taken"), [("1/2", False), ("1", False), ("102/100", False), ("103/100", True), ("2", True)]
)
def test_a_proof_is_believed_for_its_amount_and_a_little_more(
    demo: Demo, begun: list[Step], share: str, taken: bool
) -> None:
    received = int(int(begun[1]["action"]["fromAmount"]) * Fraction(share))
    status, answer = populated(demo, begun[1], received)
    assert status == 200, answer
    assert charged(answer) == (received // SERVICE_SHARE if taken else 0)
    assert int(answer["estimate"]["quoteFromAmount"]) == received - charged(answer)
    assert answer["execution"]["applyFee"] is taken


@pytest.mark.parametrize("which", ["route", "number", "tool", "token", "receiver", "none"])
def test_a_proof_is_believed_for_its_step(demo: Demo, which: str) -> None:
    steps = planned(demo, "USDC")
    made(demo, steps[0])
    step = deepcopy(steps[1])
    if which == "route":
        step.update(routeId="another", id="another:1")
    elif which == "number":
        step["id"] = f"{step['routeId']}:2"
    elif which == "tool":
        step["tool"] = "RELAY"
    elif which == "token":
        there = chain_of(demo, "sbxb")
        step["tool"] = "RELAY"
        step["action"]["toToken"].update(address=there["tokens"]["WETH"]["address"])
    elif which == "receiver":
        step["action"]["toAddress"] = demo.sandbox["accounts"]["evm"][3]["address"]
    else:
        del step["execution"]["routeRequest"]["feeProof"]
    status, answer = populated(demo, step)
    assert status == 200, answer
    assert charged(answer) == int(step["action"]["fromAmount"]) // SERVICE_SHARE
    assert answer["execution"]["applyFee"] is True


def test_a_proof_without_its_first_step_waives_nothing(demo: Demo, steps: list[Step]) -> None:
    """It comes with the plan, for nothing: only what was paid on chain counts."""
    status, answer = populated(demo, steps[1])
    assert status == 200, answer
    assert charged(answer) == int(steps[1]["action"]["fromAmount"]) // SERVICE_SHARE
    assert answer["execution"]["applyFee"] is True


def test_a_first_step_of_less_waives_nothing(demo: Demo) -> None:
    steps = planned(demo, "USDC")
    small = deepcopy(steps[0])
    small["action"]["fromAmount"] = small["estimate"]["fromAmount"] = str(AMOUNT // 100)
    made(demo, small)
    assert charged(populated(demo, steps[1])[1]) > 0


def test_one_proof_is_good_for_one_transaction(demo: Demo) -> None:
    """Quotes end, so it may be asked for a few times; what was made is never free again, nor is the eleventh."""
    steps = planned(demo, "USDC")
    made(demo, steps[0])
    assert [charged(populated(demo, steps[1])[1]) > 0 for _ in range(5)] == [False] * 3 + [True] * 2
    steps = planned(demo, "USDC")
    made(demo, steps[0])
    made(demo, steps[1])
    end = time.monotonic() + 30
    while charged(populated(demo, steps[1])[1]) == 0:
        assert time.monotonic() < end
    assert charged(populated(demo, steps[1])[1]) > 0


def charged(step: Step) -> int:
    return sum(int(item["amount"]) for item in step["estimate"]["fees"]["breakdown"] if item["type"] == "app")
