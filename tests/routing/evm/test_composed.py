"""A swap and a bridge in one transaction: who is asked for what, what is signed, what is guaranteed end to end."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NoAvailableQuotes
from rhumbline.domain.pauses import Pause, Pauses
from rhumbline.domain.plan import StepRequest, StepType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import AdapterFilter
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.routing.planner import Planner
from rhumbline.routing.slippage import least_output
from tests.routing.carrier import DAI, Carrier, calls_of, onchain, sent_of
from tests.routing.evm.test_composer import DEPOSIT, Crossing, PayBridge, both, crossing
from tests.routing.quote_fixture import KEY
from tests.routing.venues import PoolVenue

__all__ = ["crossing"]
POOLS = 4
HALF_OF_DEFAULT = Fraction(1, 2000)


@pytest.mark.parametrize(("sold", "amount"), [("DAI", 500 * DAI), ("ETH", DAI // 5)])
async def test_a_swap_and_a_bridge_are_one_transaction(crossing: Crossing, sold: str, amount: int) -> None:
    bridge = Carrier(both(crossing))
    quotes = crossing.with_(onchain(crossing), bridge)
    answer = await quotes.service.answer(crossing.ask(sold, "USDC", amount, receiver=quotes.receiver))
    (asked,) = bridge.asked
    order, (swap, pay) = calls_of(answer)
    usdc = quotes.token("USDC")
    assert (asked.origin_token.address, asked.taker) == (usdc, quotes.chain.executor)
    assert (answer.adapter, answer.origin_token.symbol) == ("CARRIER", sold)
    assert (order["inputToken"], order["inputAmount"]) == (quotes.token(sold).lower(), amount)
    assert (order["sentToken"], order["sentAmount"]) == (usdc.lower(), asked.amount)
    assert (swap["kind"], swap["target"]) == (POOLS, str(quotes.chain.executor).lower())
    assert (pay["target"], pay["token"], pay["amount"]) == (DEPOSIT, usdc.lower(), asked.amount)
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    (build,) = crossing.kept
    assert (build.input_token, build.input_amount) == (quotes.token(sold), amount)
    assert (build.sent_token, build.sent_amount) == (usdc, asked.amount)
    # The bridge has exactly what was agreed, the wallet what the swap brought beyond.
    kept = await balance_of(quotes.rpc, usdc, quotes.sender)
    assert await sent_of(quotes, answer, usdc) == asked.amount
    left_over = await balance_of(quotes.rpc, usdc, quotes.sender) - kept
    expected = asked.amount + left_over
    assert asked.amount in range(int(expected * (1 - Fraction(5, 1000))) - 1, expected)
    assert quotes.chain.executor is not None
    assert await balance_of(quotes.rpc, usdc, quotes.chain.executor) == 0


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ({}, HALF_OF_DEFAULT, HALF_OF_DEFAULT),
        ({"slippage": Fraction(1, 1000)}, Fraction(1, 2000), Fraction(1, 2000)),
        # However much is permitted, the swap leaves no more behind than its pair needs.
        ({"slippage": Fraction(1, 10)}, Fraction(1, 1000), Fraction(99, 1000)),
        ({"slippage": Fraction(0)}, Fraction(0), Fraction(0)),
    ],
)
async def test_slippage_is_applied_once(
    crossing: Crossing, changes: dict[str, Any], before: Fraction, after: Fraction
) -> None:
    exchange, bridge = onchain(crossing), Carrier(both(crossing))
    quotes = crossing.with_(exchange, bridge)
    request = crossing.ask("DAI", "USDC", 500 * DAI, **changes)
    answer = await quotes.service.answer(request)
    (asked,) = bridge.asked
    alone = await quotes.service.answer(
        replace(request, destination=request.origin, destination_token=quotes.token("USDC"))
    )
    expected = alone.output_amount
    assert asked.amount == least_output(expected, before)
    assert asked.slippage == after
    assert answer.output_amount == asked.amount // 2
    assert answer.min_output_amount == least_output(answer.output_amount, after)
    # End to end no more is lost than was permitted, but for the units that rounding takes.
    permitted = before + after
    assert answer.min_output_amount + 2 >= expected // 2 * (1 - permitted)


@pytest.mark.parametrize(
    ("choice", "answered"),
    [
        (AdapterFilter(), True),
        (AdapterFilter(include_exchanges=frozenset({"ONCHAIN"})), True),
        (AdapterFilter(include_bridges=frozenset({"CARRIER"})), True),
        (AdapterFilter(exclude_exchanges=frozenset({"ONCHAIN"})), False),
        (AdapterFilter(include_exchanges=frozenset({"POOL"})), False),
        (AdapterFilter(exclude_bridges=frozenset({"CARRIER"})), False),
        (AdapterFilter(include_bridges=frozenset({"OTHER"})), False),
    ],
)
async def test_filters_govern_each_part(crossing: Crossing, choice: AdapterFilter, answered: bool) -> None:
    quotes = crossing.quotes
    bridge = Carrier(both(crossing))
    # An exchange whose calls are another's goes before no bridge.
    pool = PoolVenue(quotes.described, quotes.rpc)
    service = crossing.with_(onchain(crossing), pool, bridge).service
    request = crossing.ask("DAI", "USDC", 500 * DAI, adapters=choice)
    if answered:
        assert (await service.answer(request)).adapter == "CARRIER"
        return
    with pytest.raises(NoAvailableQuotes):
        await service.answer(request)
    assert bridge.asked == []


@pytest.mark.parametrize(
    ("sold", "bought", "ways"),
    [
        # What the bridge carries itself is swapped into nothing.
        ("USDC", "USDT", {"USDC"}),
        ("USDT", "ETH", {"USDT"}),
        ("ETH", "ETH", {"ETH"}),
        ("DAI", "DAI", {"DAI"}),
        # Where what is bought is an anchor, only that one is gone through; else two are.
        ("DAI", "USDT", {"DAI", "USDT"}),
        ("DAI", "WBTC", {"DAI", "USDC", "USDT"}),
    ],
)
async def test_few_ways_are_asked_for(crossing: Crossing, sold: str, bought: str, ways: set[str]) -> None:
    bridge = PayBridge(both(crossing))
    quotes = crossing.with_(onchain(crossing), bridge)
    await quotes.service.answer(crossing.ask(sold, bought, 500 * DAI if sold == "DAI" else 10**9))
    assert {asked.origin_token.symbol for asked in bridge.asked} == ways
    assert len(bridge.asked) == len(ways)


async def test_the_better_way_wins(crossing: Crossing) -> None:
    """A plain quote counts by the same rule, so neither way is preferred."""

    @dataclass(frozen=True)
    class Poor(PayBridge):
        async def quote(self, request: QuoteRequest, /) -> Quote[None]:
            return replace(await super().quote(request), output_amount=1000)

    poor = Poor(both(crossing), key="POOR")
    quotes = crossing.with_(onchain(crossing), Carrier(both(crossing)), poor)
    assert (await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))).adapter == "CARRIER"
    rich = PayBridge(both(crossing), key="RICH")
    quotes = crossing.with_(onchain(crossing), Carrier(both(crossing)), rich)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert (answer.adapter, len(calls_of(answer)[1])) == ("RICH", 1)


async def test_routes_offer_it_as_one_step_that_can_be_had_again(crossing: Crossing) -> None:
    quotes = crossing.with_(onchain(crossing), Carrier(both(crossing)))
    planner = Planner(quotes.service, (KEY,))
    request = crossing.ask("DAI", "USDC", 500 * DAI)
    plans = await planner.routes(request, 10)
    (single,) = [plan for plan in plans if len(plan.steps) == 1]
    (step,) = single.steps
    assert (step.type, step.adapter, step.origin_token.symbol) == (StepType.BRIDGE, "CARRIER", "DAI")
    again = await planner.step(StepRequest(single.id, 0, step.adapter, step.request))
    assert len(calls_of(again)[1]) == 2
    assert again.min_output_amount == step.min_output_amount


async def test_of_two_ways_through_one_bridge_the_better_is_kept(crossing: Crossing) -> None:
    bridge = Carrier(both(crossing), carries=frozenset({"USDC", "USDT"}))
    service = crossing.with_(onchain(crossing), bridge).service
    offers = await service.gather(await service.prepare(crossing.ask("DAI", "WBTC", 500 * DAI)))
    (quote,) = (offer.quote for offer in offers.offers)
    assert len({asked.amount for asked in bridge.asked}) == 2
    assert quote.output_amount == max(asked.amount for asked in bridge.asked) // 2
    assert [refusal.adapter for refusal in offers.refusals] == ["ONCHAIN"]


@pytest.mark.parametrize("sold", ["DAI", "ETH"])
async def test_a_placeholder_sees_what_a_wallet_would(crossing: Crossing, sold: str) -> None:
    quotes = crossing.with_(onchain(crossing), Carrier(both(crossing)))
    answer = await quotes.service.answer(crossing.ask(sold, "USDC", DAI // 10, sender=NATIVE_EVM, receiver=NATIVE_EVM))
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    assert crossing.kept == []


async def test_fees_are_taken_off_the_input(crossing: Crossing) -> None:
    bridge = Carrier(both(crossing))
    quotes = crossing.with_(onchain(crossing), bridge)
    plain = await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    request = crossing.ask("DAI", "USDC", 500 * DAI, integrator="acme", fee_share=Fraction(1, 100))
    answer = await quotes.service.answer(request)
    (charge,) = answer.charges
    _, (swap, _) = calls_of(answer)
    assert charge.amount == 5 * DAI
    assert swap["amount"] + charge.amount == 500 * DAI
    assert answer.output_amount < plain.output_amount


@pytest.mark.parametrize("here", [True, False])
async def test_an_exchange_that_is_paused_on_a_chain_swaps_before_no_bridge_there(
    crossing: Crossing, here: bool
) -> None:
    exchange, bridge = onchain(crossing), Carrier(both(crossing))
    quotes = crossing.with_(exchange, bridge)
    request = crossing.ask("DAI", "USDC", 500 * DAI, receiver=quotes.receiver)
    chain = request.origin if here else request.destination
    pauses = Pauses((Pause(exchange.info.key, chain.id, system_clock(), "alice", "any"),))
    service = replace(quotes.service, pauses=lambda: pauses)
    if here:
        with pytest.raises(NoAvailableQuotes):
            await service.answer(request)
    else:
        assert (await service.answer(request)).adapter == "CARRIER"
