"""What one caller without a key does is nobody else's affair: on the sandbox, from two addresses of this machine."""

import http.client
import json
import os
import subprocess
import urllib.parse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.running_demo import COMMAND, Demo, running_demo
from tests.e2e.test_foreign_clients import address, chain_of, rpc
from tests.e2e.test_operator import until_logged

ATTACKER, HONEST = "127.0.0.2", "127.0.0.3"
PASSES_ON = "0x600060006000600060643460310204730000000000000000000000000000000000c0ffee5af100"
"""A contract that pays 49 of 100 of what it is paid to somebody else."""
RECEIVER = "0x00000000000000000000000000000000A5510002"
TIGHT = "RELAY"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with running_demo(Path(tmp_path_factory.mktemp("demo"))) as running:
        yield running


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


def test_a_callers_own_receiver_moves_nobodys_best_quote(demo: Demo) -> None:
    """It passes on half of what it gets, once with each adapter that is to look as if it had delivered half."""
    rpc(chain_of(demo, "sbxa"), "anvil_setCode", RECEIVER, PASSES_ON)
    honest = question(demo, "USDC", "ETH", 20_000 * 10**6)
    _, before = quote(demo, HONEST, honest)
    for rival in told(demo, HONEST, honest):
        bad = question(demo, "USDC", "ETH", 10**9, receiverAddress=RECEIVER, slippage="0.5", includeExchanges=rival)
        quote(demo, ATTACKER, bad)
    _, after = quote(demo, HONEST, honest)
    # Of several that give the same, the bytes of their random IDs decide by the gas that they cost.
    assert after["outputAmount"] == before["outputAmount"]


def test_a_caller_pauses_no_upstream(demo: Demo) -> None:
    """Amounts that nobody has, and such as are only absurd, from one caller, over and over."""
    for amount in (2**255, 2**255 + 1, 2**254, 10**40, 10**20, 10**19 + 7):
        for _ in range(2):
            quote(demo, ATTACKER, question(demo, "USDC", "USDC", amount, "sbxb"))
    reasons = told(demo, HONEST, question(demo, "USDC", "USDC", 10**8, "sbxb"))
    assert not [reason for reason in reasons.values() if "paused" in reason], reasons
    assert list(reasons.values()).count("") > 3


@pytest.fixture
def tight(demo: Demo, tmp_path: Path) -> Iterator[Demo]:
    """One more service on the sandbox, which may ask one bridge once, and no more while its test runs."""
    log = tmp_path / "log"
    settings = {"SERVER__PORT": "0", "LOG__LEVEL": "info", f"ADAPTERS__{TIGHT}__CALLS_PER_S": "0.01"}
    with log.open("w") as written:
        process = subprocess.Popen(
            [COMMAND, "serve", "--config", str(demo.folder / "sandbox.toml")],
            cwd=tmp_path,
            stderr=written,
            env={**os.environ, **{f"RHUMBLINE_{name}": value for name, value in settings.items()}},
        )
    try:
        base = until_logged(log, r"http://127\.0\.0\.1:\d+")
        (tmp_path / "sandbox.json").write_text(json.dumps(demo.sandbox | {"base_url": base}))
        yield replace(demo, folder=tmp_path)
    finally:
        process.terminate()
        process.wait(30)


def test_a_caller_takes_no_more_than_its_share_of_a_budget(tight: Demo) -> None:
    """Plans are what asks most; whoever asks for a quote after one finds a call left in the budget all the same."""

    def answer(who: str, amount: int) -> str:
        return told(tight, who, question(tight, "USDC", "USDC", amount, "sbxb"))[TIGHT]

    body = question(tight, "DAI", "WBTC", 500 * 10**18, "sbxb")
    ask(tight, ATTACKER, "/v1/advanced/routes", body | {"receiverAddress": body["senderAddress"]})
    answers = [answer(ATTACKER, 10**8 + number) for number in range(2)]
    assert "budget" in answers[-1], answers
    assert answer(HONEST, 10**8 + 2) == ""
