"""Native on arrival by SWIFT: asked for, in what is signed, delivered with the output or not at all."""

import json
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.mayan.checking import verify_order
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.gas_drop import drop_units, whole_drop
from rhumbline.adapters.mayan.kinds.order import Kind, Places
from rhumbline.adapters.mayan.plan import plan_of
from rhumbline.adapters.mayan.protocol_calls import read_protocol_call
from rhumbline.domain.arrival import GasOnArrival
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json, read_json
from rhumbline.gateways.nodes.evm.native_gain import native_gain
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.mayan.stub_upstream import KEYS, NOW, changed, open_stub, read, request

GAS = 2 * 10**15 + 1
DROP = 2 * 10**15 + 10**10
"""The protocol keeps eight decimals: rounded up."""


def wanted(adapter_fixture: AdapterFixture, gas: int = GAS, **how: Any) -> QuoteRequest:
    asked = adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000, **how)
    return replace(asked, destination_gas=gas)


async def test_what_was_asked_arrives_with_the_output(adapter_fixture: AdapterFixture) -> None:
    asked, native = wanted(adapter_fixture), adapter_fixture.chains["sbxb"].native
    plain = await adapter_fixture.adapter.quote(replace(asked, destination_gas=0))
    had = await adapter_fixture.balance(native, RECEIVER)
    arrived = await adapter_fixture.delivered(asked)
    quote = arrived.quote
    assert await adapter_fixture.balance(native, RECEIVER) - had == DROP
    assert quote.gas_on_arrival == GasOnArrival(DROP, DROP)
    assert FeeItem(FeeType.DESTINATION_GAS, DROP, native) in quote.fees
    assert quote.output_amount < plain.output_amount
    assert quote.payload.order.kind is Kind.SWIFT
    assert (DROP // 10**10).to_bytes(32) in arrived.transaction.data
    rpc, fill = adapter_fixture.rpcs["sbxb"], str(arrived.status.destination_tx_hash)
    assert await native_gain(rpc, RECEIVER, fill, with_value=True) == DROP
    for account, tx_hash in ((adapter_fixture.account, fill), (RECEIVER, "0x" + "00" * 32)):
        assert await native_gain(rpc, account, tx_hash) is None
    assert (arrived.status.raw["destinationGas"], arrived.status.raw["gasDrop"]) == (str(DROP), "0.00200001")


async def test_without_it_the_record_tells_of_none(adapter_fixture: AdapterFixture) -> None:
    arrived = await adapter_fixture.delivered(wanted(adapter_fixture, 0))
    assert not {"destinationGas", "gasDrop"} & set(arrived.status.raw)
    (asked, *_) = [each for each in adapter_fixture.emulator.requests if each.path == "/quote"]
    assert "gasDrop" not in dict(asked.query)


async def test_what_is_not_delivered_comes_back_without_it(adapter_fixture: AdapterFixture) -> None:
    await adapter_fixture.comes_back_without_gas(wanted(adapter_fixture))


async def test_who_cannot_take_it_or_wants_too_much_is_refused(adapter_fixture: AdapterFixture) -> None:
    with pytest.raises(NoRoute, match=r"brings at most 0\.01 ETH to "):
        await adapter_fixture.adapter.quote(wanted(adapter_fixture, 10**16 + 1))
    assert not [each for each in adapter_fixture.emulator.requests if each.path == "/quote"]
    executor = str(adapter_fixture.chains["sbxb"].executor)
    contract = replace(wanted(adapter_fixture), receiver=executor, payout_address=executor)
    with pytest.raises(NoRoute, match="the receiver is a contract"):
        await adapter_fixture.adapter.quote(contract)
    blind = changed(adapter_fixture.adapter, context=replace(adapter_fixture.adapter.context, rpcs={}))
    with pytest.raises(NoRoute, match="no node tells"):
        await blind.quote(wanted(adapter_fixture))


async def test_only_swift_is_asked() -> None:
    for key in KEYS:
        async with open_stub(key) as stub_upstream:
            brings = key in ("MAYAN", "MAYAN_SWIFT")
            assert stub_upstream.adapter.info.gas_from == (tuple(ChainType) if brings else ())
            assert stub_upstream.adapter.supports(request(destination_gas=GAS)) is brings


PLACES = Places(DEPLOYMENTS[1], DEPLOYMENTS[8453], int(NOW.timestamp()), bytes)


def told_of(drop: str) -> Json:
    """A published quote, as it would be with a drop."""
    return read_json(json.dumps({**read("swift_usdc_to_base_usdc"), "gasDrop": float(drop)}).encode())


@pytest.mark.parametrize("told", ["0", "0.002", "0.00200002", "0.02", "0.01", "-0.00200001"])
def test_an_answer_with_another_drop_is_refused(told: str) -> None:
    """A quote that promises the output and leaves out the native, or a part of it; or brings what nobody asked for."""
    asked = request(destination_gas=GAS)
    honest = plan_of(Kind.SWIFT, told_of("0.00200001"), asked, PLACES)
    assert read_protocol_call(honest.order.data).gas_drop == DROP // 10**10
    with pytest.raises(UpstreamFailed):
        plan_of(Kind.SWIFT, told_of(told), asked, PLACES)


def test_what_is_signed_has_the_drop() -> None:
    asked = request(destination_gas=GAS)
    order = plan_of(Kind.SWIFT, told_of("0.00200001"), asked, PLACES).order
    word = (DROP // 10**10).to_bytes(32)
    assert order.data.count(word) == 1
    for other in (0, DROP // 10**10 - 1):
        changed_order = replace(order, data=order.data.replace(word, other.to_bytes(32)))
        with pytest.raises(UpstreamFailed, match="native on arrival"):
            verify_order(changed_order, asked, PLACES.here, PLACES.there)


@pytest.mark.parametrize(("gas", "units"), [(1, 1), (10**10, 1), (10**10 + 1, 2), (10**16, 10**6), (0, 0)])
def test_it_is_rounded_up_to_eight_decimals(gas: int, units: int) -> None:
    asked = request(destination_gas=gas)
    assert drop_units(asked, DEPLOYMENTS[8453]) == units
    assert int(whole_drop(asked, DEPLOYMENTS[8453]) * 10**18) == units * 10**10 >= gas


def test_chains_without_a_documented_most_have_none() -> None:
    for place in (DEPLOYMENTS[59144], DEPLOYMENTS[146]):
        with pytest.raises(NoRoute, match="at most 0 ETH"):
            drop_units(request(destination_gas=1), place)
