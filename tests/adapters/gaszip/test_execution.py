"""What is deposited with the sandbox's Gas.zip arrives on the other chain, or comes back."""

from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import BelowMinimum, NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeType
from rhumbline.domain.tracking import TransferState
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.bridging.deposits import expect_deposit_seen
from tests.adapters.gaszip.case import CASES, CENT

ASKED = (("sbxa", "ETH"), ("sbxb", "ETH"), CENT)
UNSEEN = CASES[0].unseen


@pytest.mark.parametrize(("origin", "destination"), [("sbxa", "sbxb"), ("sbxb", "sbxa")])
async def test_what_was_quoted_arrives(adapter_fixture: AdapterFixture, origin: str, destination: str) -> None:
    request = adapter_fixture.request((origin, "ETH"), (destination, "ETH"), CENT)
    arrived = await adapter_fixture.delivered(request)
    quote, built = arrived.quote, arrived.transaction
    assert [fee.type for fee in quote.fees] == [FeeType.RELAYER_GAS]
    assert (built.value, built.spender, built.reference) == (CENT, None, None)
    assert built.expires_at is not None
    assert arrived.gained == quote.output_amount > (quote.min_output_amount or 0)
    assert arrived.status.output_amount is None


async def test_to_the_wallet_itself(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request(*ASKED)
    arrived = await adapter_fixture.delivered(
        replace(request, receiver=request.sender, payout_address=request.sender)
    )  # fmt: skip
    assert arrived.gained == arrived.quote.output_amount


async def test_a_refund_reaches_the_wallet(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    quote, transfer = await adapter_fixture.started(adapter_fixture.request(*ASKED))
    await adapter_fixture.followed(transfer, TransferState.BRIDGE_PENDING)
    before = await adapter_fixture.balance(quote.request.origin_token, adapter_fixture.account)
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    status = await adapter_fixture.followed(transfer, TransferState.REFUNDED)
    assert status.refund_tx_hash is not None
    assert await adapter_fixture.balance(quote.request.origin_token, adapter_fixture.account) - before == CENT


async def test_a_payment_that_fails_waits_for_its_refund(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.REFUND_PENDING)


async def test_what_is_not_there_is_unknown(adapter_fixture: AdapterFixture) -> None:
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    nothing = adapter_fixture.begun(quote, built, "0x" + "77" * 32)
    assert (await adapter_fixture.adapter.status(nothing)).state is TransferState.UNKNOWN
    adapter_fixture.emulator.behaviour.failure = "no_data"
    assert (await adapter_fixture.adapter.status(nothing)).state is TransferState.UNKNOWN


@pytest.mark.parametrize(("amount", "kind"), [(10**13, BelowMinimum), (10**17, NoRoute)])
async def test_amounts_outside_of_the_limits_are_refused(
    adapter_fixture: AdapterFixture, amount: int, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        await adapter_fixture.adapter.quote(adapter_fixture.request(("sbxa", "ETH"), ("sbxb", "ETH"), amount))


async def test_the_minimum_that_is_told_is_enough(adapter_fixture: AdapterFixture) -> None:
    with pytest.raises(BelowMinimum) as caught:
        await adapter_fixture.adapter.quote(adapter_fixture.request(("sbxa", "ETH"), ("sbxb", "ETH"), 10**14))
    least = caught.value.minimum
    assert least is not None
    assert least > 10**14
    with pytest.raises(BelowMinimum):
        await adapter_fixture.adapter.quote(adapter_fixture.request(("sbxa", "ETH"), ("sbxb", "ETH"), 10**14 + 10**10))
    enough = await adapter_fixture.adapter.quote(adapter_fixture.request(("sbxa", "ETH"), ("sbxb", "ETH"), least))
    assert enough.output_amount >= 10**14


@pytest.mark.parametrize("lie", sorted(CASES[0].emulator.lies - UNSEEN))
async def test_lies_are_refused(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    adapter_fixture.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await adapter_fixture.quoted(adapter_fixture.request(*ASKED))


async def test_a_lie_that_nothing_shows_is_declared(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.lie = Lie.WORSE_OUTPUT
    token = adapter_fixture.tokens["sbxb", "ETH"]
    before = await adapter_fixture.balance(token, RECEIVER)
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*ASKED))
    await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.SUCCESS)
    assert await adapter_fixture.balance(token, RECEIVER) - before < (quote.min_output_amount or 0)
    assert frozenset({Lie.WORSE_OUTPUT}) == UNSEEN
    assert any("no minimum" in sentence for sentence in adapter_fixture.adapter.info.trust_assumptions)


async def test_a_run_shows_the_deposit(adapter_fixture: AdapterFixture) -> None:
    deposit = await expect_deposit_seen(
        adapter_fixture, adapter_fixture.request(("sbxa", "ETH"), ("sbxb", "ETH"), 10**16)
    )
    assert deposit.token == adapter_fixture.tokens["sbxa", "ETH"].address
