"""What a compute unit is paid lies within bounds, whatever a node tells of what others paid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.svm import server
from rhumbline.gateways.nodes.svm.answers import PriorityFee
from rhumbline.gateways.svm.compute_budget import read_budget
from rhumbline.routing.svm.network_price import UnitPrices
from tests.routing.svm.quote_fixture import SvmQuotes, instructions_of


def told(*prices: int) -> list[PriorityFee]:
    return [PriorityFee(slot, price) for slot, price in enumerate(prices)]


def test_where_slots_took_nothing_something_is_paid_all_the_same() -> None:
    assert UnitPrices(10_000, 1_000_000).chosen(told(*[0] * 150)) == 10_000
    assert UnitPrices(10_000, 1_000_000).chosen([]) == 10_000


def test_three_quarters_of_the_slots_count() -> None:
    assert UnitPrices().chosen(told(*[0] * 74, *[30_000] * 26)) == 30_000
    assert UnitPrices().chosen(told(*[0] * 76, *[30_000] * 24)) == UnitPrices().least


@given(st.lists(st.integers(0, 2**64 - 1), max_size=150), st.integers(0, 10**6), st.integers(0, 10**6))
def test_it_is_never_below_the_least_nor_above_the_most(prices: list[int], least: int, beyond: int) -> None:
    assert least <= UnitPrices(least, least + beyond).chosen(told(*prices)) <= least + beyond


async def test_a_transaction_pays_the_least_on_a_chain_that_takes_nothing(quotes: SvmQuotes) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 10**9))
    assert read_budget(instructions_of(answer)).micro_lamports == UnitPrices().least


async def test_a_node_that_does_not_tell_prices_costs_no_quote(
    quotes: SvmQuotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = {name: each for name, each in server.METHODS.items() if name != "getRecentPrioritizationFees"}
    monkeypatch.setattr(server, "METHODS", left)
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 10**9))
    assert read_budget(instructions_of(answer)).micro_lamports == UnitPrices().least
