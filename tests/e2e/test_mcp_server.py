"""An agent moves money from an empty folder: it asks by the SDK's client, a wallet of the test signs, it follows."""

import asyncio
import base64
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client
from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

from tests.e2e.running_demo import COMMAND, Demo
from tests.e2e.test_foreign_clients import chain_of, rpc, send

ACCOUNT = 4
MOST_QUESTIONS = 12


def agents_environment(**more: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("RHUMBLINE_")}
    return {**own, "no_proxy": "127.0.0.1", **more}


@asynccontextmanager
async def over_stdio(folder: Path, program: Path, *words: str) -> AsyncIterator[Client]:
    server = StdioServerParameters(command=str(program), args=list(words), cwd=folder, env=agents_environment())
    async with Client(stdio_client(server)) as client:
        yield client


@asynccontextmanager
async def over_http(folder: Path, key: str, *command: str) -> AsyncIterator[Client]:
    process = await asyncio.create_subprocess_exec(
        *command, "--http", "--port", "0", cwd=folder, stderr=asyncio.subprocess.PIPE,
        env=agents_environment(RHUMBLINE_API_KEY=key),
    )  # fmt: skip
    assert process.stderr is not None
    try:
        line = (await process.stderr.readline()).decode()
        async with Client(line.removeprefix("listening on ").strip()) as client:
            yield client
    finally:
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 130


async def answer(client: Client, name: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    structured: dict[str, Any] = result.structured_content
    return structured


def wallet_sends(demo: Demo, trade: dict[str, Any]) -> None:
    """Sign and send what was answered, in its order, with nothing else but a node and a private key."""
    for each in trade["transactions"]:
        chain = next(chain for chain in demo.sandbox["chains"] if chain["id"] == each["chain_id"])
        if each["chain_type"] == "SVM":
            keypair = Keypair.from_base58_string(demo.sandbox["accounts"]["svm"][ACCOUNT]["private_key"])
            message = VersionedTransaction.from_bytes(base64.b64decode(each["data"])).message
            signed = VersionedTransaction.populate(message, [keypair.sign_message(to_bytes_versioned(message))])
            rpc(chain, "sendTransaction", base64.b64encode(bytes(signed)).decode(), {"encoding": "base64"})
            continue
        call = {"from": each["sender"], "to": each["to"], "value": each["value"], "data": each["data"]}
        gas = {
            "gasLimit": each["gas_limit"] or rpc(chain, "eth_estimateGas", call),
            "maxFeePerGas": each["max_fee_per_gas"],
            "maxPriorityFeePerGas": each["max_priority_fee_per_gas"],
        }
        key = demo.sandbox["accounts"]["evm"][ACCOUNT]["private_key"]
        send(chain, key, each["to"], each["value"], each["data"], gas)


async def arrived(client: Client, trade: dict[str, Any]) -> dict[str, Any]:
    """Follow a trade to its end, and hold it against what was promised."""
    for _ in range(MOST_QUESTIONS):
        standing = await answer(client, "status", transaction_id=trade["transaction_id"], wait_seconds=20)
        if standing["final"]:
            assert standing["status"] == "success", standing
            assert int(standing["received"]["units"]) >= int(trade["minimum"]["units"]) > 0
            received: dict[str, Any] = standing["received"]
            return received
    raise AssertionError(standing)


def payer(demo: Demo, kind: str = "evm") -> str:
    return str(demo.sandbox["accounts"][kind][ACCOUNT]["address"])


async def test_a_swap_over_standard_input(demo: Demo, python: Path, tmp_path: Path) -> None:
    program = python.with_name("rhumbline-mcp")
    async with over_stdio(tmp_path, program, "--url", demo.sandbox["base_url"]) as agent:
        assert {each["key"] for each in (await answer(agent, "chains"))["chains"]} == {"sbxa", "sbxb", "sbxs"}
        worth = await answer(agent, "price", chain="sbxa", token="ETH")
        assert re.fullmatch(r"\d+(\.\d+)?", worth["price_usd"])
        (found,) = (await answer(agent, "tokens", chain="sbxa", search="USDC"))["tokens"]
        trade = await answer(
            agent, "quote", from_chain="sbxa", from_token=found["address"], to_token="WETH", amount="40.5",
            sender=payer(demo),
        )  # fmt: skip
        assert trade["input"]["units"] == "40500000"
        assert [each["purpose"] for each in trade["transactions"]][-1] == "transaction"
        wallet_sends(demo, trade)
        assert (await arrived(agent, trade))["symbol"] == "WETH"


async def test_a_transfer_over_http_is_listed_for_its_key(demo: Demo, python: Path, tmp_path: Path) -> None:
    program, service = python.with_name("rhumbline-mcp"), demo.sandbox["base_url"]
    async with over_http(tmp_path, demo.sandbox["api_key"], str(program), "--url", service) as agent:
        trade = await answer(
            agent, "quote", from_chain="Sandbox A", from_token="USDC", to_chain=chain_of(demo, "sbxb")["id"],
            to_token="usdc", amount="60", sender=payer(demo), slippage_percent="0.5",
        )  # fmt: skip
        wallet_sends(demo, trade)
        await arrived(agent, trade)
        listed = await answer(agent, "transactions", lookup=trade["transaction_id"])
        assert [each["status"] for each in listed["transactions"]] == ["success"]
        mine = await answer(agent, "transactions", from_chain="sbxa", to_chain="sbxb", sender=payer(demo), limit=1)
        assert [each["transaction_id"] for each in mine["transactions"]] == [trade["transaction_id"]]


async def test_a_transfer_from_solana_by_the_services_own_command(demo: Demo, tmp_path: Path) -> None:
    async with over_stdio(tmp_path, COMMAND, "mcp", "--url", demo.sandbox["base_url"]) as agent:
        trade = await answer(
            agent, "quote", from_chain="sbxs", from_token="USDC", to_chain="sbxa", to_token="USDC", amount="50",
            sender=payer(demo, "svm"), receiver=payer(demo), include_tools=["ACROSS"],
        )  # fmt: skip
        assert trade["last_valid_block_height"] is not None
        wallet_sends(demo, trade)
        assert (await arrived(agent, trade))["symbol"] == "USDC"


async def test_a_route_is_gone_step_by_step(demo: Demo, tmp_path: Path) -> None:
    """Each step is asked for with what the one before delivered."""
    async with over_stdio(tmp_path, COMMAND, "mcp", "--url", demo.sandbox["base_url"]) as agent:
        found = await answer(
            agent, "routes", from_chain="sbxa", from_token="DAI", to_chain="sbxb", to_token="WBTC", amount="120",
            sender=payer(demo), include_tools=["ACROSS"],
        )  # fmt: skip
        steps = next(route["steps"] for route in found["routes"] if len(route["steps"]) == 3)
        received: dict[str, Any] = {}
        for step in steps:
            more = {"received_amount": received["amount"]} if step["needs_received_amount"] else {}
            trade = await answer(agent, "step", step_id=step["step_id"], **more)
            wallet_sends(demo, trade)
            received = await arrived(agent, trade)
        assert received["symbol"] == "WBTC"
