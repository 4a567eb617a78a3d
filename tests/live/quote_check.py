"""What is done with one question: a quote, a transaction, and what was answered, each looked at."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from tests.adapters.conformance.case import Ask
from tests.live.adapter_fixture import SLIPPAGE, Live
from tests.live.answers import broken
from tests.live.asks import WALLET

EQUAL = (frozenset({"USDC", "USDT", "DAI"}), frozenset({"ETH", "WETH"}))
NEARLY = Fraction(9, 10)


async def check_quote(live: Live, key: str, ask: Ask) -> list[str]:
    """Have a question quoted and built, and return how the answers break what is read of the recorded ones.

    Raise what the adapter raises, AssertionError for what makes no sense.
    """
    adapter, request = live.adapters[key], live.request(ask)
    assert adapter.supports(request)
    await live.pause(key)
    try:
        quote = await adapter.quote(request)
        await check_amounts(live, quote)
        await check_build(adapter, quote)
    finally:
        # Where the adapter refuses an answer, its shape is the first thing to look at.
        wrong = broken(live.heard, live.notes)
    return wrong


async def check_amounts(live: Live, quote: Quote[Any]) -> None:
    """Amounts are sound, and about what the input is worth."""
    assert 0 < (quote.min_output_amount or 1) <= quote.output_amount
    assert quote.native_fee >= 0
    worth = await worth_of(live, quote.request)
    if worth is None:
        return
    assert NEARLY * worth < quote.output_amount < worth / NEARLY


async def worth_of(live: Live, request: QuoteRequest) -> Fraction | None:
    """Return what comes out without loss: as much of an equal asset, else what the pools of the origin give for it.

    None where none of ours is read: of what begins on Solana, or is SOL.
    """
    given, wanted, here = request.origin_token, request.destination_token, request.origin
    symbols = {given.symbol, wanted.symbol}
    if len(symbols) == 1 or any(symbols <= equal for equal in EQUAL):
        return request.amount * Fraction(10) ** (wanted.decimals - given.decimals)
    same = here.native if wanted.symbol == here.native.symbol else live.tokens.find(here, wanted.symbol)
    if same is None or here.type is not ChainType.EVM:
        return None
    measured = replace(
        request, destination=here, destination_token=same, taker=WALLET, payout_address=WALLET, receiver=WALLET
    )
    output = (await live.adapters["ONCHAIN"].quote(measured)).output_amount
    return output * Fraction(10) ** (wanted.decimals - same.decimals)


async def check_build(adapter: Adapter[Any], quote: Quote[Any]) -> None:
    """A transaction is built, on the origin, for the amount; what it does is the adapter's own to check."""
    request = quote.request
    minimum = quote.min_output_amount or int(quote.output_amount * (1 - SLIPPAGE))
    built = await adapter.build(replace(quote, min_output_amount=minimum))
    taken = request.amount if built.input_taken is None else built.input_taken
    assert built.chain_id == request.origin.id
    assert 0 < taken <= request.amount
    if not isinstance(built, EvmTransaction):
        assert request.origin.type is ChainType.SVM
        return
    native = request.origin_token.address == NATIVE_EVM
    assert built.value == (taken if native else 0) + quote.native_fee
