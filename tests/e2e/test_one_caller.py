"""What one caller without a key does is nobody else's affair: on the sandbox, from two addresses of this machine."""

import http.client
import json
import threading
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.running_demo import Demo, running_demo
from tests.e2e.test_foreign_clients import address, chain_of, rpc

ATTACKER, HONEST = "127.0.0.2", "127.0.0.3"
PASSES_ON = "0x600060006000600060643460310204730000000000000000000000000000000000c0ffee5af100"
"""A contract that pays 49 of 100 of what it is paid to somebody else."""
RECEIVER = "0x00000000000000000000000000000000A5510002"
TIGHT = "RELAY"


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A sandbox on which one bridge has the small budget that it has in the world."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(f"RHUMBLINE_ADAPTERS__{TIGHT}__CALLS_PER_S", "1.6")
        with running_demo(Path(tmp_path_factory.mktemp("tight"))) as demo:
            yield demo


def ask(demo: Demo, who: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, str]:
    """Send a request from an address; return the status and the body."""
    base = urllib.parse.urlsplit(demo.sandbox["base_url"])
    connection = http.client.HTTPConnection(str(base.hostname), base.port, timeout=60, source_address=(who, 0))
    try:
        headers = {} if body is None else {"content-type": "application/json"}
        connection.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def question(
    demo: Demo, origin: str, destination: str, amount: int, there: str = "sbxa", **more: str
) -> dict[str, Any]:
    here, far = chain_of(demo, "sbxa"), chain_of(demo, there)
    return {
        "senderAddress": demo.sandbox["accounts"]["evm"][4]["address"],
        "originChainId": here["id"],
        "destinationChainId": far["id"],
        "amount": str(amount),
        "originCurrency": address(here, origin),
        "destinationCurrency": address(far, destination),
        **more,
    }


def quote(demo: Demo, who: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    status, text = ask(demo, who, "/v1/quotes?" + urllib.parse.urlencode(asked))
    return status, json.loads(text)


def told(demo: Demo, who: str, asked: dict[str, Any]) -> dict[str, str]:
    """What each adapter answers, by the stream: a reason, or nothing for a quote."""
    status, text = ask(demo, who, "/v1/quotes/stream?" + urllib.parse.urlencode(asked))
    assert status == 200, text
    found = {}
    for event in text.split("\n\n"):
        lines = dict(line.partition(": ")[::2] for line in event.splitlines())
        if lines.get("event") in ("quote", "refusal"):
            each = json.loads(lines["data"])
            found[each["adapter"]] = each.get("reason", "")
    return found


def test_a_callers_own_receiver_moves_nobodys_best_quote(tight: Demo) -> None:
    """It passes on half of what it gets, once with each adapter that is to look as if it had delivered half."""
    rpc(chain_of(tight, "sbxa"), "anvil_setCode", RECEIVER, PASSES_ON)
    honest = question(tight, "USDC", "ETH", 20_000 * 10**6)
    _, before = quote(tight, HONEST, honest)
    for rival in told(tight, HONEST, honest):
        bad = question(tight, "USDC", "ETH", 10**9, receiverAddress=RECEIVER, slippage="0.5", includeExchanges=rival)
        quote(tight, ATTACKER, bad)
    _, after = quote(tight, HONEST, honest)
    # Of several that give the same, the bytes of their random IDs decide by the gas that they cost.
    assert after["outputAmount"] == before["outputAmount"]


def test_a_caller_pauses_no_upstream(tight: Demo) -> None:
    """Amounts that nobody has, and such as are only absurd, from one caller, over and over."""
    for amount in (2**255, 2**255 + 1, 2**254, 10**40, 10**20, 10**19 + 7):
        for _ in range(2):
            quote(tight, ATTACKER, question(tight, "USDC", "USDC", amount, "sbxb"))
    reasons = told(tight, HONEST, question(tight, "USDC", "USDC", 10**8, "sbxb"))
    assert not [reason for reason in reasons.values() if "paused" in reason], reasons
    assert list(reasons.values()).count("") > 3


def test_a_caller_takes_no_more_than_its_share_of_a_budget(tight: Demo) -> None:
    """Plans are what asks most; whoever asks for a quote now and then finds the budget's calls there all the same."""
    stopped = threading.Event()

    def plan() -> None:
        body = question(tight, "DAI", "WBTC", 500 * 10**18, "sbxb")
        while not stopped.is_set():
            ask(tight, ATTACKER, "/v1/advanced/routes", body | {"receiverAddress": body["senderAddress"]})
            time.sleep(0.2)

    attackers = [threading.Thread(target=plan) for _ in range(2)]
    for attacker in attackers:
        attacker.start()
    try:
        seen = []
        for number in range(4):
            time.sleep(3)
            seen.append(told(tight, HONEST, question(tight, "USDC", "USDC", 10**8 + number, "sbxb"))[TIGHT])
    finally:
        stopped.set()
        for attacker in attackers:
            attacker.join()
    assert not [reason for reason in seen if "budget" in reason], seen
