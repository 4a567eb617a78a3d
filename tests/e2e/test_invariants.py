"""Every quote adds up, whoever answers: random questions to every adapter, one at a time.

`RANDOM_QUOTES=1000` asks for so many answers instead of a few of each adapter; `RANDOM_SEED` asks other questions.
"""

import os
from collections import Counter
from random import Random
from typing import Any

from tests.e2e.invariants import of_quote, of_step
from tests.e2e.random_questions import Tool, questions, tools_of
from tests.e2e.running_demo import Demo
from tests.e2e.test_foreign_clients import get, post

WANTED = int(os.environ.get("RANDOM_QUOTES", "57"))
SEED = os.environ.get("RANDOM_SEED", "rhumbline")
MOST_REFUSED = 12
"""So many questions for each answer, and so many more, are asked of an adapter at the most: many serve few pairs."""
REFUSALS = {"NO_AVAILABLE_QUOTES", "AMOUNT_TOO_LOW", "SLIPPAGE_EXCEEDED"}
REJECTS_TOKENS = {"ACROSS"}
"""To whose API a token that it does not carry is an invalid parameter."""


def test_every_quote_adds_up(demo: Demo) -> None:
    tools = tools_of(demo.sandbox, get(demo, "/v1/tools")[1])
    each = max(1, -(-WANTED // len(tools)))
    answered: Counter[str] = Counter()
    faults: list[str] = []
    for tool in tools:
        answered[str(tool)] = ask(demo, tool, each, faults)
    assert not faults, f"{len(faults)} of {answered.total()}:\n" + "\n".join(faults[:20])
    assert not [tool for tool in tools if answered[str(tool)] < each], answered
    assert answered.total() >= WANTED


def ask(demo: Demo, tool: Tool, wanted: int, faults: list[str]) -> int:
    """Ask one adapter until it answered so often; return how often it did."""
    chance, answered = Random(f"{SEED} {tool}"), 0
    chains = {str(chain["id"]): chain for chain in demo.sandbox["chains"]}
    asking = questions(demo.sandbox, tool, chance)
    for _ in range(MOST_REFUSED * (wanted + 1)):
        if answered == wanted:
            break
        asked = next(asking)
        chain = chains[asked["originChainId"]]
        status, quote = get(demo, "/v1/quotes", **asked)
        if status != 200:
            known = REFUSALS | ({"ADAPTER_BAD_REQUEST"} if tool.key in REJECTS_TOKENS else set())
            sound = status == 422 and quote["code"] in known
            faults += [] if sound else [f"{tool}: {status} {quote} for {asked}"]
            continue
        answered += 1
        found = [] if quote["adapter"] == tool.key else [f"{quote['adapter']} answers"]
        found += of_quote(asked, quote, chain)
        found += planned(demo, tool, asked, chain)
        faults += [f"{tool}: {fault}, for {asked}" for fault in found]
    return answered


def planned(demo: Demo, tool: Tool, asked: dict[str, str], chain: dict[str, Any]) -> list[str]:
    """Plan the same: the route of one step holds the same."""
    numbers = {name: float(text) if name == "fee" else int(text) for name, text in asked.items()
               if name in ("fee", "originChainId", "destinationChainId")}  # fmt: skip
    status, body = post(demo, "/v1/advanced/routes", {**asked, **numbers, "maxRoutes": 1_000_000})
    if status != 200:
        return [f"no route where there is a quote: {status} {body}"]
    single = [route for route in body["routes"] if not route["isMultistep"]]
    adapters = [route["adapter"] for route in single]
    # A swap of ours may go before the same bridge, in one step as well.
    if set(adapters) != {tool.key} or len(adapters) > 2:
        return [f"the routes of one step are {adapters}"]
    return [f"in a route {fault}" for route in single for fault in of_step(asked, route["steps"][0], chain)]
