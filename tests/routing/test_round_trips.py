"""How many round trips to a node a quote makes one after the other, by a clock that knows nothing else.

Each call takes one unit of a clock that goes on by itself, whatever runs beside it; what is done in between takes none.
So the time of an answer is the number of calls that had to wait for each other.
"""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import ChainType
from rhumbline.domain.gas import EvmGasTerms
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.answer_bounds import Bound
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.quote_service import QuoteService
from rhumbline.simulation.evm.bundle import MOST_GAS
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from tests.routing.evm.test_composer import Crossing, PayBridge, both
from tests.routing.quote_fixture import KEY, QuoteFixture, quotes_on
from tests.routing.venues import PoolVenue
from tests.virtual_time import in_virtual_time

ROUND_S = 0.001


@dataclass(frozen=True, slots=True)
class SlowRpc(EvmRpc):
    """The sandbox's node, a round away. Nothing of it is a socket of the loop's, so that nobody waits for the wall."""

    began: list[tuple[float, dict[str, Any]]] = field(default_factory=list)

    async def _raw(self, methods: Sequence[str], body: Any, timeout_s: float, bound: Bound) -> tuple[int, bytes]:
        self.began.extend((now(), call) for call in (body if isinstance(body, list) else [body]))
        await asyncio.sleep(ROUND_S)
        return 200, asked(self.url, body)


def asked(url: str, body: object) -> bytes:
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port)
    connection.request("POST", "/", json.dumps(body), {"content-type": "application/json"})
    answer = connection.getresponse().read()
    connection.close()
    return answer


def now() -> float:
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def slow(sandbox: Sandbox) -> AsyncIterator[tuple[QuoteFixture, SlowRpc]]:
    async with HttpClient() as client:
        plain = quotes_on(sandbox, client)
        rpc = SlowRpc(plain.rpc.url, client, plain.rpc.name)
        gas = GasReader(rpc, now)
        yield (
            plain.with_(
                simulators={plain.chain.id: RpcSimulator(rpc, gas, 10.0)},
                composers={ChainType.EVM: EvmComposer((KEY,), {plain.chain.id: gas})},
            ),
            rpc,
        )


async def rounds(service: QuoteService, request: RouteRequest) -> tuple[int, RouteAnswer]:
    began = now()
    answer = await service.answer(request)
    return round((now() - began) / ROUND_S), answer


@pytest.mark.parametrize(
    ("sold", "bought", "amount", "tenth"),
    [("USDC", "WETH", 10**9, 3 * 10**16), ("USDC", "ETH", 10**9, 3 * 10**16), ("ETH", "USDC", 10**17, 3 * 10**7)],
)
@pytest.mark.parametrize(("boasts", "turns"), [((0, 0, 0), 1), ((0, 1, 2), 2), ((0, 0, -1), 2), ((0, 1, -1), 2)])
@in_virtual_time
async def test_a_simulation_costs_one_round_trip_before_the_ranking(
    restored_sandbox: Sandbox, sold: str, bought: str, amount: int, tenth: int, boasts: tuple[int, ...], turns: int
) -> None:
    """And one more for its gas limit; a first that promises too much costs both once more, in which two are run.

    A boast of -1 is a tenth of the output, with which the transaction reverts.
    """
    async with slow(restored_sandbox) as (plain, rpc):
        venues = [
            PoolVenue(plain.described, rpc, key=f"POOL{number}", boast=tenth if boast < 0 else boast)
            for number, boast in enumerate(boasts)
        ]
        service, request = plain.with_(*venues).service, plain.ask(sold, bought, amount)
        await service.answer(request)
        without, _ = await rounds(replace(service, simulators={}), request)
        rpc.began.clear()
        with_one, answer = await rounds(service, request)
    assert answer.simulation is not None
    assert answer.gas is not None
    assert answer.simulation.measured_output == answer.output_amount
    assert sum(call["method"] == "eth_simulateV1" for _, call in rpc.began) >= 2 * turns
    assert without == 1
    assert with_one == without + 2 * turns


@in_virtual_time
async def test_the_gas_limit_is_all_that_comes_after_the_runs(restored_sandbox: Sandbox) -> None:
    """Of what is asked in the last round nothing is a verdict: those were all asked for at once, a round before."""
    async with slow(restored_sandbox) as (plain, rpc):
        venues = [PoolVenue(plain.described, rpc, key=f"POOL{number}") for number in range(3)]
        service, request = plain.with_(*venues).service, plain.ask("USDC", "WETH", 10**9)
        await service.answer(request)
        rpc.began.clear()
        began = now()
        answer = await service.answer(request)
    assert isinstance(answer.gas, EvmGasTerms)
    seen = [(round((at - began) / ROUND_S), gas_of(call)) for at, call in rpc.began
            if call["method"] == "eth_simulateV1"]  # fmt: skip
    # Of three equal promises one is run: no other could count for more than what was measured.
    assert seen == [(1, MOST_GAS), (2, answer.gas.limit)]
    assert answer.gas.limit is not None
    assert answer.gas.limit < MOST_GAS


@pytest.mark.parametrize(("sold", "amount"), [("USDC", 10**9), ("ETH", 10**17)])
@pytest.mark.parametrize("routed", [True, False])
@in_virtual_time
async def test_so_does_that_of_a_transfer_in_either_form(
    restored_sandbox: Sandbox, sold: str, amount: int, routed: bool
) -> None:
    async with slow(restored_sandbox) as (plain, _):
        crossing = Crossing(plain, restored_sandbox.chains[1], [])
        service = crossing.with_(PayBridge(both(crossing), routed=routed)).service
        request = crossing.ask(sold, "USDC", amount)
        await service.answer(request)
        without, _ = await rounds(replace(service, simulators={}), request)
        with_one, answer = await rounds(service, request)
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert (without, with_one) == (0, 1 + 1)


def gas_of(call: dict[str, Any]) -> int:
    """The limit of the call that is run, the one with a price."""
    calls = call["params"][0]["blockStateCalls"][0]["calls"]
    (limit,) = [int(each["gas"], 16) for each in calls if "gasPrice" in each]
    return limit
