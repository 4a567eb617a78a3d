"""What is paid to an address of the sandbox's 1Click arrives on the other chain, or comes back."""

from dataclasses import replace

import pytest

from rhumbline.adapters.near_intents.adapter import NearIntentsAdapter
from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import CredentialsRejected, UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.tracking import TransferState
from tests.adapters.bridging.desk import RECEIVER, Desk
from tests.adapters.bridging.evidence import expect_deposit_seen

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
    desk: Desk, origin: tuple[str, str], destination: tuple[str, str], amount: int
) -> None:
    token = desk.tokens[destination]
    before = await desk.balance(token, RECEIVER)
    quote, built = await desk.built(await desk.adapter.quote(desk.request(origin, destination, amount)))
    transfer = await desk.execute(quote, built)
    status = await desk.followed(transfer, TransferState.SUCCESS)
    gained = await desk.balance(token, RECEIVER) - before
    assert gained == status.output_amount
    assert quote.min_output_amount is not None
    assert gained >= quote.min_output_amount
    assert status.destination_tx_hash is not None


async def test_before_anything_is_paid(desk: Desk) -> None:
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    before = await desk.balance(desk.tokens["sbxb", "USDC"], RECEIVER)
    transfer = await desk.execute(quote, built)
    desk.emulator.behaviour.status = "PENDING_DEPOSIT"
    assert (await desk.adapter.status(transfer)).state is TransferState.BRIDGE_PENDING
    desk.emulator.behaviour.status = None
    await desk.followed(transfer, TransferState.SUCCESS)
    assert await desk.balance(desk.tokens["sbxb", "USDC"], RECEIVER) > before


async def test_a_refund_reaches_the_wallet(desk: Desk) -> None:
    desk.emulator.behaviour.outcome = Outcome.REFUND
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    before = await desk.balance(quote.request.origin_token, desk.account)
    status = await desk.followed(await desk.execute(quote, built), TransferState.REFUNDED)
    assert await desk.balance(quote.request.origin_token, desk.account) == before
    assert status.refund_tx_hash is not None


async def test_a_failure_is_told(desk: Desk) -> None:
    desk.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    await desk.followed(await desk.execute(quote, built), TransferState.BRIDGE_FAILED)


async def test_less_waits_and_more_comes_back(desk: Desk) -> None:
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    token = quote.request.origin_token
    before = await desk.balance(token, desk.account)
    assert built.reference is not None
    await desk.send("sbxa", token.address, desk.payment(built.reference, 100_000_000))
    whole = await desk.execute(quote, built)
    await desk.followed(whole, TransferState.SUCCESS)
    # Of 350 that were sent, the 250 of the quote are kept.
    assert before - await desk.balance(token, desk.account) == 250_000_000


async def test_too_little_is_waiting_for_its_refund(desk: Desk) -> None:
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    assert built.reference is not None
    token = quote.request.origin_token.address
    tx_hash = await desk.send("sbxa", token, desk.payment(built.reference, 100_000_000))
    transfer = desk.begun(quote, built, tx_hash)
    assert (await desk.followed(transfer, TransferState.REFUND_PENDING)).substatus == "INCOMPLETE_DEPOSIT"


@pytest.mark.parametrize("lie", SEEN)
async def test_lies_about_the_quote_are_refused(desk: Desk, lie: Lie) -> None:
    quote = await desk.adapter.quote(desk.request(*ASKED))
    desk.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await desk.built(quote)


async def test_the_lie_that_nothing_shows_is_declared(desk: Desk) -> None:
    desk.emulator.behaviour.lie = Lie.WORSE_OUTPUT
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    transfer = await desk.execute(quote, built)
    status = await desk.followed(transfer, TransferState.SUCCESS)
    assert status.output_amount is not None
    assert status.output_amount < transfer.min_output
    assert {*SEEN, Lie.WORSE_OUTPUT} == desk.emulator.lies
    assert len(desk.adapter.info.unprovable) == 2


async def test_without_the_partners_token_the_service_takes_a_fee(desk: Desk) -> None:
    partner = await desk.adapter.quote(desk.request(*ASKED))
    assert isinstance(desk.adapter, NearIntentsAdapter)
    stranger = replace(desk.adapter, http=replace(desk.adapter.http, headers={}))
    alone = await stranger.quote(desk.request(*ASKED))
    assert [fee.type for fee in partner.fees] == [FeeType.RELAYER_GAS]
    assert [fee.type for fee in alone.fees] == [FeeType.RELAYER_SERVICE, FeeType.RELAYER_GAS]
    assert alone.output_amount < partner.output_amount
    forged = replace(desk.adapter, http=replace(desk.adapter.http, headers={"authorization": "Bearer forged"}))
    with pytest.raises(CredentialsRejected):
        await forged.quote(desk.request(*ASKED))


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 250_000_000), ("ETH", 10**17)])
async def test_a_run_shows_the_payment(desk: Desk, symbol: str, amount: int) -> None:
    deposit = await expect_deposit_seen(desk, desk.request(("sbxa", symbol), ("sbxb", "USDC"), amount))
    assert (deposit.token, deposit.log) == (desk.tokens["sbxa", symbol].address, None)
