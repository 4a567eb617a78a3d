"""Clients that share no code with the service and know nothing but the sandbox's file."""

import json
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import pytest
from eth_abi.abi import encode
from eth_account import Account
from eth_utils.crypto import keccak

from tests.e2e.running_demo import ROOT, Demo, SandboxFile
from tests.node_program import bundled

NATIVE = "0x" + "00" * 20


def get(demo: SandboxFile, path: str, key: str | None = None, **query: str) -> tuple[int, dict[str, Any]]:
    url = demo.sandbox["base_url"] + path + ("?" + urllib.parse.urlencode(query) if query else "")
    request = urllib.request.Request(url, headers={"x-api-key": key} if key else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def post(demo: SandboxFile, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(demo.sandbox["base_url"] + path, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def rpc(chain: dict[str, Any], method: str, *params: object) -> Any:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(chain["rpc_url"], body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        answer = json.load(response)
    assert "error" not in answer, answer
    return answer["result"]


def balance(chain: dict[str, Any], token: str, owner: str) -> int:
    if token == NATIVE:
        return int(rpc(chain, "eth_getBalance", owner, "latest"), 16)
    data = keccak(text="balanceOf(address)")[:4] + encode(["address"], [owner])
    return int(rpc(chain, "eth_call", {"to": token, "data": "0x" + data.hex()}, "latest"), 16)


def send(
    chain: dict[str, Any], private_key: str, to: str, value: str, data: str, gas: dict[str, str]
) -> dict[str, Any]:
    account = Account.from_key(private_key)
    fields: dict[str, Any] = {
        name: int(gas[name], 16) for name in ("gasPrice", "maxFeePerGas", "maxPriorityFeePerGas") if name in gas
    }
    transaction: dict[str, Any] = {
        "chainId": chain["id"],
        "nonce": int(rpc(chain, "eth_getTransactionCount", account.address, "pending"), 16),
        "to": to,
        "value": int(value, 16),
        "data": data,
        "gas": int(gas["gasLimit"], 16),
        **fields,
    }
    raw = bytes(account.sign_transaction(transaction).raw_transaction)
    tx_hash = rpc(chain, "eth_sendRawTransaction", "0x" + raw.hex())
    end = time.monotonic() + 60
    while time.monotonic() < end:
        receipt: dict[str, Any] | None = rpc(chain, "eth_getTransactionReceipt", tx_hash)
        if receipt:
            assert receipt["status"] == "0x1", receipt
            return receipt
        time.sleep(0.02)
    raise AssertionError("not mined")


def chain_of(demo: SandboxFile, key: str) -> dict[str, Any]:
    return next(chain for chain in demo.sandbox["chains"] if chain["key"] == key)


def address(chain: dict[str, Any], symbol: str) -> str:
    return NATIVE if symbol == "ETH" else str(chain["tokens"][symbol]["address"])


def swap(
    demo: SandboxFile, key: str, origin: str, destination: str, amount: int, payer: int, receiver: int, **more: str
) -> Any:
    """Quote, approve, send; return the quote, the receipt, and what the receiver and the integrator gained."""
    chain, accounts = chain_of(demo, key), demo.sandbox["accounts"]["evm"]
    spends, gets = address(chain, origin), address(chain, destination)
    who = accounts[receiver]["address"]
    status, quote = get(
        demo,
        "/v1/quotes",
        senderAddress=accounts[payer]["address"],
        receiverAddress=who,
        originChainId=str(chain["id"]),
        destinationChainId=str(chain["id"]),
        amount=str(amount),
        originCurrency=spends,
        destinationCurrency=gets,
        integrator=demo.sandbox["integrator"]["name"],
        **more,
    )
    assert status == 200, quote
    if "approvalAddress" in quote:
        data = keccak(text="approve(address,uint256)")[:4] + encode(
            ["address", "uint256"], [quote["approvalAddress"], amount]
        )
        send(chain, accounts[payer]["private_key"], spends, "0x0", "0x" + data.hex(), quote["gas"])
    else:
        assert spends == NATIVE
    wallet = demo.sandbox["integrator"]["wallet"]
    before, fees_before = balance(chain, gets, who), balance(chain, spends, wallet)
    calldata = quote["calldata"]
    receipt = send(
        chain, accounts[payer]["private_key"], calldata["to"], calldata["value"], calldata["data"], quote["gas"]
    )
    gained = balance(chain, gets, who) - before
    if payer == receiver and gets == NATIVE:
        gained += int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16)
    return quote, receipt, gained, balance(chain, spends, wallet) - fees_before


ROUTES = [
    ("sbxa", "USDC", "WETH", 250_000_000, 2, 2),
    ("sbxa", "USDC", "ETH", 1_000_000_000, 2, 2),
    ("sbxa", "ETH", "DAI", 3 * 10**17, 2, 3),
    ("sbxa", "ETH", "WETH", 10**17, 2, 2),
    ("sbxa", "WETH", "ETH", 10**17, 2, 3),
    ("sbxb", "USDT", "WBTC", 900_000_000, 2, 3),
    ("sbxb", "WBTC", "USDC", 1_000_000, 2, 2),
    ("sbxb", "DAI", "USDT", 10**20, 2, 3),
]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route[0]}-{route[1]}-{route[2]}")
def test_what_arrives_is_what_was_simulated(demo: Demo, route: tuple[str, str, str, int, int, int]) -> None:
    quote, _, gained, _ = swap(demo, *route)
    assert gained >= int(quote["minOutputAmount"])
    assert gained == int(quote["simulation"]["simulatedOutputAmount"])
    assert quote["simulation"]["outputValidation"] == "VERIFIED"


@pytest.mark.parametrize(("origin", "amount"), [("USDC", 1_000_000_001), ("ETH", 10**17 + 7)])
def test_the_integrator_gets_exactly_one_percent(demo: Demo, origin: str, amount: int) -> None:
    quote, _, gained, fee = swap(demo, "sbxa", origin, "DAI", amount, 2, 3, fee="0.01")
    assert fee == amount // 100
    assert gained == int(quote["simulation"]["simulatedOutputAmount"])


@pytest.mark.parametrize(
    "want",
    [
        {"chain": "sbxa", "origin": "USDC", "destination": "ETH", "amount": "750000000", "payer": 4},
        {"chain": "sbxa", "origin": "ETH", "destination": "WBTC", "amount": "2" + "0" * 18, "payer": 4, "receiver": 3},
        {"chain": "sbxb", "origin": "DAI", "destination": "WETH", "amount": "5" + "0" * 20, "payer": 4, "fee": "0.01"},
    ],
    ids=lambda want: f"{want['origin']}-{want['destination']}",
)
def test_an_ethers_client_swaps(demo: Demo, want: dict[str, Any]) -> None:
    script = ROOT / "tests" / "e2e" / "client.mjs"
    command = ["node", str(bundled(script)), str(demo.folder / "sandbox.json"), json.dumps(want)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert int(told["gained"]) >= int(told["quote"]["minOutputAmount"])
    assert told["gained"] == told["quote"]["simulation"]["simulatedOutputAmount"]
    assert int(told["integratorFee"]) == (int(want["amount"]) // 100 if "fee" in want else 0)


def test_the_record_is_found_with_the_key_and_by_nobody_without(demo: Demo) -> None:
    quote, receipt, gained, _ = swap(demo, "sbxa", "USDC", "DAI", 100_000_000, 2, 3)
    key = demo.sandbox["integrator"]["api_key"]
    path = f"/v1/transactions/{quote['transactionId']}"
    deadline = time.monotonic() + 60
    while (answer := get(demo, path, key))[1].get("sourceGasFee") is None and time.monotonic() < deadline:
        time.sleep(0.1)
    status, record = answer
    assert status == 200
    assert int(record["sourceGasFee"]["amountRaw"]) == int(receipt["gasUsed"], 16) * int(
        receipt["effectiveGasPrice"], 16
    )
    assert record["status"] == "success"
    assert record["protocol"] == "GENERIC_SWAP"
    assert record["outputToken"]["amountRaw"] == str(gained)
    assert record["inputToken"]["amountRaw"] == "100000000"
    assert get(demo, f"/v1/transactions/{receipt['transactionHash']}", key)[1]["id"] == record["id"]
    short = get(demo, path + "/status", key)[1]
    assert {
        "id",
        "transactionId",
        "sourceTxHash",
        "destTxHash",
        "status",
        "substatus",
        "statusSource",
        "updatedAt",
    } == set(short)
    assert record["id"] in {item["id"] for item in get(demo, "/v1/transactions", key)[1]["transactions"]}
    for wrong, error in ((None, "API_KEY_MISSING"), ("rl_live_" + "a" * 32, "API_KEY_INVALID")):
        for target in (path, path + "/status", "/v1/transactions"):
            status, body = get(demo, target, wrong)
            assert (status, body["details"]["errorCode"]) == (401, error)
