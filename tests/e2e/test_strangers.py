"""Anybody can call the Diamond with any ID and any name: none of it is listed for anybody."""

import secrets
import subprocess
import time
from typing import Any

import pytest
from eth_abi.abi import encode
from eth_utils.crypto import keccak

from tests.e2e.running_demo import COMMAND, ROOT, Demo
from tests.e2e.test_foreign_clients import NATIVE, chain_of, get, send, swap

ORDER = "(bytes32,bytes32,bytes32,address,address,uint256,address,uint256,uint256,uint256,address[])"
TYPES = [ORDER, "(address,bytes32,uint256)[]", "(uint8,address,address,address,uint256,uint256,bytes)[]"]
WRAP, ALL = 1, 2**256 - 1
AMOUNT = 10**15


@pytest.fixture(scope="package")
def other_key(demo: Demo) -> str:
    """The key of a second integrator, made on the command line while the service runs."""
    options = ["--integrator", "rival", "--evm-wallet", "0x" + "44" * 20, "--config", str(demo.folder / "sandbox.toml")]
    command = [str(COMMAND), "keys", "create", *options]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def wrap_under(chain: dict[str, Any], account: dict[str, str], identifier: bytes, integrator: str) -> str:
    """Wrap some native through the Diamond, claiming an ID and an integrator; return the transaction's hash."""
    weth = chain["contracts"]["weth9"]
    order: tuple[Any, ...] = (
        identifier,
        integrator.encode().ljust(32, b"\0"),
        b"ONCHAIN".ljust(32, b"\0"),
        account["address"],
        NATIVE,
        AMOUNT,
        weth,
        AMOUNT,
        int(time.time()) + 10_000,
        0,
        [],
    )
    operation = (WRAP, weth, NATIVE, NATIVE, ALL, 0, b"")
    data = keccak(text=f"swap({','.join(TYPES)})")[:4] + encode(TYPES, [order, [], [operation]])
    gas = {"gasLimit": hex(1_000_000), "gasPrice": hex(5 * 10**9)}
    receipt = send(chain, account["private_key"], chain["contracts"]["diamond"], hex(AMOUNT), "0x" + data.hex(), gas)
    return str(receipt["transactionHash"])


def test_invented_and_stolen_ids_are_listed_for_nobody(demo: Demo, other_key: str) -> None:
    key, name = demo.sandbox["integrator"]["api_key"], demo.sandbox["integrator"]["name"]
    chain, stranger = chain_of(demo, "sbxa"), demo.sandbox["accounts"]["evm"][5]
    quote, receipt, _, _ = swap(demo, "sbxa", "USDC", "WETH", 50_000_000, 2, 2)
    stolen = bytes.fromhex(quote["transactionId"][2:])
    forged = {
        wrap_under(chain, stranger, secrets.token_bytes(32), name),
        wrap_under(chain, stranger, stolen, name),
        wrap_under(chain, stranger, stolen, "somebody-else"),
        wrap_under(chain, stranger, stolen[:16] + secrets.token_bytes(16), name),
    }
    # A genuine swap after the forged ones: when it is listed, all before it have been looked at.
    last, _, _, _ = swap(demo, "sbxa", "USDC", "WETH", 50_000_000, 2, 2)
    deadline = time.monotonic() + 60
    while get(demo, f"/v1/transactions/{last['transactionId']}", key)[0] == 404 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert get(demo, f"/v1/transactions/{last['transactionId']}", key)[0] == 200
    for tx_hash in forged:
        assert get(demo, f"/v1/transactions/{tx_hash}", key)[0] == 404
        assert get(demo, f"/v1/transactions/{tx_hash}", other_key)[0] == 404
    genuine = get(demo, f"/v1/transactions/{quote['transactionId']}", key)[1]
    assert genuine["sourceTxHash"] == receipt["transactionHash"]
    assert get(demo, f"/v1/transactions/{quote['transactionId']}", other_key)[0] == 404
    listed = {record["sourceTxHash"] for record in get(demo, "/v1/transactions", key, limit="200")[1]["transactions"]}
    assert not listed & forged
    assert get(demo, "/v1/transactions", other_key)[1]["transactions"] == []


def test_a_foreign_name_is_refused_and_reveals_nothing(demo: Demo, other_key: str) -> None:
    status, body = get(demo, "/v1/transactions", demo.sandbox["integrator"]["api_key"], integrator="rival")
    assert (status, body["details"]["errorCode"]) == (403, "INTEGRATOR_MISMATCH")
    quote, _, _, _ = swap(demo, "sbxb", "ETH", "WETH", 10**15, 2, 2)
    foreign = get(demo, f"/v1/transactions/{quote['transactionId']}", other_key)
    unknown = get(demo, "/v1/transactions/0x" + "ab" * 32, other_key)
    hidden = ("timestamp", "path")
    assert foreign[0] == unknown[0] == 404
    assert {k: v for k, v in foreign[1].items() if k not in hidden} == {
        k: v for k, v in unknown[1].items() if k not in hidden
    }
