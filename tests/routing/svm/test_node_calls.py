"""What a quote asks of a Solana node, and what quotes of one moment ask together."""

import asyncio
from dataclasses import replace

from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.gateways.nodes.svm.moment import Moment
from tests.node_calls import CountingClient
from tests.routing.svm.quote_fixture import SvmQuotes, quotes_on_solana

RUNS = 2
"""The transaction is run twice: as it is built, and as it is handed out."""


async def test_few_calls_make_a_quote_and_fewer_each_of_many(quotes: SvmQuotes) -> None:
    chain = quotes.running.server.chain
    async with (http := CountingClient()):
        moment = Moment(lambda: chain.slots.slot)
        shared = quotes_on_solana(quotes.running, replace(quotes.rpc, http=http, moment=moment))
        await shared.service.answer(shared.ask("USDC", "USDT", 10**9))
        chain.advance()
        http.requests.clear()
        await shared.service.answer(shared.ask("USDC", "USDT", 10**9 + 1))
        assert http.methods == [
            "getLatestBlockhash", "getMultipleAccounts", "getMultipleAccounts", *["simulateTransaction"] * RUNS
        ]  # fmt: skip
        assert http.round_trips == 2 + RUNS
        chain.advance()
        http.requests.clear()
        several = [shared.service.answer(shared.ask("USDC", "USDT", 10**9 + each)) for each in range(20)]
        await asyncio.gather(*several)
        assert len(http.requests) == 3 + 20 * RUNS


async def test_a_quote_right_after_the_wallets_last_transaction_asserts_what_it_has_then(quotes: SvmQuotes) -> None:
    """What both quotes share was looked at before the first was executed, so the second is made once more."""
    shared = quotes_on_solana(quotes.running, replace(quotes.rpc, moment=Moment(lambda: 0.0)))
    await shared.execute(await shared.service.answer(shared.ask("USDC", "USDT", 10**9)))
    again = await shared.service.answer(shared.ask("USDC", "USDT", 10**9))
    assert again.simulation is not None
    assert again.simulation.result.status is ExecutionStatus.SUCCESS
    await shared.execute(again)
