"""How a transfer stands, by 1Click's word."""

import pytest

from rhumbline.adapters.near_intents.transfer_status import STATES
from rhumbline.domain.errors import AdapterError, CredentialsRejected, UpstreamFailed
from rhumbline.domain.tracking import StatusSource, TransferState
from tests.adapters.near_intents.case import CASES
from tests.adapters.near_intents.replay import DEPOSIT, EXECUTOR, USDC_BASE, Replay, recording, replaying, transfer


async def test_asked_by_deposit_address() -> None:
    replay = Replay(status=(200, recording("status_success")))
    async with replaying(replay) as adapter:
        status = await adapter.status(transfer())
    assert [(method, path) for method, path, _, _ in replay.asked] == [("GET", f"/v0/status?depositAddress={DEPOSIT}")]
    assert (status.state, status.source, status.substatus) == (
        TransferState.SUCCESS,
        StatusSource.BRIDGE_API,
        "SUCCESS",
    )
    assert (status.output_token, status.output_amount) == (USDC_BASE.address, 249_601_234)
    assert status.destination_tx_hash == "0x" + "d00d" * 16
    assert status.raw["amountOut"] == "249601234"


async def test_a_refund_is_another_transaction_than_the_deposit() -> None:
    async with replaying(Replay(status=(200, recording("status_refunded")))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.refund_tx_hash) == (TransferState.REFUNDED, "0x" + "beef" * 16)
    assert (status.output_amount, status.destination_tx_hash) == (None, None)
    assert status.raw["refundReason"] == "PARTIAL_DEPOSIT"


@pytest.mark.parametrize(("word", "state"), STATES.items())
async def test_every_documented_word(word: str, state: TransferState) -> None:
    async with replaying(Replay(status=(200, recording("status_pending") | {"status": word}))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.substatus) == (state, word)


def test_the_words_are_those_the_suite_knows() -> None:
    assert dict(CASES[0].statuses) == dict(STATES)


async def test_an_unknown_word_is_pending() -> None:
    async with replaying(Replay(status=(200, recording("status_success") | {"status": "PONDERING" * 100}))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.output_amount) == (TransferState.BRIDGE_PENDING, None)
    assert status.substatus is not None
    assert len(status.substatus) == 200


async def test_not_found_is_unknown() -> None:
    async with replaying(Replay()) as adapter:
        assert (await adapter.status(transfer())).state is TransferState.UNKNOWN


async def test_nobody_is_asked_without_a_deposit_address() -> None:
    replay = Replay()
    async with replaying(replay) as adapter:
        assert (await adapter.status(transfer(reference=None))).state is TransferState.UNKNOWN
    assert not replay.asked


@pytest.mark.parametrize("change", ["reference", "receiver", "refund_to"])
async def test_a_status_of_another_transfer_is_refused(change: str) -> None:
    async with replaying(Replay(status=(200, recording("status_success")))) as adapter:
        with pytest.raises(UpstreamFailed):
            await adapter.status(transfer(**{change: EXECUTOR}))


@pytest.mark.parametrize(
    ("status", "error"), [(401, CredentialsRejected), (429, UpstreamFailed), (500, UpstreamFailed)]
)
async def test_what_a_refusal_means(status: int, error: type[AdapterError]) -> None:
    async with replaying(Replay(status=(status, {"message": "no"}))) as adapter:
        with pytest.raises(error):
            await adapter.status(transfer())
