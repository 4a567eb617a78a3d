"""What a quote asks of an EVM chain's node, and what quotes of one moment ask together."""

import asyncio
from dataclasses import replace

import pytest

from rhumbline.domain.chain import ChainType
from rhumbline.gateways.nodes.evm.endpoints import ChainIdentity
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.evm.contract_checks import ContractChecks
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from tests.clocks import Seconds
from tests.node_calls import CountingClient
from tests.routing.quote_fixture import KEY, QuoteFixture

RUN = ("eth_simulateV1",)
"""A transaction is run twice: for what it does, and with the gas limit that is handed out."""


async def test_what_holds_for_a_moment_is_one_request_and_each_quote_has_its_runs(
    quotes: QuoteFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, clock = quotes.chain.id, Seconds()
    monkeypatch.setattr("rhumbline.routing.evm.contract_checks._LOOK_AGAIN_S", -1.0)
    async with (http := CountingClient()):
        rpc = replace(quotes.rpc, http=http, identity=ChainIdentity(number, clock))
        gas = GasReader(rpc, clock)
        service = replace(
            quotes.service,
            simulators={number: RpcSimulator(rpc, gas, 10.0)},
            composers={ChainType.EVM: EvmComposer((KEY,), {number: gas}, ContractChecks({number: rpc}, 10.0))},
        )
        await service.answer(quotes.ask("USDC", "WETH", 10**9))
        clock.now += 2.0
        http.requests.clear()
        await service.answer(quotes.ask("USDC", "WETH", 10**9 + 1))
        moment = ("eth_chainId", "eth_getBlockByNumber", "eth_maxPriorityFeePerGas")
        assert [each.methods for each in http.requests] == [moment, RUN, RUN]
        http.requests.clear()
        several = [service.answer(quotes.ask("USDC", "WETH", 10**9 + each)) for each in range(20)]
        await asyncio.gather(*several)
        assert [each.methods for each in http.requests] == [RUN, RUN] * 20
