"""A swap before a bridge that is not to be: the plain answers stay, and no money is lost."""

import asyncio
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.devnet.evm.operator import SetUpError, encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import BelowMinimum, NoRoute, RhumblineError, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction, UpstreamTransaction
from rhumbline.routing.fan_out import Deadlines
from tests.adapters.onchain.adapter_fixture import open_adapter
from tests.routing.carrier import DAI, Carrier, calls_of, onchain, sent_of
from tests.routing.evm.test_composer import DEPOSIT, Crossing, PayBridge, both, crossing
from tests.routing.quote_fixture import QuoteFixture

__all__ = ["crossing"]


async def test_what_a_bridge_fixes_must_be_within_its_part(crossing: Crossing) -> None:
    """Within the whole would not do: the swap may lose its part too."""
    tight = Carrier(both(crossing), least=1 - Fraction(8, 10_000))
    service = crossing.with_(onchain(crossing), tight).service
    with pytest.raises(RhumblineError) as caught:
        await service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert "after a swap into USDC: guarantees" in str(caught.value.details)
    loose = await service.answer(crossing.ask("DAI", "USDC", 500 * DAI, slippage=Fraction(1, 500)))
    assert loose.min_output_amount == int(loose.output_amount * (1 - Fraction(8, 10_000)))


@pytest.mark.parametrize(
    "error", [NoRoute("no"), UpstreamFailed("gone"), BelowMinimum("too little", 10**9), ValueError("unforeseen")]
)
async def test_a_bridge_that_refuses_leaves_the_plain_quotes(crossing: Crossing, error: Exception) -> None:
    plain = Carrier(both(crossing), key="PLAIN", carries=frozenset({"DAI"}))
    quotes = crossing.with_(onchain(crossing), Carrier(both(crossing), error=error), plain)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert answer.adapter == "PLAIN"
    assert len(calls_of(answer)[1]) == 1
    (refusal,) = [each for each in answer.refusals if each.adapter == "CARRIER"]
    # A minimum would be of the anchor, and must not be taken for one of the input.
    assert refusal.minimum is None
    if isinstance(error, NoRoute):
        assert refusal.reason == "after a swap into USDC: no"


async def test_an_exchange_without_an_answer_leaves_the_plain_quotes(crossing: Crossing) -> None:
    exchange = onchain(crossing)
    bridge = PayBridge(both(crossing))
    quotes = crossing.with_(exchange, bridge)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 1000))
    assert [asked.origin_token.symbol for asked in bridge.asked] == ["DAI"]
    assert answer.adapter == "PAYBRIDGE"
    (refusal,) = answer.refusals[-1:]
    assert refusal.reason.startswith("after a swap into USDC: ONCHAIN: ")


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
    exchange, bridge = Silent(onchain(crossing)), PayBridge(both(crossing))
    service = crossing.with_(exchange, bridge, deadlines=Deadlines(0.05, 30.0)).service
    answer = await service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert [asked.origin_token.symbol for asked in bridge.asked] == ["DAI"]
    assert "did not answer within" in answer.refusals[-1].reason
    await asyncio.sleep(0)
    assert len(exchange.given_up) == 1


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
    quotes = crossing.with_(onchain(crossing), Carrier(both(crossing), odd=odd))
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

    quotes = crossing.with_(onchain(crossing), Swapping(both(crossing)))
    with pytest.raises(RhumblineError) as caught:
        await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    assert "takes another amount than the minimum of its swap" in str(caught.value.details)


async def test_a_bridge_that_cuts_the_amount_leaves_the_rest_to_the_wallet(crossing: Crossing) -> None:
    @dataclass(frozen=True)
    class Cutting(Carrier):
        async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
            plain = await super().build(quote)
            assert isinstance(plain, EvmTransaction)
            assert plain.deposit is not None
            taken = quote.request.amount // 10**4 * 10**4
            return replace(plain, input_taken=taken, deposit=replace(plain.deposit, least=taken))

    bridge = Cutting(both(crossing))
    quotes = crossing.with_(onchain(crossing), bridge)
    answer = await quotes.service.answer(crossing.ask("DAI", "USDC", 500 * DAI))
    asked = bridge.asked[0].amount
    assert asked % 10**4 > 0
    assert await sent_of(quotes, answer, quotes.token("USDC")) == asked // 10**4 * 10**4


@pytest.mark.parametrize(("moved", "reverts"), [(200 * DAI, False), (150_000 * DAI, True)])
async def test_a_pool_that_moves_delivers_the_minimum_or_nothing(crossing: Crossing, moved: int, reverts: bool) -> None:
    bridge = Carrier(both(crossing))
    quotes = crossing.with_(onchain(crossing), bridge)
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
    own = open_adapter(quotes.described, quotes.rpc, quotes.receiver).adapter
    answer = await quotes.with_(own).service.answer(replace(ask, slippage=Fraction(1, 2)))
    await quotes.execute(answer)
