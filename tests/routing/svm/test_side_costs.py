"""What the wallet pays beside the amount is stated to the lamport, and bounded: the network's fee, and rent."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.account import Account
from solders.keypair import Keypair

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.fee import FeeType
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.compute_budget import LAMPORTS_PER_SIGNATURE, MOST_UNITS, ComputeBudget, network_fee
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import SPL
from rhumbline.routing.quote_service import QuoteLimits
from rhumbline.routing.svm.wallet_transaction import fee_of
from rhumbline.routing.value_limits import SideCostLimits, ValueLimits
from tests.routing.svm.pool_venue import PROGRAM, AddingVenue, PoolVenue
from tests.routing.svm.quote_fixture import PATIENCE_S, POOR, SENDER, SvmQuotes
from tests.routing.svm.sealing_venue import SealingVenue

USDC, SOL = 10**6, 10**9
RENT = 2_039_280
"""Of a token account of 165 bytes, on the sandbox as on mainnet in November 2026."""
NEW = str(Keypair.from_seed(b"a wallet that has no account yet").pubkey())


def priced(quotes: SvmQuotes, most_usd: int = 10, share: Fraction = Fraction(1, 2)) -> SvmQuotes:
    """SOL counts 150 USD, everything else one."""
    dear = {quotes.token("SOL"), quotes.token("WSOL")}

    def read(chain_id: int, token: str) -> PriceSnapshot:
        worth = Decimal(150 if token in dear else 1)
        return PriceSnapshot(chain_id, token, worth, "test", system_clock(), False, PriceTier.HOT, False)

    limits = QuoteLimits(1200, PATIENCE_S, ValueLimits(side_cost=SideCostLimits(Decimal(most_usd), share)))
    return replace(quotes, service=replace(quotes.service, prices=read, limits=limits))


def gas_of(answer: RouteAnswer) -> list[int]:
    return [item.amount for item in answer.fees.items if item.type is FeeType.GAS]


def rich(quotes: SvmQuotes) -> None:
    """The wallet could pay whatever the network takes."""
    chain = quotes.running.server.chain
    kept = chain.account(keypair(0).pubkey())
    assert kept is not None
    chain.set_account(keypair(0).pubkey(), Account(10_000 * SOL, bytes(kept.data), kept.owner))


async def refused(quotes: SvmQuotes, amount: int = 1000 * USDC, receiver: str = SENDER) -> str:
    with pytest.raises(RhumblineError) as caught:
        await quotes.service.answer(quotes.ask("USDC", "USDT", amount, receiver=receiver))
    return str(caught.value.details)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("price", [28_000_000_000_000, 2**64 - 1])
async def test_a_sealed_messages_fee_of_thousands_of_sol_is_refused(quotes: SvmQuotes, price: int, known: bool) -> None:
    """A co-signer keeps the message from being changed, so its price of a unit is the upstream's: 4,200 SOL, or all."""
    rich(quotes)
    venue = SealingVenue(quotes.running.server.chain, units=150_000, price=price)
    sealing = (priced(quotes) if known else quotes).with_(venue)
    assert "the network's fee and rent would cost" in await refused(sealing)


async def test_a_sealed_messages_fee_is_stated_as_it_is(quotes: SvmQuotes) -> None:
    venue = SealingVenue(quotes.running.server.chain, units=150_000, price=2_000_000)
    answer = await priced(quotes).with_(venue).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    # Two signatures, and 150,000 units at two lamports.
    assert gas_of(answer) == [2 * LAMPORTS_PER_SIGNATURE + 300_000]
    assert answer.fees.total >= gas_of(answer)[0] * 150 // 1000


async def test_the_fee_that_is_stated_is_the_fee_that_is_paid(quotes: SvmQuotes) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    executed = await quotes.execute(answer)
    assert gas_of(answer) == [executed.fee]


async def test_rent_is_an_item_of_its_own_and_in_the_total(quotes: SvmQuotes) -> None:
    """What leaves the wallet is what the answer states, to the lamport."""
    answer = await priced(quotes).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, receiver=NEW))
    fee, rent = gas_of(answer)
    assert rent == RENT
    before = await quotes.balance(SENDER, "SOL")
    assert (await quotes.execute(answer)).error is None
    assert before - await quotes.balance(SENDER, "SOL") == fee + rent
    assert answer.fees.complete
    without = await priced(quotes).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, receiver=NEW))
    assert isinstance(without.transaction, SvmTransaction)
    assert gas_of(without) == [network_fee(without.transaction.data).most]
    # At 150 USD, in USDC: 0.305892 are rent.
    assert answer.fees.total == ceil(Decimal(150 * (fee + rent)) / 1000)


