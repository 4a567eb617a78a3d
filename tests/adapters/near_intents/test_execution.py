"""What is paid to an address of the sandbox's 1Click arrives on the other chain, or comes back."""

from dataclasses import replace

import pytest

from rhumbline.adapters.near_intents.adapter import NearIntentsAdapter
from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import CredentialsRejected, UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.tracking import TransferState
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.bridging.deposits import expect_deposit_seen

PAIRS = [
    (("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000),
    (("sbxb", "USDT"), ("sbxa", "WETH"), 900_000_000),
    (("sbxa", "ETH"), ("sbxb", "DAI"), 10**17),
    (("sbxa", "WETH"), ("sbxb", "ETH"), 10**17),
]
SEEN = sorted({*Lie} - {Lie.WORSE_OUTPUT, Lie.OTHER_SPENDER, Lie.MORE_VALUE})
ASKED = (("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    arrived = await adapter_fixture.delivered(adapter_fixture.request(origin, destination, amount))
    assert arrived.gained == arrived.status.output_amount


async def test_before_anything_is_paid(adapter_fixture: AdapterFixture) -> None:
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    before = await adapter_fixture.balance(adapter_fixture.tokens["sbxb", "USDC"], RECEIVER)
    transfer = await adapter_fixture.execute(quote, built)
    adapter_fixture.emulator.behaviour.status = "PENDING_DEPOSIT"
    assert (await adapter_fixture.adapter.status(transfer)).state is TransferState.BRIDGE_PENDING
    adapter_fixture.emulator.behaviour.status = None
    await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    assert await adapter_fixture.balance(adapter_fixture.tokens["sbxb", "USDC"], RECEIVER) > before


async def test_a_refund_reaches_the_wallet(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    before = await adapter_fixture.balance(quote.request.origin_token, adapter_fixture.account)
    status = await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.REFUNDED)
    assert await adapter_fixture.balance(quote.request.origin_token, adapter_fixture.account) == before
    assert status.refund_tx_hash is not None


async def test_a_failure_is_told(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.BRIDGE_FAILED)


async def test_less_waits_and_more_comes_back(adapter_fixture: AdapterFixture) -> None:
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    token = quote.request.origin_token
    before = await adapter_fixture.balance(token, adapter_fixture.account)
    assert built.reference is not None
    await adapter_fixture.send("sbxa", token.address, adapter_fixture.payment(built.reference, 100_000_000))
    whole = await adapter_fixture.execute(quote, built)
    await adapter_fixture.followed(whole, TransferState.SUCCESS)
    # Of 350 that were sent, the 250 of the quote are kept.
    assert before - await adapter_fixture.balance(token, adapter_fixture.account) == 250_000_000


async def test_too_little_is_waiting_for_its_refund(adapter_fixture: AdapterFixture) -> None:
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    assert built.reference is not None
    token = quote.request.origin_token.address
    tx_hash = await adapter_fixture.send("sbxa", token, adapter_fixture.payment(built.reference, 100_000_000))
    transfer = adapter_fixture.begun(quote, built, tx_hash)
    assert (await adapter_fixture.followed(transfer, TransferState.REFUND_PENDING)).substatus == "INCOMPLETE_DEPOSIT"


@pytest.mark.parametrize("lie", SEEN)
async def test_lies_about_the_quote_are_refused(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await adapter_fixture.built(quote)


async def test_the_lie_that_nothing_shows_is_declared(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.lie = Lie.WORSE_OUTPUT
    _, transfer = await adapter_fixture.started(adapter_fixture.request(*ASKED))
    status = await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    assert status.output_amount is not None
    assert status.output_amount < transfer.min_output
    assert {*SEEN, Lie.WORSE_OUTPUT} == adapter_fixture.emulator.lies
    assert len(adapter_fixture.adapter.info.trust_assumptions) == 2


async def test_without_the_partners_token_the_service_takes_a_fee(adapter_fixture: AdapterFixture) -> None:
    partner = await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    assert isinstance(adapter_fixture.adapter, NearIntentsAdapter)
    context = adapter_fixture.adapter.context
    stranger = NearIntentsAdapter(replace(context, http=replace(context.http, headers={})))
    alone = await stranger.quote(adapter_fixture.request(*ASKED))
    assert [fee.type for fee in partner.fees] == [FeeType.RELAYER_GAS]
    assert [fee.type for fee in alone.fees] == [FeeType.RELAYER_SERVICE, FeeType.RELAYER_GAS]
    assert alone.output_amount < partner.output_amount
    http = replace(context.http, headers={"authorization": "Bearer forged"})
    forged = NearIntentsAdapter(replace(context, http=http))
    with pytest.raises(CredentialsRejected):
        await forged.quote(adapter_fixture.request(*ASKED))


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 250_000_000), ("ETH", 10**17)])
async def test_a_run_shows_the_payment(adapter_fixture: AdapterFixture, symbol: str, amount: int) -> None:
    deposit = await expect_deposit_seen(
        adapter_fixture, adapter_fixture.request(("sbxa", symbol), ("sbxb", "USDC"), amount)
    )
    assert (deposit.token, deposit.log) == (adapter_fixture.tokens["sbxa", symbol].address, None)
