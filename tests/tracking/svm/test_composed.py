"""From a quote of the service to its record: what the composer hands out is what tracking knows again."""

from collections.abc import AsyncIterator
from dataclasses import replace
from fractions import Fraction

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.svm.chains import running_solana
from rhumbline.domain.clock import system_clock
from rhumbline.domain.tracking import RecordAmount, TransferState
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.svm.indexer import SvmIndexer
from tests.routing.svm.quote_fixture import (
    FRIEND,
    INTEGRATOR,
    POOR,
    SENDER,
    SERVICE,
    SvmQuotes,
    quotes_on_solana,
)  # fmt: skip
from tests.tracking.conftest import kept, service_keys
from tests.tracking.svm.conftest import catch_up
from tests.tracking.svm.solana_orders import KNOWN

USDC, SOL = 10**6, 10**9
SHARE = Fraction(5, 1000)


@pytest.fixture
async def quotes(http: HttpClient, store_engine: AsyncEngine) -> AsyncIterator[SvmQuotes]:
    async with running_solana(slot_s=None) as running:
        made = quotes_on_solana(running, SvmRpc(running.server.rpc_url, http, "sbxs"))
        keep = IssuedTransactions(store_engine).keep
        kept_here = replace(made, service=replace(made.service, keep=keep))
        yield kept_here.with_fees(SERVICE, INTEGRATOR)


async def wrapped_lamports(quotes: SvmQuotes) -> int:
    account = await quotes.rpc.account(associated_token_address(SENDER, WRAPPED_SOL, SPL))
    return 0 if account is None else account.lamports


@pytest.mark.parametrize(
    ("sold", "bought", "amount", "receiver"),
    [
        ("USDC", "USDT", 1000 * USDC, SENDER),
        ("USDC", "USDT", 1000 * USDC, POOR),
        ("SOL", "USDC", 3 * SOL, POOR),
        ("USDC", "SOL", 500 * USDC, SENDER),
        ("WSOL", "TAX", SOL, FRIEND),
        ("TAX", "SOL", 10**10, SENDER),
    ],
)
async def test_a_quote_that_is_executed_becomes_its_record(
    quotes: SvmQuotes, store_engine: AsyncEngine, sold: str, bought: str, amount: int, receiver: str
) -> None:
    asked = quotes.ask(sold, bought, amount, receiver=receiver, integrator="acme", fee_share=SHARE)
    answer = await quotes.service.answer(asked)
    before, wrapped = await quotes.balance(receiver, bought), await wrapped_lamports(quotes)
    executed = await quotes.execute(answer)
    assert executed.error is None, executed.logs
    gain = await quotes.balance(receiver, bought) - before
    indexer = SvmIndexer(quotes.chain, quotes.rpc, store_engine, service_keys, system_clock, KNOWN)
    await catch_up(indexer)
    [record] = await kept(store_engine)
    assert (record.transaction_id, record.status) == (answer.transaction_id, TransferState.SUCCESS)
    assert record.origin_tx_hash == executed.signature
    assert record.input == RecordAmount(quotes.token(sold), amount)
    # The account of wrapped SOL that was there before is closed, and what it held, rent and all, was not traded.
    cost = executed.fee - (wrapped - await wrapped_lamports(quotes)) if bought == "SOL" else 0
    assert record.output == RecordAmount(quotes.token(bought), gain + cost)
    assert gain + cost >= answer.min_output_amount
    # A token that taxes transfers leaves its tax with the accounts; everything else arrives whole.
    arrives = Fraction(99, 100) if sold == "TAX" else 1
    assert record.service_fee == RecordAmount(quotes.token(sold), int(amount // 1000 * arrives))
    assert record.integrator_fee == RecordAmount(quotes.token(sold), int(amount * 5 // 1000 * arrives))