async def test_rent_counts_in_the_comparison(quotes: SvmQuotes) -> None:
    """Who has an account made that nobody needs comes second, with the same output."""
    chain = quotes.running.server.chain
    dai = CreateTokenAccount.of(SENDER, NEW, quotes.token("DAI"), SPL).encode()
    maker = AddingVenue(chain, key="A_MAKER", added=(dai,))
    asked = quotes.ask("USDC", "USDT", 1000 * USDC, receiver=NEW)
    alone = await priced(quotes).with_(maker).service.answer(asked)
    assert gas_of(alone)[1] == 2 * RENT
    beside = await priced(quotes).with_(maker, PoolVenue(chain)).service.answer(asked)
    assert (beside.adapter, gas_of(beside)[1]) == ("POOL", RENT)
    assert beside.output_amount == alone.output_amount


async def test_a_strangers_accounts_are_not_paid_for(quotes: SvmQuotes) -> None:
    """By the wallet's signature a venue's program makes four: the run shows that, and whose they are."""
    strangers = [str(Keypair.from_seed(bytes([n] * 32)).pubkey()) for n in range(1, 5)]
    made = tuple(CreateTokenAccount.of(SENDER, each, quotes.token("DAI"), SPL).encode() for each in strangers)
    assert "makes an account for a stranger" in await refused(
        quotes.with_(AddingVenue(quotes.running.server.chain, added=made))
    )


@pytest.mark.parametrize(
    ("most_usd", "share", "amount", "words"),
    [
        (10, Fraction(1, 2), USDC, ""),
        (10, Fraction(1, 4), USDC, "more than 25 % of the amount; send more"),
        (10, Fraction(1, 2), USDC // 2, "more than 50 % of the amount; send more"),
    ],
)
async def test_fee_and_rent_are_bounded_by_the_value_of_the_input(
    quotes: SvmQuotes, most_usd: int, share: Fraction, amount: int, words: str
) -> None:
    """0.31 USD of rent for the receiver's account."""
    bounded = priced(quotes, most_usd, share)
    if words:
        assert words in await refused(bounded, amount, NEW)
    else:
        await bounded.service.answer(quotes.ask("USDC", "USDT", amount, receiver=NEW))


async def test_fee_and_rent_are_bounded_in_usd_whatever_the_input_is_worth(quotes: SvmQuotes) -> None:
    venue = SealingVenue(quotes.running.server.chain, units=150_000, price=500_000_000)
    # 0.075 SOL, 11.25 USD.
    said = await refused(priced(quotes).with_(venue), 10_000 * USDC)
    assert "would cost 0.075010000 SOL, more than 10 USD" in said
    await priced(quotes, most_usd=12).with_(venue).service.answer(quotes.ask("USDC", "USDT", 10_000 * USDC))


async def test_a_wallet_without_funds_is_told_the_rent_it_will_need(quotes: SvmQuotes) -> None:
    answer = await priced(quotes).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, sender=POOR, receiver=NEW))
    assert gas_of(answer)[1:] == [RENT]


async def test_what_accounts_may_cost_is_told_where_no_run_shows_it(quotes: SvmQuotes) -> None:
    """A node that makes no run: the most is stated, so that no more leaves the wallet than that."""
    unseen = priced(quotes)
    unseen = replace(unseen, service=replace(unseen.service, simulators={}))
    answer = await unseen.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, receiver=NEW))
    fee, rent = gas_of(answer)
    before = await quotes.balance(SENDER, "SOL")
    assert (await quotes.execute(answer)).error is None
    assert before - await quotes.balance(SENDER, "SOL") == fee + RENT <= fee + rent


@given(st.integers(0, MOST_UNITS), st.integers(0, 2**64 - 1))
def test_the_fee_is_never_below_what_the_runtime_takes(units: int, price: int) -> None:
    """Lamports for the signature, and units times price in millionths, rounded up."""
    budget = ComputeBudget(units, price).instructions()
    call = CreateTokenAccount.of(SENDER, NEW, PROGRAM, SPL).encode()
    message = compile_v0(SENDER, [*budget, call], (), NEW)
    transaction = serialise(message, [SENDER], {})
    assert fee_of(transaction, SENDER) == LAMPORTS_PER_SIGNATURE + -(-units * price // 10**6)
    assert fee_of(transaction, NEW) == 0


def test_a_price_without_a_limit_is_stated_for_the_most_units() -> None:
    message = compile_v0(SENDER, [*ComputeBudget(None, 10**6).instructions()], (), NEW)
    assert fee_of(serialise(message, [SENDER], {}), SENDER) == LAMPORTS_PER_SIGNATURE + MOST_UNITS


async def test_fee_of_what_is_answered_is_of_those_bytes(quotes: SvmQuotes) -> None:
    answer = await quotes.service.answer(quotes.ask("SOL", "USDC", SOL))
    assert isinstance(answer.transaction, SvmTransaction)
    assert gas_of(answer)[0] == fee_of(answer.transaction.data, SENDER)
