"""What is too lossy, too good to be true, or does not reach its bridge, by known prices."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.account import ApiClient
from rhumbline.domain.arrival import GasOnArrival
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.simulation import (
    Bridged,
    ExecutionStatus,
    OutputValidation,
    Simulation,
    SimulationResult,
    SimulationSource,
)
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.fees import Intake
from rhumbline.routing.offer import BuiltQuote, Offer
from rhumbline.routing.quote_context import Form, QuoteContext, TokenPair
from rhumbline.routing.quote_prices import PriceReader
from rhumbline.routing.run_faults import SwapTerms, bound_swap
from rhumbline.routing.slippage import pair_kind
from rhumbline.routing.value_limits import PairValues, ValueLimits, price_impact, swap_fault, too_good, too_lossy
from tests.routing.venues import DAI, WALLET, WETH, Toy, raising, toy_chain, toy_request, toy_token

LIMITS = ValueLimits()
HERE, THERE = toy_chain(), toy_chain(2)
USDC_1, DAI_1 = toy_token(), toy_token(DAI, "DAI", 18)
WETH_1 = toy_token(WETH, "WETH", 18)
USDC_2 = toy_token(chain=2)
TAIL = toy_token("0x1111111111111111111111111111111111111118", "PEPE", 18)
STRANGE = replace(TAIL, listed=False)
USD = {USDC_1.address: "1", DAI_1.address: "1", WETH_1.address: "3000", TAIL.address: "0.5"}


def reader(
    usd: Mapping[str, str] = USD, source: str = "test", *, stale: bool = False, awaited: bool = False
) -> PriceReader:
    def price(chain_id: int, token: str) -> PriceSnapshot | None:
        if token not in usd:
            return None
        now = datetime.now(UTC)
        worth = Decimal(usd[token])
        return PriceSnapshot(chain_id, token, worth, source, now, stale, PriceTier.HOT, False, awaited=awaited)

    return price


def prepared(sold: Token, bought: Token, amount: int, output: int, **changes: Any) -> tuple[QuoteContext, Quote[None]]:
    there = THERE if bought.chain_id == 2 else HERE
    asked: QuoteRequest = toy_request(amount, origin_token=sold, destination_token=bought, destination=there)
    request = RouteRequest(HERE, there, sold.address, bought.address, amount, WALLET, WALLET, ApiClient(), **changes)
    pair = TokenPair(sold, bought, pair_kind(HERE, sold, bought))
    context = QuoteContext(request, pair, (Form(asked, Intake(amount), None),), None)
    return context, Quote("A", asked, output, None)


def limited(
    limit: Callable[..., Refusal | None], context: QuoteContext, quote: Quote[None], prices: PriceReader | None = None
) -> Refusal | None:
    """Return what a limit says of a quote at prices."""
    priced = replace(context, prices=reader() if prices is None else prices)
    return limit(priced, quote, PairValues.of(priced), LIMITS)


GOOD = [
    (USDC_1, USDC_2, 10**6, 1_005_000, None),
    (USDC_1, USDC_2, 10**6, 1_005_001, "1 % more"),
    (USDC_1, DAI_1, 10**6, 101 * 10**16, None),
    (USDC_1, DAI_1, 10**6, 101 * 10**16 + 1, "2 % more"),
    (USDC_1, WETH_1, 3000 * 10**6, 103 * 10**16, None),
    (USDC_1, WETH_1, 3000 * 10**6, 104 * 10**16, "4 % more"),
    (USDC_1, TAIL, 10**6, 22 * 10**17, None),
    (USDC_1, TAIL, 10**6, 25 * 10**17, "25 % more"),
    (USDC_1, STRANGE, 10**6, 10**30, None),
]


@pytest.mark.parametrize(("sold", "bought", "amount", "output", "reason"), GOOD)
def test_what_is_too_good(sold: Token, bought: Token, amount: int, output: int, reason: str | None) -> None:
    context, quote = prepared(sold, bought, amount, output)
    refusal = limited(too_good, context, quote)
    if reason is None:
        assert refusal is None
    else:
        assert refusal is not None
        assert reason in refusal.reason


def test_the_same_asset_needs_no_price_and_other_pairs_fresh_ones() -> None:
    context, quote = prepared(USDC_1, USDC_2, 10**6, 1_500_000)
    assert limited(too_good, context, quote, reader({})) is not None
    context, quote = prepared(USDC_1, WETH_1, 3000 * 10**6, 10**19)
    assert limited(too_good, context, quote) is not None
    assert limited(too_good, context, quote, reader({})) is None
    assert limited(too_good, context, quote, reader(stale=True)) is None


def test_no_slippage_of_the_callers_makes_a_promise_true() -> None:
    context, quote = prepared(USDC_1, WETH_1, 3000 * 10**6, 10**19, slippage=Fraction(1, 2))
    assert limited(too_good, context, quote) is not None
    context, quote = prepared(USDC_1, WETH_1, 3000 * 10**6, 6 * 10**17)
    assert limited(too_lossy, context, quote) is not None
    context, quote = prepared(USDC_1, WETH_1, 3000 * 10**6, 6 * 10**17, slippage=Fraction(1, 2))
    assert limited(too_lossy, context, quote) is None


def test_native_on_arrival_is_bought_and_not_lost() -> None:
    context, quote = prepared(USDC_1, WETH_1, 3000 * 10**6, 6 * 10**17)
    assert limited(too_lossy, context, quote) is not None
    brought = replace(quote, gas_on_arrival=GasOnArrival(400, 390, 4 * 10**17))
    assert limited(too_lossy, context, brought) is None
    assert price_impact(brought, reader()) == 0
    assert limited(too_good, context, replace(brought, output_amount=7 * 10**17)) is not None


@given(st.integers(1, 10**30), st.integers(1, 10**30))
def test_nothing_is_both_and_more_is_never_better(amount: int, output: int) -> None:
    context, quote = prepared(USDC_1, WETH_1, amount, output)
    good, lossy = (limited(limit, context, quote) for limit in (too_good, too_lossy))
    assert good is None or lossy is None
    more = replace(quote, output_amount=output + 1)
    assert good is None or limited(too_good, context, more) is not None
    assert lossy is not None or limited(too_lossy, context, more) is None


SWAPS = [
    (Bridged(97 * 10**16, 0), None),
    (Bridged(90 * 10**16, 7 * 10**16), None),
    (Bridged(96 * 10**16, 0), "4 % of the value"),
    (Bridged(0, 10**18), None),
    (Bridged(10**12, 0), "100 % of the value"),
]


@pytest.mark.parametrize(("seen", "reason"), SWAPS)
def test_what_reaches_a_bridge_is_worth_the_input(seen: Bridged, reason: str | None) -> None:
    _, quote = prepared(USDC_1, USDC_2, 3000 * 10**6, 3000 * 10**6)
    fault = swap_fault(quote, WETH_1, seen, "A", reader(), LIMITS)
    assert fault is None if reason is None else reason in str(fault)


@pytest.mark.parametrize(
    ("token", "prices"),
    [
        (None, reader()),
        (WETH_1, reader({})),
        (WETH_1, reader(stale=True)),
        (WETH_1, reader(source="onchain")),
        (WETH_1, reader(source="a")),
        (replace(WETH_1, listed=False), reader()),
        (WETH_1, reader({USDC_1.address: "1"})),
    ],
    ids=["unknown", "none", "stale", "pools", "own", "unlisted", "one"],
)
def test_without_an_independent_price_there_is_no_swap_before_a_bridge(
    token: Token | None, prices: PriceReader
) -> None:
    _, quote = prepared(USDC_1, USDC_2, 3000 * 10**6, 3000 * 10**6)
    assert "no independent price" in str(swap_fault(quote, token, Bridged(10**18), "A", prices, LIMITS))


@pytest.mark.parametrize("awaited", [True, False])
@pytest.mark.parametrize("listed", [True, False])
async def test_a_swap_that_nobody_can_judge_for_an_outage_of_the_sources_is_no_definite_no(
    awaited: bool, listed: bool
) -> None:
    context, quote = prepared(USDC_1, USDC_2, 3000 * 10**6, 3000 * 10**6)
    deposit = BridgeDeposit(WETH, 10**18, (WALLET,), swapped=True)
    upstream = EvmTransaction(1, WALLET, 0, b"", None, CallKind.PAY, deposit=deposit)
    built = BuiltQuote(Offer(quote, context.forms[0], 1), b"", upstream, 0, 0, upstream, None, None)
    ran = SimulationResult(SimulationSource.RPC, ExecutionStatus.SUCCESS, OutputValidation.UNVERIFIABLE, 1)
    simulation = Simulation(ran, 3000 * 10**6, (ran,), bridged=Bridged(10**18))
    token = replace(WETH_1, listed=listed)
    context = replace(context, prices=reader(USD if listed else {WETH: "3000"}, stale=True, awaited=awaited))
    terms = SwapTerms(token, "A", LIMITS)
    found = await bound_swap(context, built, Toy("A", raising(NoRoute(""))), EvmComposer((b"",)), simulation, terms)
    assert isinstance(found, Refusal)
    passing = awaited and listed
    assert (found.kind, "sources have not answered" in found.reason) == ("transient" if passing else "refused", passing)


def prices_of(chain_id: int, token: str) -> PriceSnapshot | None:
    return reader({**USD, toy_request().origin_token.address: "2"})(chain_id, token)


@pytest.mark.parametrize(
    ("said", "known", "impact"),
    [
        (12, True, Fraction(12, 10_000)),
        (-3, False, Fraction(-3, 10_000)),
        (0, True, Fraction(0)),
        (None, True, Fraction(1, 2)),
        (None, False, None),
    ],
)
def test_the_price_impact_is_the_adapters_else_of_fresh_prices(
    said: int | None, known: bool, impact: Fraction | None
) -> None:
    quote = Quote("A", toy_request(10**6), 10**18, None, price_impact_bps=said)
    assert price_impact(quote, prices_of if known else reader({})) == impact
    stale = reader(dict.fromkeys(USD, "1"), stale=True)
    assert price_impact(quote, stale) == (None if said is None else Fraction(said, 10_000))


def test_native_that_a_bridge_brings_by_itself_is_not_lost() -> None:
    """A fifth of the input may be lost; what is told in native counts at its price, of the output at the output's."""
    there, gas = THERE.native, 10**16
    prices = reader({**USD, there.address: "3000"})
    context, quote = prepared(USDC_1, USDC_2, 100 * 10**6, 60 * 10**6, destination_gas=gas)
    quote = replace(quote, request=replace(quote.request, destination_gas=gas))
    told = replace(quote, fees=(FeeItem(FeeType.DESTINATION_GAS, gas, there),))
    spent = replace(quote, gas_on_arrival=GasOnArrival(gas, gas, 30 * 10**6))
    assert limited(too_lossy, context, quote, prices) is not None
    for each in (told, spent):
        assert limited(too_lossy, context, each, prices) is None
        assert price_impact(each, prices) == Fraction(1, 10)
    refusal = limited(too_lossy, context, told)
    assert refusal is not None
    assert refusal.reason == "there is no price by which the cost of destinationGas could be checked"
    assert limited(too_lossy, replace(context, request=replace(context.request, destination_gas=0)), spent) is None
