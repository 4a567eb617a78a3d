"""A swap and a bridge in one transaction: who is asked for what, what is signed, what is guaranteed end to end."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.devnet.evm.operator import SetUpError, encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import BelowMinimum, NoAvailableQuotes, NoRoute, RhumblineError, UpstreamFailed
from rhumbline.domain.plan import StepRequest, StepType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import AdapterFilter, RouteAnswer
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.transaction import EvmTransaction, UpstreamTransaction
from rhumbline.routing.evm.verifying import decode_bridge
from rhumbline.routing.planning import Planner
from rhumbline.routing.quoting import Deadlines
from rhumbline.routing.slippage import least_output
from tests.adapters.uniswap.adapter_fixture import open_desk
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.test_bridging import DEPOSIT, Crossing, PayBridge, both, crossing, sent
from tests.routing.venues import PoolVenue

__all__ = ["crossing"]
DAI = 10**18
HALF_OF_DEFAULT = Fraction(1, 2000)


@dataclass(frozen=True)
class Carrier(PayBridge):
    """A bridge that carries some tokens only; ``error`` is what it says instead of a quote for the others."""

    key: str = "CARRIER"
    carries: frozenset[str] = frozenset({"USDC"})
    error: Exception | None = None

    def supports(self, request: QuoteRequest, /) -> bool:
        return super().supports(request) and request.origin_token.symbol in self.carries

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        if self.error is not None:
            self.asked.append(request)
            raise self.error
        return await super().quote(request)


def uniswap(crossing: Crossing) -> Any:
    quotes = crossing.quotes
    return open_desk(quotes.described, quotes.rpc, quotes.sender).adapter


def calls_of(answer: RouteAnswer) -> tuple[dict[str, Any], Sequence[dict[str, Any]]]:
    assert isinstance(answer.transaction, EvmTransaction)
    decoded: Any = decode_bridge(answer.transaction.data)
    return decoded["order"], decoded["operations"]


@pytest.mark.parametrize(("sold", "amount"), [("DAI", 500 * DAI), ("ETH", DAI // 5)])
async def test_a_swap_and_a_bridge_are_one_transaction(crossing: Crossing, sold: str, amount: int) -> None:
    bridge = Carrier(both(crossing))
    quotes = crossing.with_(uniswap(crossing), bridge)
    answer = await quotes.service.answer(crossing.ask(sold, "USDC", amount, receiver=quotes.receiver))
    (asked,) = bridge.asked
    order, (swap, pay) = calls_of(answer)
    usdc = quotes.token("USDC")
    assert (asked.origin_token.address, asked.taker) == (usdc, quotes.chain.executor)
    assert (answer.adapter, answer.origin_token.symbol) == ("CARRIER", sold)
    assert (order["inputToken"], order["inputAmount"]) == (quotes.token(sold).lower(), amount)
    assert (order["sentToken"], order["sentAmount"]) == (usdc.lower(), asked.amount)
    assert swap["target"] == quotes.described.contracts["swap_router_02"].lower()
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


async def sent_of(quotes: QuoteFixture, answer: RouteAnswer, token: str) -> int:
    """Execute; return what the deposit address got of a token that is not the input."""
    before = await balance_of(quotes.rpc, token, DEPOSIT)
    await sent(quotes, answer, NATIVE_EVM)
    return await balance_of(quotes.rpc, token, DEPOSIT) - before


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
    exchange, bridge = uniswap(crossing), Carrier(both(crossing))
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


async def test_what_a_bridge_fixes_must_be_within_its_part(crossing: Crossing) -> None:
    """Within the whole would not do: the swap may lose its part too."""
    tight = Carrier(both(crossing), least=1 - Fraction(8, 10_000))
    service = crossing.with_(uniswap(crossing), tight).service
    with pytest.raises(RhumblineError) as caught:
        await service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert "after a swap into USDC: guarantees" in str(caught.value.details)
    loose = await service.answer(crossing.ask("DAI", "USDC", 500 * DAI, slippage=Fraction(1, 500)))
    assert loose.min_output_amount == int(loose.output_amount * (1 - Fraction(8, 10_000)))


@pytest.mark.parametrize(
    ("choice", "answered"),
    [
        (AdapterFilter(), True),
        (AdapterFilter(include_exchanges=frozenset({"UNISWAP"})), True),
        (AdapterFilter(include_bridges=frozenset({"CARRIER"})), True),
        (AdapterFilter(exclude_exchanges=frozenset({"UNISWAP"})), False),
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
    service = crossing.with_(uniswap(crossing), pool, bridge).service
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
        # Where what is bought is an anchor, only that one is gone through; else two are.
        ("DAI", "USDT", {"DAI", "USDT"}),
        ("DAI", "WBTC", {"DAI", "USDC", "USDT"}),
    ],
)
async def test_few_ways_are_asked_for(crossing: Crossing, sold: str, bought: str, ways: set[str]) -> None:
    bridge = PayBridge(both(crossing))
    quotes = crossing.with_(uniswap(crossing), bridge)
    await quotes.service.answer(crossing.ask(sold, bought, 500 * DAI if sold == "DAI" else 10**9))
    assert {asked.origin_token.symbol for asked in bridge.asked} == ways
    assert len(bridge.asked) == len(ways)


@pytest.mark.parametrize(
    "error", [NoRoute("no"), UpstreamFailed("gone"), BelowMinimum("too little", 10**9), ValueError("unforeseen")]
)
async def test_a_bridge_that_refuses_leaves_the_plain_quotes(crossing: Crossing, error: Exception) -> None:
    plain = Carrier(both(crossing), key="PLAIN", carries=frozenset({"DAI"}))
    quotes = crossing.with_(uniswap(crossing), Carrier(both(crossing), error=error), plain)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert answer.adapter == "PLAIN"
    assert len(calls_of(answer)[1]) == 1
    (refusal,) = [each for each in answer.refusals if each.adapter == "CARRIER"]
    # A minimum would be of the anchor, and must not be taken for one of the input.
    assert refusal.minimum is None
    if isinstance(error, NoRoute):
        assert refusal.reason == "after a swap into USDC: no"


async def test_an_exchange_without_an_answer_leaves_the_plain_quotes(crossing: Crossing) -> None:
    exchange = uniswap(crossing)
    bridge = PayBridge(both(crossing))
    quotes = crossing.with_(exchange, bridge)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 1000))
    assert [asked.origin_token.symbol for asked in bridge.asked] == ["DAI"]
    assert answer.adapter == "PAYBRIDGE"
    (refusal,) = answer.refusals[-1:]
    assert refusal.reason.startswith("after a swap into USDC: UNISWAP: ")


@dataclass(frozen=True)
class Silent:
    """An exchange that never answers."""

    exchange: Any
    given_up: list[QuoteRequest] = field(default_factory=list)

    @property
    def info(self) -> AdapterInfo:
        info: AdapterInfo = self.exchange.info
        return info

    def supports(self, request: QuoteRequest, /) -> bool:
        return bool(self.exchange.supports(request))

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up.append(request)
        raise AssertionError

    async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
        raise AssertionError


async def test_a_silent_exchange_holds_nobody_up(crossing: Crossing) -> None:
    exchange, bridge = Silent(uniswap(crossing)), PayBridge(both(crossing))
    service = crossing.with_(exchange, bridge, deadlines=Deadlines(0.05, 30.0)).service
    answer = await service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert [asked.origin_token.symbol for asked in bridge.asked] == ["DAI"]
    assert "did not answer within" in answer.refusals[-1].reason
    await asyncio.sleep(0)
    assert len(exchange.given_up) == 1


async def test_the_better_way_wins(crossing: Crossing) -> None:
    """A plain quote counts by the same rule, so neither way is preferred."""

    @dataclass(frozen=True)
    class Poor(PayBridge):
        async def quote(self, request: QuoteRequest, /) -> Quote[None]:
            return replace(await super().quote(request), output_amount=1000)

    poor = Poor(both(crossing), key="POOR")
    quotes = crossing.with_(uniswap(crossing), Carrier(both(crossing)), poor)
    assert (await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))).adapter == "CARRIER"
    rich = PayBridge(both(crossing), key="RICH")
    quotes = crossing.with_(uniswap(crossing), Carrier(both(crossing)), rich)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert (answer.adapter, len(calls_of(answer)[1])) == ("RICH", 1)


@pytest.mark.parametrize(
    "odd",
    [
        {"input_taken": 10**6},
        {"deposit": BridgeDeposit("0x" + "22" * 20, 1, (DEPOSIT,))},
        {"chain_id": 5},
        {"expires_at": 1},
    ],
)
async def test_a_bridge_that_takes_something_else_is_refused(crossing: Crossing, odd: dict[str, Any]) -> None:
    quotes = crossing.with_(uniswap(crossing), Carrier(both(crossing), odd=odd))
    with pytest.raises(RhumblineError):
        await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert crossing.kept == []


async def test_a_bridge_that_swaps_itself_is_not_composed_with(crossing: Crossing) -> None:
    @dataclass(frozen=True)
    class Swapping(Carrier):
        async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
            plain = await super().build(quote)
            assert isinstance(plain, EvmTransaction)
            assert plain.deposit is not None
            return replace(plain, deposit=replace(plain.deposit, swapped=True))

    quotes = crossing.with_(uniswap(crossing), Swapping(both(crossing)))
    with pytest.raises(RhumblineError) as caught:
        await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert "takes another amount than its swap brings" in str(caught.value.details)


@pytest.mark.parametrize(("moved", "reverts"), [(200 * DAI, False), (150_000 * DAI, True)])
async def test_a_pool_that_moves_delivers_the_minimum_or_nothing(crossing: Crossing, moved: int, reverts: bool) -> None:
    bridge = Carrier(both(crossing))
    quotes = crossing.with_(uniswap(crossing), bridge)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    await sell(quotes, "DAI", moved)
    dai, usdc = quotes.token("DAI"), quotes.token("USDC")
    if not reverts:
        assert await sent_of(quotes, answer, usdc) == bridge.asked[0].amount
        return
    had = await balance_of(quotes.rpc, dai, quotes.sender)
    wallet = await unlocked(quotes.rpc, quotes.sender, 10**21)
    assert answer.approval_address is not None
    assert isinstance(answer.transaction, EvmTransaction)
    await wallet.send(dai, encoded("approve(address,uint256)", answer.approval_address, 500 * DAI))
    with pytest.raises(SetUpError, match="revert"):
        await wallet.send(answer.transaction.to, answer.transaction.data)
    assert await balance_of(quotes.rpc, dai, quotes.sender) == had
    assert await balance_of(quotes.rpc, usdc, DEPOSIT) == 0


async def sell(quotes: QuoteFixture, symbol: str, amount: int) -> None:
    """Sell so much for USDC in the pools that somebody else was quoted on."""
    wallet = await unlocked(quotes.rpc, quotes.receiver, 10**21)
    await wallet.send(quotes.token(symbol), encoded("mint(address,uint256)", quotes.receiver, amount))
    ask = quotes.ask(symbol, "USDC", amount, sender=quotes.receiver, receiver=quotes.receiver)
    own = open_desk(quotes.described, quotes.rpc, quotes.receiver).adapter
    answer = await quotes.with_(own).service.answer(replace(ask, slippage=Fraction(1, 2)))
    await quotes.execute(answer)


async def test_routes_offer_it_as_one_step_that_can_be_had_again(crossing: Crossing) -> None:
    quotes = crossing.with_(uniswap(crossing), Carrier(both(crossing)))
    planner = Planner(quotes.service, (KEY,))
    request = crossing.ask("DAI", "USDC", 500 * DAI)
    plans = await planner.routes(request, 10)
    (single,) = [plan for plan in plans if len(plan.steps) == 1]
    (step,) = single.steps
    assert (step.type, step.adapter, step.origin_token.symbol) == (StepType.BRIDGE, "CARRIER", "DAI")
    again = await planner.step(StepRequest(single.id, 0, step.adapter, step.request))
    assert len(calls_of(again)[1]) == 2
    assert again.min_output_amount == step.min_output_amount
