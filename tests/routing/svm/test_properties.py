"""Whatever is asked: what is answered fits into a packet, runs on a funded wallet, and brings the minimum."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from struct import pack

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from solders.account import Account

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.chains import running_solana
from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.quote import Quote
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.domain.transaction import SvmTransaction, UpstreamTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.messages import LARGEST
from tests.routing.svm.pool_venue import PoolVenue
from tests.routing.svm.quote_fixture import (
    FRIEND,
    INTEGRATOR,
    PATIENCE_S,
    POOR,
    SENDER,
    SERVICE,
    SvmQuotes,
    quotes_on_solana,
)

PAIRS = (
    ("USDC", "USDT"), ("USDC", "DAI"), ("USDC", "SOL"), ("SOL", "USDC"), ("WSOL", "USDT"), ("WETH", "USDC"),
    ("WETH", "SOL"), ("TAX", "WSOL"), ("SOL", "TAX"), ("TAX", "SOL"),
)  # fmt: skip
AMOUNTS = st.one_of(
    st.integers(1, 10**5), st.integers(10**5, 10**12), st.integers(10**12, 2**64 - 1), st.just(2**64 - 1)
)
_AMOUNT_AT = 64
_MOST = 2**60
_EXAMPLES = 60


@pytest.fixture(scope="module")
async def quotes() -> AsyncIterator[SvmQuotes]:
    async with running_solana(slot_s=None) as running, HttpClient() as http:
        yield quotes_on_solana(running, SvmRpc(running.server.rpc_url, http, timeout_s=PATIENCE_S))


@dataclass(frozen=True)
class NotingVenue(PoolVenue):
    """Notes what it was asked with."""

    amounts: list[int] = field(default_factory=list)

    async def build(self, quote: Quote[bool]) -> UpstreamTransaction:
        self.amounts.append(quote.request.amount)
        return await PoolVenue.build(self, quote)


@pytest.fixture(scope="module")
def answered() -> Iterator[list[str]]:
    """What was answered by pair: were it next to nothing, nothing would have been shown."""
    found: list[str] = []
    yield found
    assert len(found) > _EXAMPLES // 4
    assert len(set(found)) > len(PAIRS) // 2


@contextmanager
def funded(quotes: SvmQuotes, sold: str, amount: int) -> Iterator[None]:
    """The wallet has what is sold, and the chain is as it was afterwards."""
    chain = quotes.running.server.chain
    mark = chain.snapshot()
    try:
        wallet = keypair(0).pubkey()
        own = chain.account(wallet)
        assert own is not None
        lamports = amount if sold == "SOL" else 0
        chain.set_account(wallet, Account(lamports + 10**10, b"", own.owner))
        if sold != "SOL":
            place = token(sold).account(wallet)
            kept = chain.account(place)
            assert kept is not None
            data = bytearray(kept.data)
            data[_AMOUNT_AT : _AMOUNT_AT + 8] = pack("<Q", amount)
            more = amount if sold == "WSOL" else 0
            chain.set_account(place, Account(kept.lamports + more, bytes(data), kept.owner))
        yield
    finally:
        chain.restore(mark)


@settings(
    deadline=None,
    max_examples=_EXAMPLES,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    pair=st.sampled_from(PAIRS),
    amount=AMOUNTS,
    shares=st.tuples(st.integers(0, 500), st.integers(0, 500)),
    receiver=st.sampled_from((SENDER, FRIEND, POOR)),
    slippage=st.sampled_from((Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10))),
)
async def test_what_is_answered_fits_runs_and_brings_the_minimum(
    quotes: SvmQuotes,
    answered: list[str],
    pair: tuple[str, str],
    amount: int,
    shares: tuple[int, int],
    receiver: str,
    slippage: Fraction,
) -> None:
    (sold, bought), (service, integrator) = pair, shares
    if "SOL" in sold:
        # Of lamports there are not as many.
        amount = min(amount, _MOST)
    if service:
        quotes = quotes.with_fees(SERVICE, INTEGRATOR, share=10_000 // service)
    else:
        quotes = quotes.with_fees(None, INTEGRATOR)
    asked = quotes.ask(
        sold, bought, amount, receiver=receiver, integrator="acme", fee_share=Fraction(integrator, 10_000),
        slippage=slippage,
    )  # fmt: skip
    venue = NotingVenue(quotes.running.server.chain)
    with funded(quotes, sold, amount):
        try:
            answer = await quotes.with_(venue).service.answer(asked)
        except RhumblineError:
            return
        assert isinstance(answer.transaction, SvmTransaction)
        assert len(answer.transaction.data) <= LARGEST
        assert answer.simulation is not None
        assert answer.simulation.result.status is ExecutionStatus.SUCCESS, answer.simulation.result
        before = [await quotes.balance(each, name) for each, name in ((receiver, bought), (SENDER, sold))]
        executed = await quotes.execute(answer)
        assert executed.error is None, executed.logs
        after = [await quotes.balance(each, name) for each, name in ((receiver, bought), (SENDER, sold))]
        gained, spent = after[0] - before[0], before[1] - after[1]
        if receiver == SENDER and bought == "SOL":
            gained += executed.fee
        if sold != "SOL":
            assert spent == amount
        assert gained >= answer.min_output_amount > 0
        assert [amount - sum(charge.amount for charge in answer.charges)] == venue.amounts
        answered.append(f"{sold} {bought}")
