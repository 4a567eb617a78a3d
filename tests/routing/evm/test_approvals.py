"""What stands beside a transaction: approvals that suffice and are exact, and an end."""

from dataclasses import replace

import pytest

from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.evm.operator import encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.clock import system_clock
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import quantity
from tests.routing.quote_fixture import QuoteFixture
from tests.routing.venues import PoolVenue, tokens_of

AMOUNT = 10**8


async def sent(quotes: QuoteFixture, call: EvmTransaction) -> None:
    fields = {"from": quotes.sender, "to": call.to, "value": hex(call.value), "data": "0x" + call.data.hex()}
    receipt = await quotes.rpc.call("eth_sendTransactionSync", [{**fields, "gas": hex(2_000_000)}])
    assert isinstance(receipt, dict)
    assert receipt["status"] == "0x1", receipt


@pytest.mark.parametrize(("sold", "bought", "approvals"), [("USDT", "USDC", [0, AMOUNT]), ("USDC", "USDT", [AMOUNT])])
async def test_the_calls_are_enough_although_another_allowance_stands(
    quotes: QuoteFixture, sold: str, bought: str, approvals: list[int]
) -> None:
    venue = PoolVenue(quotes.described, quotes.rpc, 100)
    answer = await quotes.with_(venue).service.answer(quotes.ask(sold, bought, AMOUNT))
    assert isinstance(answer.transaction, EvmTransaction)
    written = [encoded("approve(address,uint256)", answer.approval_address, each) for each in approvals]
    assert [(each.to, each.value, each.data) for each in answer.approvals] == [
        (quotes.token(sold), 0, data) for data in written
    ]
    wallet = await unlocked(quotes.rpc, quotes.sender, 10**21)
    await wallet.send(quotes.token(sold), encoded("approve(address,uint256)", answer.approval_address, 5))
    before = await balance_of(quotes.rpc, quotes.token(bought), quotes.sender)
    for call in (*answer.approvals, answer.transaction):
        await sent(quotes, call)
    assert await balance_of(quotes.rpc, quotes.token(bought), quotes.sender) - before >= answer.min_output_amount
    left = encoded("allowance(address,address)", quotes.sender, answer.approval_address)
    assert quantity("0x" + (await quotes.rpc.eth_call(quotes.token(sold), left)).hex()) == 0


async def test_a_reset_comes_first_where_the_run_needed_one(quotes: QuoteFixture) -> None:
    """Nothing is known of this token but what its own allowance shows."""
    tokens = [replace(each, symbol=f"{each.symbol}x", coin_key=None) for each in tokens_of(quotes.described)]
    catalog = TokenCatalog([quotes.chain], tokens, token_readers({quotes.chain.id: quotes.rpc}))
    service = quotes.with_(PoolVenue(quotes.described, quotes.rpc, 100), tokens=catalog).service
    request = quotes.ask("USDT", "USDC", AMOUNT)
    first = await service.answer(request)
    assert [each.data for each in first.approvals] == [approval(first, AMOUNT)]
    wallet = await unlocked(quotes.rpc, quotes.sender, 10**21)
    await wallet.send(quotes.token("USDT"), approval(first, 5))
    second = await service.answer(request)
    assert [each.data for each in second.approvals] == [approval(second, 0), approval(second, AMOUNT)]
    assert isinstance(second.transaction, EvmTransaction)
    for call in (*second.approvals, second.transaction):
        await sent(quotes, call)


def approval(answer: RouteAnswer, amount: int) -> bytes:
    return encoded("approve(address,uint256)", answer.approval_address, amount)


async def test_native_needs_no_approval_and_every_answer_ends(quotes: QuoteFixture) -> None:
    answer = await quotes.service.answer(quotes.ask("ETH", "USDC", 10**17))
    assert answer.approvals == ()
    assert answer.expires_at is not None
    left = answer.expires_at - system_clock().timestamp()
    assert 0 < left <= quotes.service.limits.transaction_ttl_s
    assert answer.trust_assumptions == ()
    assert [item.included for item in answer.fees.items] == [False]
