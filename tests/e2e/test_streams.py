"""The stream of quotes, read by a client that shares no code with the service."""

import json
import subprocess
import urllib.parse
import urllib.request

from tests.e2e.running_demo import ROOT, Demo
from tests.e2e.test_foreign_clients import address, chain_of, swap


def test_a_foreign_client_sees_each_adapter_and_the_answer(demo: Demo) -> None:
    chain, wallet = chain_of(demo, "sbxa"), demo.sandbox["accounts"]["evm"][2]["address"]
    query = {
        "senderAddress": wallet, "originChainId": chain["id"], "destinationChainId": chain["id"],
        "amount": "250000000", "originCurrency": address(chain, "USDC"), "destinationCurrency": address(chain, "WETH"),
    }  # fmt: skip
    url = f"{demo.sandbox['base_url']}/v1/quotes/stream?{urllib.parse.urlencode(query)}"
    command = ["node", str(ROOT / "tests" / "e2e" / "stream.mjs"), url]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    *told, last = json.loads(result.stdout)
    assert last["event"] == "answer"
    assert {each["event"] for each in told} == {"quote", "refusal"}
    adapters = [each["data"]["adapter"] for each in told]
    assert len(adapters) == len(set(adapters))
    offered = {each["data"]["adapter"]: each for each in told if each["event"] == "quote"}
    assert len(offered) > 1
    assert last["data"]["adapter"] in offered
    assert last["data"]["calldata"]["data"].startswith("0x")
    assert all(int(each["data"]["outputAmount"]) > 0 for each in offered.values())
    assert max(each["ms"] for each in offered.values()) < last["ms"]


def test_the_sandboxes_stream_tells_what_happens(demo: Demo) -> None:
    url, key = f"{demo.sandbox['base_url']}/v1/transactions/stream", demo.sandbox["integrator"]["api_key"]
    request = urllib.request.Request(url, headers={"x-api-key": key})
    with urllib.request.urlopen(request, timeout=60) as stream:
        assert b"event: ready\n" in (stream.readline() for _ in range(10))
        quote, *_ = swap(demo, "sbxa", "USDC", "DAI", 10**8, 2, 2)
        # A heartbeat comes every quarter of a minute: some of them are patience enough.
        lines = (stream.readline() for _ in range(24))
        told = (json.loads(line.removeprefix(b"data: ")) for line in lines if line.startswith(b'data: {"type"'))
        ours = (each for each in told if each["data"]["transactionId"] == quote["transactionId"])
        final = next(each for each in ours if each["type"] == "transaction.final")
    assert final["data"]["status"] == "success"
