"""How a transfer stands, by Symbiosis' word."""

import pytest

from rhumbline.adapters.symbiosis.transfer_status import STATES
from rhumbline.domain.errors import AdapterError, CredentialsRejected, UpstreamFailed
from rhumbline.domain.tracking import StatusSource, TransferState
from tests.adapters.bridging.replay import TX, refused
from tests.adapters.symbiosis.replay import USDC_ARBITRUM, Replay, recording, replaying, transfer


async def test_asked_by_the_origins_transaction() -> None:
    replay = Replay(status=(200, recording("status_success")))
    async with replaying(replay) as adapter:
        status = await adapter.status(transfer())
    assert [(method, path) for method, path, _ in replay.asked] == [("GET", f"/v2/tx/1/{TX}")]
    assert (status.state, status.source, status.substatus) == (
        TransferState.SUCCESS,
        StatusSource.BRIDGE_API,
        "success",
    )
    assert (status.output_token, status.output_amount) == (USDC_ARBITRUM.address, 498_765_432)
    assert status.destination_tx_hash == "0x" + "d00d" * 16


async def test_a_success_of_the_origin_alone_is_none() -> None:
    async with replaying(Replay(status=(200, recording("status_not_indexed")))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.output_amount, status.destination_tx_hash) == (
        TransferState.BRIDGE_PENDING,
        None,
        None,
    )


async def test_another_token_than_was_asked_for_is_recovered() -> None:
    async with replaying(Replay(status=(200, recording("status_transit")))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.output_token, status.output_amount) == (
        TransferState.RECOVERED,
        "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1",
        123,
    )


async def test_what_was_paid_out_on_another_chain_is_not_told_as_the_destinations() -> None:
    document = recording("status_transit")
    document["transitTokenSent"]["chainId"] = 13863860
    async with replaying(Replay(status=(200, document))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.output_token, status.output_amount) == (TransferState.RECOVERED, None, None)


async def test_what_was_turned_back_is_refunded_on_the_origin() -> None:
    async with replaying(Replay(status=(200, recording("status_reverted")))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.refund_tx_hash) == (TransferState.REFUNDED, "0x" + "beef" * 16)
    assert (status.output_amount, status.destination_tx_hash) == (None, None)


@pytest.mark.parametrize(("code", "word"), [(-1, "not found"), (1, "pending"), (2, "stucked"), (3, "reverted")])
async def test_codes_words_and_both_shapes_mean_the_same(code: int, word: str) -> None:
    for status in ({"code": code, "text": ""}, {"text": word.capitalize()}, word.upper(), {"code": 99, "text": word}):
        document = recording("status_pending") | {"status": status}
        async with replaying(Replay(status=(200, document))) as adapter:
            assert (await adapter.status(transfer())).state is STATES[word]


async def test_an_unknown_word_is_pending() -> None:
    document = recording("status_success") | {"status": {"code": 7, "text": "Pondering" * 100}}
    async with replaying(Replay(status=(200, document))) as adapter:
        status = await adapter.status(transfer())
    assert (status.state, status.output_amount) == (TransferState.BRIDGE_PENDING, None)
    assert status.substatus is not None
    assert len(status.substatus) == 200


async def test_not_found_is_unknown() -> None:
    async with replaying(Replay()) as adapter:
        assert (await adapter.status(transfer())).state is TransferState.UNKNOWN


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (403, {"message": "no"}, CredentialsRejected),
        (429, {"message": "no"}, UpstreamFailed),
        (500, None, UpstreamFailed),
        (200, {"tx": None}, UpstreamFailed),
        (200, [], UpstreamFailed),
    ],
)
async def test_what_a_refusal_means(status: int, body: object, error: type[AdapterError]) -> None:
    await refused(replaying(Replay(status=(status, body))), error, lambda adapter: adapter.status(transfer()))
