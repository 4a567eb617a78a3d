"""How a transfer stands, by the explorer's words."""

from typing import Any

import pytest

from rhumbline.adapters.mayan.transfer_status import CLIENT_STATES, STATES
from rhumbline.devnet.upstreams.mayan.transfers import WORDS
from rhumbline.domain.errors import CredentialsRejected, UpstreamFailed
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus
from tests.adapters.mayan.case import CASES
from tests.adapters.mayan.stub_upstream import RECEIVER, SENDER, SOLANA, TOKENS, open_stub, read, transfer

HASH, TX = "0x" + "cd" * 32, "0x" + "ab" * 32


async def _status(answer: Any, begun: Transfer | None = None) -> TransferStatus:
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.recorded.says(f"/explorer/swap/trx/{HASH}", answer)
        return await stub_upstream.adapter.status(begun or transfer())


async def test_a_finished_transfer_tells_what_arrived() -> None:
    status = await _status(read("transfer"))
    assert (status.state, status.source, status.substatus) == (
        TransferState.SUCCESS, StatusSource.BRIDGE_API, "ORDER_SETTLED",
    )  # fmt: skip
    assert status.destination_tx_hash == "0x" + "ef" * 32
    assert (status.output_token, status.output_amount) == (TOKENS["base USDC"].address, 249_812_340)
    assert status.refund_tx_hash is None
    assert status.raw["clientStatus"] == "COMPLETED"
    assert "txs" not in status.raw


@pytest.mark.parametrize("word", WORDS)
async def test_every_documented_word_means_something(word: str) -> None:
    client = {"FAILED": "FAILED", "CANCELED": "CANCELED"}.get(word)
    answer = {**read("transfer"), "status": word, "clientStatus": client}
    status = await _status(answer)
    assert status.state is CASES[0].statuses[word]
    assert status.substatus == word


def test_the_tables_are_those_of_the_emulator() -> None:
    assert set(WORDS) <= set(STATES) | set(CLIENT_STATES)
    assert set(CASES[0].statuses) == set(WORDS)


@pytest.mark.parametrize(("client", "step", "state"), [
    ("INPROGRESS", "ORDER_FULFILLED", TransferState.BRIDGE_PENDING),
    ("INPROGRESS", "ORDER_CANCELED", TransferState.REFUND_PENDING),
    # The client's word goes on as long as it says so, and ends it whatever the step is.
    ("INPROGRESS", "ORDER_SETTLED", TransferState.BRIDGE_PENDING),
    ("COMPLETED", "ORDER_FULFILLED", TransferState.SUCCESS),
    ("REFUNDED", "ORDER_CANCELED", TransferState.REFUNDED),
    ("CANCELED", "ORDER_CANCELED", TransferState.REFUNDED),
    ("FAILED", "ORDER_CREATED", TransferState.BRIDGE_FAILED),
    ("SOMETHING_NEW", "ORDER_CREATED", TransferState.BRIDGE_PENDING),
    (None, "SOMETHING_NEW", TransferState.BRIDGE_PENDING),
    ("INPROGRESS", None, TransferState.BRIDGE_PENDING),
])  # fmt: skip
async def test_which_word_wins(client: str | None, step: str | None, state: TransferState) -> None:
    status = await _status({**read("transfer"), "clientStatus": client, "status": step})
    assert status.state is state
    assert status.substatus == (step or client)


async def test_another_token_is_no_success() -> None:
    status = await _status({**read("transfer"), "toTokenAddress": "0x" + "5b" * 20})
    assert (status.state, status.output_amount) == (TransferState.RECOVERED, None)
    native = await _status(
        {**read("transfer"), "toTokenAddress": "0x" + "0" * 40, "toAmount": "0.25"},
        transfer(output_token=TOKENS["base ETH"].address),
    )
    assert (native.state, native.output_amount) == (TransferState.SUCCESS, 25 * 10**16)


@pytest.mark.parametrize("amount", [None, "", "-1", "1e9", "0.5.5", "9" * 41, "NaN"])
async def test_amounts_that_are_none_are_not_told(amount: str | None) -> None:
    assert (await _status({**read("transfer"), "toAmount": amount})).output_amount is None


async def test_a_refund_is_told() -> None:
    refunded = {"clientStatus": "REFUNDED", "status": "ORDER_REFUNDED", "refundTxHash": "0x" + "77" * 32}
    status = await _status({**read("transfer"), **refunded, "fulfillTxHash": None})
    assert (status.state, status.refund_tx_hash) == (TransferState.REFUNDED, "0x" + "77" * 32)
    assert (status.destination_tx_hash, status.output_token) == (None, None)


@pytest.mark.parametrize("change", [
    {"sourceTxHash": "0x" + "11" * 32}, {"sourceChain": "30"}, {"destChain": "2"}, {"destAddress": SENDER},
])  # fmt: skip
async def test_another_transfer_is_not_ours(change: dict[str, str]) -> None:
    status = await _status({**read("transfer"), **change})
    assert (status.state, status.substatus) == (TransferState.UNKNOWN, "another transfer")


async def test_case_of_hex_does_not_matter_and_that_of_base58_does() -> None:
    upper = {"sourceTxHash": TX.upper().replace("0X", "0x"), "destAddress": RECEIVER.lower()}
    assert (await _status({**read("transfer"), **upper})).state is TransferState.SUCCESS
    begun = transfer(destination_chain_id=SOLANA, receiver="7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2")
    solana = {**read("transfer"), "destChain": "1", "toTokenAddress": None}
    assert (await _status({**solana, "destAddress": begun.receiver}, begun)).state is TransferState.SUCCESS
    assert (await _status({**solana, "destAddress": begun.receiver.lower()}, begun)).state is TransferState.UNKNOWN


async def test_what_is_not_known_by_its_hash_is_asked_for_by_its_transaction() -> None:
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.recorded.says(HASH, {"message": "Swap not found"}, 404)
        stub_upstream.recorded.says(TX, {"message": "Swap not found"}, 404)
        assert (await stub_upstream.adapter.status(transfer())).state is TransferState.UNKNOWN
        stub_upstream.recorded.says(TX, read("transfer"))
        assert (await stub_upstream.adapter.status(transfer())).state is TransferState.SUCCESS
        assert (await stub_upstream.adapter.status(transfer(reference=None))).state is TransferState.SUCCESS
    paths = [asked.path.rpartition("/")[2] for asked in stub_upstream.recorded.asked]
    assert paths == [HASH, TX, HASH, TX, TX]


async def test_an_explorer_that_fails_is_said_to_fail() -> None:
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        for status, error in ((500, UpstreamFailed), (429, UpstreamFailed), (401, CredentialsRejected)):
            stub_upstream.recorded.says(HASH, {"message": "no"}, status)
            with pytest.raises(error):
                await stub_upstream.adapter.status(transfer())
        nothings: list[Any] = [[], {}, {"code": "INTERNAL", "message": "try later"}, {"status": 500}]
        for nothing in nothings:
            stub_upstream.recorded.says(HASH, nothing)
            with pytest.raises(UpstreamFailed):
                await stub_upstream.adapter.status(transfer())


async def test_long_texts_are_cut() -> None:
    status = await _status({**read("transfer"), "service": "x" * 10_000})
    assert len(str(status.raw["service"])) == 200
