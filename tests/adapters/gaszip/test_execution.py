"""What is deposited with the sandbox's Gas.zip arrives on the other chain, or comes back."""

from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import BelowMinimum, NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.tracking import TransferState
from tests.adapters.bridging.desk import RECEIVER, Desk
from tests.adapters.bridging.evidence import expect_deposit_seen
from tests.adapters.gaszip.case import CASES, CENT

ASKED = (("sbxa", "ETH"), ("sbxb", "ETH"), CENT)
UNSEEN = CASES[0].unseen


@pytest.mark.parametrize(("origin", "destination"), [("sbxa", "sbxb"), ("sbxb", "sbxa")])
async def test_what_was_quoted_arrives(desk: Desk, origin: str, destination: str) -> None:
    token = desk.tokens[destination, "ETH"]
    before = await desk.balance(token, RECEIVER)
    request = desk.request((origin, "ETH"), (destination, "ETH"), CENT)
    quote, built = await desk.built(await desk.adapter.quote(request))
    assert [fee.type for fee in quote.fees] == [FeeType.RELAYER_GAS]
    assert (built.value, built.spender, built.reference) == (CENT, None, None)
    assert built.expires_at is not None
    status = await desk.followed(await desk.execute(quote, built), TransferState.SUCCESS)
    assert await desk.balance(token, RECEIVER) - before == quote.output_amount > (quote.min_output_amount or 0) > 0
    assert (status.destination_tx_hash is not None, status.output_amount) == (True, None)


async def test_to_the_wallet_itself(desk: Desk) -> None:
    request = desk.request(*ASKED)
    own = replace(request, receiver=request.sender, recipient=request.sender)
    token = desk.tokens["sbxb", "ETH"]
    before = await desk.balance(token, request.sender)
    quote, built = await desk.built(await desk.adapter.quote(own))
    await desk.followed(await desk.execute(quote, built), TransferState.SUCCESS)
    assert await desk.balance(token, request.sender) - before == quote.output_amount


async def test_a_refund_reaches_the_wallet(desk: Desk) -> None:
    desk.emulator.behaviour.outcome = Outcome.NEVER
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    transfer = await desk.execute(quote, built)
    await desk.followed(transfer, TransferState.BRIDGE_PENDING)
    before = await desk.balance(quote.request.origin_token, desk.account)
    desk.emulator.behaviour.outcome = Outcome.REFUND
    status = await desk.followed(transfer, TransferState.REFUNDED)
    assert status.refund_tx_hash is not None
    assert await desk.balance(quote.request.origin_token, desk.account) - before == CENT


async def test_a_payment_that_fails_waits_for_its_refund(desk: Desk) -> None:
    desk.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    await desk.followed(await desk.execute(quote, built), TransferState.REFUND_PENDING)


async def test_what_is_not_there_is_unknown(desk: Desk) -> None:
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    nothing = desk.begun(quote, built, "0x" + "77" * 32)
    assert (await desk.adapter.status(nothing)).state is TransferState.UNKNOWN
    desk.emulator.behaviour.failure = "no_data"
    assert (await desk.adapter.status(nothing)).state is TransferState.UNKNOWN


@pytest.mark.parametrize("word", sorted(CASES[0].statuses))
async def test_every_documented_status(desk: Desk, word: str) -> None:
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    desk.emulator.behaviour.status = word
    status = await desk.adapter.status(desk.begun(quote, built, "0x" + "77" * 32))
    assert status.state is CASES[0].statuses[word]


@pytest.mark.parametrize(("amount", "kind"), [(10**13, BelowMinimum), (10**17, NoRoute)])
async def test_amounts_outside_of_the_limits_are_refused(desk: Desk, amount: int, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        await desk.adapter.quote(desk.request(("sbxa", "ETH"), ("sbxb", "ETH"), amount))


async def test_the_minimum_that_is_told_is_enough(desk: Desk) -> None:
    with pytest.raises(BelowMinimum) as caught:
        await desk.adapter.quote(desk.request(("sbxa", "ETH"), ("sbxb", "ETH"), 10**14))
    least = caught.value.minimum
    assert least is not None
    assert least > 10**14
    with pytest.raises(BelowMinimum):
        await desk.adapter.quote(desk.request(("sbxa", "ETH"), ("sbxb", "ETH"), 10**14 + 10**10))
    enough = await desk.adapter.quote(desk.request(("sbxa", "ETH"), ("sbxb", "ETH"), least))
    assert enough.output_amount >= 10**14


@pytest.mark.parametrize("lie", sorted(CASES[0].emulator.lies - UNSEEN))
async def test_lies_are_refused(desk: Desk, lie: Lie) -> None:
    desk.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await desk.built(await desk.adapter.quote(desk.request(*ASKED)))


async def test_a_lie_that_nothing_shows_is_declared(desk: Desk) -> None:
    desk.emulator.behaviour.lie = Lie.WORSE_OUTPUT
    token = desk.tokens["sbxb", "ETH"]
    before = await desk.balance(token, RECEIVER)
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*ASKED)))
    await desk.followed(await desk.execute(quote, built), TransferState.SUCCESS)
    assert await desk.balance(token, RECEIVER) - before < (quote.min_output_amount or 0)
    assert frozenset({Lie.WORSE_OUTPUT}) == UNSEEN
    assert any("no minimum" in sentence for sentence in desk.adapter.info.unprovable)


async def test_a_run_shows_the_deposit(desk: Desk) -> None:
    deposit = await expect_deposit_seen(desk, desk.request(("sbxa", "ETH"), ("sbxb", "ETH"), 10**16))
    assert deposit.token == desk.tokens["sbxa", "ETH"].address
