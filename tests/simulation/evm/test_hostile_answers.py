"""Whatever a node answers, a simulation is a verdict: it never raises, and what it says fits an answer of ours."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from rhumbline.api.wire.simulation import to_simulation
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from rhumbline.simulation.evm.task import EvmSimulationTask
from tests.loopback import talking
from tests.routing.venues import DIAMOND, WALLET

TASK = EvmSimulationTask(1, WALLET, WALLET, NATIVE_EVM, 1000, None, 500, DIAMOND, 1000, b"\x01", None)
NO = b'{"id":0,"error":{"code":-1,"message":"no"}}'
DEEP = b"[" * 100_000
Say = Callable[[str, int, int], bytes]
"""What is answered to a method, asked for the n-th time, with so many calls in it."""


@asynccontextmanager
async def node(say: Say) -> AsyncIterator[EvmRpc]:
    asked: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode().lower():
                length = int(head.split("content-length: ")[1].split("\r\n")[0])
                question = json.loads(await reader.readexactly(length))
                method = question["method"] if isinstance(question, dict) else "batch"
                asked.append(method)
                count = len(question["params"][0]["blockStateCalls"][0]["calls"]) if "simulate" in method else 0
                body = say(method, asked.count(method), count)
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async with talking(serve) as port, HttpClient() as http:
        yield EvmRpc(f"http://127.0.0.1:{port}", http, "sea")


def simulated(calls: object) -> bytes:
    return json.dumps({"id": 0, "result": [{"calls": calls}]}).encode()


def good(count: int) -> bytes:
    return simulated([{"status": "0x1", "gasUsed": "0x5208", "returnData": "0x", "logs": []}] * count)


async def verdict(say: Say) -> Simulation:
    async with node(say) as rpc:
        found = await RpcSimulator(rpc, GasReader(rpc), 20.0).simulate(TASK)
    assert to_simulation(found).model_dump_json()
    return found


def always(body: bytes) -> Say:
    return lambda method, time, count: body if method == "eth_simulateV1" else NO


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (DEEP, "sea: the node's answer is not JSON (HTTP 200)"),
        (b"null", "sea: the node's answer is not JSON-RPC"),
        (b'{"id":0,"error":{"code":1,"message":"\\u202e a\\u001b"}}', "the node refused the simulation: a"),
        (b'{"id":0,"error":{"code":1,"message":"\\ud800 a"}}', "sea: the node's answer is not JSON (HTTP 200)"),
        (b'{"id":0,"error":{"code":1,"message":' + b"[" * 900 + b"]" * 900 + b"}}",
         "the node refused the simulation: no message"),
        (simulated([None]), "sea: the node answered eth_simulateV1 with something else"),
        (simulated([{"status": "0x1", "gasUsed": "0x" + "f" * 5000}]),
         "the node answered something that is not a quantity"),
        (simulated([{"status": "0x1", "gasUsed": "0x1", "logs": [{"topics": [], "address": 1}]}]),
         "sea: the node answered eth_simulateV1 with something else"),
        (simulated([{"status": "0x1", "gasUsed": "0x1", "logs": [{"topics": ["0xz"], "address": "", "data": "0x"}]}]),
         "the node answered something that is not data"),
    ],
)  # fmt: skip
async def test_the_first_run(body: bytes, reason: str) -> None:
    found = (await verdict(always(body))).result
    assert (found.status, found.reason) == (ExecutionStatus.ERROR, reason)


@pytest.mark.parametrize(
    "body", [DEEP, simulated([None]), b'{"id":0,"result":[[]]}', b'{"id":0,"error":{"message":"\\ud800"}}']
)
async def test_the_second_look(body: bytes) -> None:
    """The first run has the verdict; what cannot be tried leaves only the gas limit open."""

    def say(method: str, time: int, count: int) -> bytes:
        if method != "eth_simulateV1":
            return NO
        return good(count) if time == 1 else body

    found = await verdict(say)
    assert (found.result.status, found.gas_limit) == (ExecutionStatus.SUCCESS, None)


async def test_a_fault_of_ours_in_the_second_look_is_no_failure_either(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(RpcSimulator, "_gas_limit", fails)
    found = await verdict(lambda method, time, count: good(count) if method == "eth_simulateV1" else NO)
    assert (found.result.status, found.gas_limit) == (ExecutionStatus.SUCCESS, None)
