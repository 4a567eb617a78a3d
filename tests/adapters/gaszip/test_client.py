"""Every known error means what it says, an answer that differs is refused, and every word of a status is read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.gaszip.checking import DEPOSIT, contract_call, plain_calls
from rhumbline.adapters.gaszip.client import ERRORS
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.gaszip.stub_upstream import AMOUNT, ETHER, RECEIVER, REQUEST, WALLET, StubUpstream, said

Change = Callable[[Any], None]
STRANGER = "0x000000000000000000000000000000000000dead"
DONE = "0x" + "a1" * 32
TRANSFER = Transfer(
    "GASZIP", 1, 42161, DONE, -1, WALLET, RECEIVER, WALLET, ETHER.address, AMOUNT, ETHER.address, 5 * 10**15, None,
    datetime.fromisoformat("2026-11-21T00:00:00+00:00"),
)  # fmt: skip
addresses = st.binary(min_size=20, max_size=20).map(checksummed)


def put(*path: str | int, value: Any) -> Change:
    def change(answer: Any) -> None:
        place = answer
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def deposit(short: int, to: bytes) -> str:
    return "0x" + DEPOSIT.encode(short, to).hex()


PAID = bytes.fromhex(RECEIVER[2:])
CALL = "contractDepositTxn"
LIES: dict[str, Change] = {
    "contract": put(CALL, "to", value=STRANGER),
    "value": put(CALL, "value", value=str(AMOUNT + 1)),
    "less value": put(CALL, "value", value=AMOUNT - 1),
    "value in hex": put(CALL, "value", value=hex(AMOUNT + 1)),
    "a value that is none": put(CALL, "value", value="0x"),
    "a value below zero": put(CALL, "value", value="-0x1550f7dca70000"),
    "receiver": put(CALL, "data", value=deposit(57, bytes.fromhex(STRANGER[2:]).ljust(32, b"\0"))),
    "receiver at the right": put(CALL, "data", value=deposit(57, PAID.rjust(32, b"\0"))),
    "chain": put(CALL, "data", value=deposit(55, PAID.ljust(32, b"\0"))),
    "chain of one byte and another": put(CALL, "data", value=deposit(57 << 16 | 55, PAID.ljust(32, b"\0"))),
    "trailing bytes": put(CALL, "data", value=deposit(57, PAID.ljust(32, b"\0")) + "00"),
    "other function": put(CALL, "data", value="0x6e553f65" + deposit(57, PAID.rjust(32, b"\0"))[10:]),
    "plain receiver": put("calldata", value="0x02" + STRANGER[2:] + "0039"),
    "plain sender": put("calldata", value="0x010039"),
    "plain chain": put("calldata", value="0x02" + RECEIVER[2:] + "0037"),
    "plain chains": put("calldata", value="0x02" + RECEIVER[2:] + "00390037"),
    "another destination": put("quotes", 0, "chain", value=10),
    "decimals": put("quotes", 0, "decimals", value=6),
    "no output": put("quotes", 0, "expected", value=None),
    "a fraction": put("quotes", 0, "expected", value=1234.5),
    "below zero": put("quotes", 0, "expected", value=-5),
    "two quotes": lambda answer: answer["quotes"].append(answer["quotes"][0]),
    "no quote": put("quotes", value=[]),
    "an error beside the quote": put("error", value="Something: New"),
    "an error in the quote": put("quotes", 0, "error", value="Something: New"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_an_answer_that_differs_is_refused(stub_upstream: StubUpstream, lie: str) -> None:
    answer = said("quote.json")
    LIES[lie](answer)
    stub_upstream.quotes(answer)
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))


async def test_an_answer_without_a_deposit_is_refused(stub_upstream: StubUpstream) -> None:
    answer = said("quote.json")
    del answer[CALL], answer["calldata"]
    stub_upstream.quotes(answer)
    with pytest.raises(UpstreamFailed, match="without a deposit"):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))


async def test_a_chain_that_goes_by_another_id_now_is_refused(stub_upstream: StubUpstream) -> None:
    table = said("chains.json")
    table["chains"][1]["short"] = 58
    stub_upstream.upstream.says("/chains", table)
    with pytest.raises(UpstreamFailed, match="short ID"):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize("body", [[], {}, {"chains": {}}, {"chains": [{"chain": 1}, {"chain": 42161, "short": 57}]}])
async def test_a_table_that_is_none_is_refused(stub_upstream: StubUpstream, body: object) -> None:
    stub_upstream.upstream.says("/chains", body)
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize("text", ERRORS.meanings)
@pytest.mark.parametrize("status", [200, 400, 500])
async def test_every_known_error_has_its_meaning(stub_upstream: StubUpstream, text: str, status: int) -> None:
    stub_upstream.quotes({"error": text}, status)
    with pytest.raises(AdapterError) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    assert type(caught.value) is ERRORS.meanings[text][0]


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (500, {"error": "Quote: Please Try Again", "quotes": [{"chain": 1, "error": "Quote: Insufficent Liquidity"}]},
         NoRoute),
        (500, {"error": "Something: New"}, UpstreamFailed),
        (400, {"error": "Something: New"}, RequestRejected),
        (400, {"error": {"code": 7}}, RequestRejected),
        (400, {"error": "Restricted: Address has been flagged."}, NoRoute),
        (200, {"quotes": [{"chain": 42161, "error": "Restricted: Address has been flagged."}]}, NoRoute),
        (400, {"error": "Restricted"}, RequestRejected),
        (429, {"error": "Restricted: too often"}, UpstreamFailed),
        (403, {}, CredentialsRejected),
        (429, {"error": "Source: Chain Disabled"}, UpstreamFailed),
        (200, [], UpstreamFailed),
    ],
)  # fmt: skip
async def test_other_errors(stub_upstream: StubUpstream, status: int, body: object, kind: type[AdapterError]) -> None:
    stub_upstream.quotes(body, status)
    with pytest.raises(AdapterError) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    ("recording", "change", "state", "substatus"),
    [
        ("deposit_paid.json", {}, TransferState.SUCCESS, "CONFIRMED"),
        ("deposit_paid.json", {"status": "SEEN", "hash": None}, TransferState.BRIDGE_PENDING, "SEEN"),
        ("deposit_paid.json", {"status": "PRIORITY"}, TransferState.BRIDGE_PENDING, "PRIORITY"),
        ("deposit_paid.json", {"status": "BRAND_NEW"}, TransferState.BRIDGE_PENDING, "BRAND_NEW"),
        ("deposit_paid.json", {"hash": None}, TransferState.BRIDGE_PENDING, "CONFIRMED"),
        ("deposit_paid.json", {"to": STRANGER}, TransferState.BRIDGE_PENDING, "CONFIRMED"),
        ("deposit_paid.json", {"chain": 10}, TransferState.BRIDGE_PENDING, "CONFIRMED"),
        ("deposit_paid.json", {"cancelled": True}, TransferState.REFUND_PENDING, "CONFIRMED"),
        ("deposit_paid.json", {"status": "CANCELLED", "hash": None}, TransferState.REFUND_PENDING, "CANCELLED"),
        ("deposit_refunded.json", {}, TransferState.REFUNDED, "CONFIRMED"),
    ],
)
async def test_how_a_transfer_stands(
    stub_upstream: StubUpstream, recording: str, change: dict[str, Any], state: TransferState, substatus: str
) -> None:
    answer = said(recording)
    answer["txs"][0] |= change
    stub_upstream.upstream.says("a1" * 32, answer)
    status = await stub_upstream.adapter.status(TRANSFER)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path, asked.query) == ("GET", f"/v2/deposit/{DONE}", {})
    assert (status.state, status.substatus) == (state, substatus)
    assert (status.destination_tx_hash == "0x" + "b2" * 32) is (state is TransferState.SUCCESS)
    assert (status.refund_tx_hash == "0x" + "c3" * 32) is (state is TransferState.REFUNDED)
    assert status.output_amount is None
    assert len(repr(status.raw)) < 4000


@pytest.mark.parametrize("word", ["SEEN", "PENDING", "CANCELLED"])
async def test_a_refund_that_is_on_its_way(stub_upstream: StubUpstream, word: str) -> None:
    answer = said("deposit_refunded.json")
    answer["txs"][1] |= {"status": word, "hash": None}
    stub_upstream.upstream.says("a1" * 32, answer)
    assert (await stub_upstream.adapter.status(TRANSFER)).state is TransferState.REFUND_PENDING


@pytest.mark.parametrize(
    ("word", "state"), [("SEEN", TransferState.BRIDGE_PENDING), ("CANCELLED", TransferState.REFUND_PENDING)]
)
async def test_a_deposit_without_payments(stub_upstream: StubUpstream, word: str, state: TransferState) -> None:
    answer = said("deposit_paid.json")
    stub_upstream.upstream.says("a1" * 32, {"deposit": answer["deposit"] | {"status": word}, "txs": []})
    assert (await stub_upstream.adapter.status(TRANSFER)).state is state


@pytest.mark.parametrize(("status", "body"), [(200, {}), (200, {"error": "no data found"}), (404, {}), (400, {})])
async def test_what_gaszip_does_not_know_is_unknown(stub_upstream: StubUpstream, status: int, body: object) -> None:
    stub_upstream.upstream.says("a1" * 32, body, status)
    assert (await stub_upstream.adapter.status(TRANSFER)).state is TransferState.UNKNOWN


async def test_another_deposit_is_unknown(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("d4" * 32, said("deposit_paid.json"))
    other = replace(TRANSFER, tx_hash="0x" + "d4" * 32)
    assert (await stub_upstream.adapter.status(other)).state is TransferState.UNKNOWN


@pytest.mark.parametrize(("status", "kind"), [(401, CredentialsRejected), (429, UpstreamFailed), (500, UpstreamFailed)])
async def test_a_status_that_cannot_be_had_is_an_error(
    stub_upstream: StubUpstream, status: int, kind: type[AdapterError]
) -> None:
    stub_upstream.upstream.says("a1" * 32, {}, status)
    with pytest.raises(kind):
        await stub_upstream.adapter.status(TRANSFER)


@given(st.integers(1, 2**16 - 1), addresses, addresses)
def test_deposits_say_chain_and_receiver(short: int, sender: str, receiver: str) -> None:
    chains, to = DEPOSIT.decode(contract_call(short, receiver))
    assert (chains, to) == (short, bytes.fromhex(receiver[2:]) + bytes(12))
    for plain in plain_calls(short, sender, receiver):
        assert plain[-2:] == short.to_bytes(2)
        assert plain[:-2] in (b"\x01", b"\x02" + bytes.fromhex(receiver[2:]))
    assert len(plain_calls(short, receiver, receiver)) == 2
