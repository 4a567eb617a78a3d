"""Native on arrival by Relay: a payment of the signed order, delivered with the output or not at all."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.devnet.upstreams.relay import emulator as emulator_module
from rhumbline.devnet.upstreams.relay.order import Terms, order_data
from rhumbline.domain.errors import AdapterError, NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture

GAS = 2 * 10**15


def wanted(adapter_fixture: AdapterFixture, gas: int = GAS, origin: str = "USDC") -> QuoteRequest:
    amount = 250 * 10 ** adapter_fixture.tokens["sbxa", origin].decimals
    return replace(adapter_fixture.request(("sbxa", origin), ("sbxb", "USDC"), amount), destination_gas=gas)


@pytest.mark.parametrize("origin", ["USDC", "DAI"])
async def test_what_was_asked_arrives_with_the_output(adapter_fixture: AdapterFixture, origin: str) -> None:
    asked, native = wanted(adapter_fixture, origin=origin), adapter_fixture.chains["sbxb"].native
    plain = await adapter_fixture.adapter.quote(replace(asked, destination_gas=0))
    before, had = len(adapter_fixture.emulator.requests), await adapter_fixture.balance(native, RECEIVER)
    arrived = await adapter_fixture.delivered(asked)
    quote, told = arrived.quote, arrived.quote.gas_on_arrival
    assert told is not None
    assert GAS <= told.minimum <= told.amount <= GAS * 106 // 100
    gained = await adapter_fixture.balance(native, RECEIVER) - had
    assert gained == told.amount == int(str(arrived.status.raw["destinationGas"]))
    (item,) = [each for each in quote.fees if each.type is FeeType.DESTINATION_GAS]
    assert (item.amount, item.token) == (told.amount, native)
    # What the rest costs is told apart.
    assert [each for each in quote.fees if each != item] == list(plain.fees)
    assert quote.output_amount < plain.output_amount
    posted = [each.body for each in adapter_fixture.emulator.requests[before:] if each.path == "/quote/v2"]
    assert [bool(isinstance(body, dict) and body["topupGas"]) for body in posted].count(True) == 2
    assert len(posted) == 3


async def test_without_it_nothing_is_asked_or_told(adapter_fixture: AdapterFixture) -> None:
    arrived = await adapter_fixture.delivered(wanted(adapter_fixture, 0))
    (posted,) = [each.body for each in adapter_fixture.emulator.requests if each.path == "/quote/v2"]
    assert isinstance(posted, dict)
    assert (posted["topupGas"], "topupGasAmount" in posted) == (False, False)
    assert "destinationGas" not in arrived.status.raw


async def test_what_is_not_delivered_comes_back_without_it(adapter_fixture: AdapterFixture) -> None:
    await adapter_fixture.comes_back_without_gas(wanted(adapter_fixture))


def _twice(order: dict[str, Any]) -> dict[str, Any]:
    order["output"]["payments"].append(order["output"]["payments"][-1])
    return order


def _elsewhere(order: dict[str, Any]) -> dict[str, Any]:
    order["output"]["payments"][-1]["recipient"] = "0x" + "5b" * 20
    return order


LIES: dict[str, tuple[Callable[[Terms], Terms], Callable[[dict[str, Any]], dict[str, Any]], type[AdapterError]]] = {
    # The answer's words promise it, and the solver signs an order that does not.
    "none": (lambda terms: replace(terms, native=0), lambda order: order, UpstreamFailed),
    "no minimum": (lambda terms: replace(terms, least_native=0), lambda order: order, UpstreamFailed),
    "loose": (lambda terms: replace(terms, least_native=terms.native * 9 // 10), lambda order: order, UpstreamFailed),
    "more": (lambda terms: replace(terms, native=2 * GAS, least_native=2 * GAS), lambda order: order, NoRoute),
    "minimum above": (lambda terms: replace(terms, native=terms.least_native - 1), lambda order: order, UpstreamFailed),
    "twice": (lambda terms: terms, _twice, UpstreamFailed),
    "to a stranger": (lambda terms: terms, _elsewhere, UpstreamFailed),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
async def test_an_order_that_does_not_hold_it_is_refused(
    adapter_fixture: AdapterFixture, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    """The solver signs all of these orders; only the native on arrival is not what was asked for."""
    lower, change, error = LIES[lie]

    def lied(terms: Terms, solver: str, salt: str) -> dict[str, Any]:
        honest = not terms.native
        return order_data(terms, solver, salt) if honest else change(order_data(lower(terms), solver, salt))

    monkeypatch.setattr(emulator_module, "order_data", lied)
    with pytest.raises(error):
        await adapter_fixture.quoted(wanted(adapter_fixture))
