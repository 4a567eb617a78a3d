"""Deposits to and from Solana, by the vendor's pages; answers are written for the project in the shape of others.

No answer of the service about Solana was seen. The data of the deposit is that of "Code Example for Solana Deposit" of
https://dev.gas.zip: a discriminator, lamports, a list of short IDs, 32 bytes of the receiver.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from rhumbline.adapters.gaszip.checking import DEPOSIT, plain_calls
from rhumbline.adapters.gaszip.client import published
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmDraft
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.svm.address import decode_address
from tests.adapters.gaszip.stub_upstream import CONTRACT, RECEIVER, REQUEST, StubUpstream, said

SOLANA_ID = 1_000_000_001
SOL = Token(SOLANA_ID, NATIVE_SVM, "SOL", 9, "Solana", "SOL")
SOLANA = Chain(SOLANA_ID, "sol", "Solana", ChainType.SVM, SOL, mainnet=True)
WALLET, STRANGER = "27q8k7t3VAdZgeG679xpgmm9WD4g3EgVfNQaVgfGocPL", "mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v"
PROGRAM, VENDOR = (
    "FzuVV5WeLyWHDuX6SPbeLgqkvePDTzMCRKYAhDbiP3z3",
    "gasZT2bpe7mxu5wMgQbvry84vok5CuF2huCEokyC3qh",
)
VAULT = "7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ"
LAMPORTS = 120_000_000
OUT = replace(REQUEST, origin=SOLANA, origin_token=SOL, amount=LAMPORTS, sender=WALLET, taker=WALLET)
IN = replace(REQUEST, destination=SOLANA, destination_token=SOL, receiver=WALLET, payout_address=WALLET)
SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
TRANSFER = Transfer(
    "GASZIP", SOLANA_ID, 42161, SIGNATURE, -1, WALLET, RECEIVER, WALLET, NATIVE_SVM, LAMPORTS,
    REQUEST.destination_token.address, 5 * 10**15, None, datetime.fromisoformat("2026-11-21T00:00:00+00:00"),
)  # fmt: skip


def with_solana(stub_upstream: StubUpstream, **changes: Any) -> None:
    table = said("chains.json")
    row = {
        "name": "Solana", "chain": 501474, "short": 245, "gas": "5000", "gwei": "0", "bal": "900000000000",
        "rpcs": [], "symbol": "SOL", "price": 150, "decimals": 9, "inbound": True, "mainnet": True,
        "maxInboundNative": "400000000", "minOutboundNative": "1700000", "maxOutboundNative": "400000000",
    }  # fmt: skip
    table["chains"].append(row | changes)
    stub_upstream.upstream.says("/chains", table)


def answered(request: QuoteRequest, **changes: Any) -> dict[str, Any]:
    if request.destination.id == SOLANA_ID:
        offer = {"chain": 501474, "decimals": 9, "expected": 119_000_000, "expectedNative": 119_000_000, "gas": 5000}
        call = DEPOSIT.encode(245, decode_address(WALLET)).hex()
        deposit = {"to": CONTRACT, "data": "0x" + call, "value": hex(REQUEST.amount)}
        plain = "0x03" + decode_address(WALLET).hex() + "00f5"
        body = {"contractDepositTxn": deposit, "calldata": plain}
    else:
        offer = {"chain": 42161, "decimals": 18, "expected": 5_991_310_100_000_000, "gas": 868_990_000_000}
        body = {}
    return {**body, "expires": 1_795_000_060, "quotes": [offer | {"speed": 5, "usd": 18.05} | changes]}


def says(stub_upstream: StubUpstream, request: QuoteRequest, body: object) -> None:
    numbers = [501474 if chain.id == SOLANA_ID else chain.id for chain in (request.origin, request.destination)]
    stub_upstream.upstream.says(f"/quotes/{numbers[0]}/{request.amount}/{numbers[1]}", body)


async def test_a_deposit_on_solana(stub_upstream: StubUpstream) -> None:
    with_solana(stub_upstream)
    says(stub_upstream, OUT, answered(OUT))
    quote = await stub_upstream.adapter.quote(OUT)
    assert (quote.output_amount, quote.assured_output, quote.seconds) == (5_991_310_100_000_000, 0, 5)
    made = await stub_upstream.adapter.build(quote)
    assert isinstance(made, SvmDraft)
    (instruction,) = made.instructions
    assert instruction.program == PROGRAM
    assert instruction.accounts == (
        AccountRole(WALLET, signer=True, writable=True), AccountRole(NATIVE_SVM), AccountRole(VENDOR, writable=True),
    )  # fmt: skip
    head, value = bytes([242, 35, 198, 137, 82, 225, 242, 182]), LAMPORTS.to_bytes(8, "little")
    shorts, receiver = bytes.fromhex("01000000" + "3900"), bytes(12) + bytes.fromhex(RECEIVER[2:])
    assert instruction.data == head + value + shorts + receiver
    assert made == SvmDraft(
        SOLANA_ID, PROGRAM, (instruction,), frozenset({PROGRAM}),
        deposit=BridgeDeposit(NATIVE_SVM, LAMPORTS, (VENDOR,)), expires_at=1_795_000_060,
    )  # fmt: skip


async def test_a_deposit_for_solana(stub_upstream: StubUpstream) -> None:
    with_solana(stub_upstream)
    says(stub_upstream, IN, answered(IN))
    quote = await stub_upstream.adapter.quote(IN)
    assert quote.output_amount == 119_000_000
    made = await stub_upstream.built(quote)
    assert made.data == DEPOSIT.encode(245, decode_address(WALLET))
    assert (made.to, made.value) == (CONTRACT, IN.amount)
    assert made.deposit is not None
    assert made.deposit.log is not None
    assert made.deposit.log.words[3] == decode_address(WALLET)


@pytest.mark.parametrize("place", ["contractDepositTxn", "calldata"])
async def test_a_deposit_for_another_receiver_on_solana_is_refused(stub_upstream: StubUpstream, place: str) -> None:
    with_solana(stub_upstream)
    body = answered(IN)
    (plain,) = plain_calls(245, IN.sender, STRANGER)
    call = DEPOSIT.encode(245, decode_address(STRANGER)).hex()
    wrong = body["contractDepositTxn"] | {"data": "0x" + call} if place != "calldata" else "0x" + plain.hex()
    says(stub_upstream, IN, body | {place: wrong})
    with pytest.raises(UpstreamFailed, match="deposit"):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(IN))


@pytest.mark.parametrize(
    "changes",
    [
        {"decimals": 18},
        {"expected": 119_000_000 * 10**9},
        {"expectedNative": 119_000_000 * 10**9},
        {"chain": SOLANA_ID},
        {"chain": 245},
    ],
    ids=str,
)
async def test_amounts_in_another_unit_and_other_chains_are_refused(
    stub_upstream: StubUpstream, changes: dict[str, int]
) -> None:
    with_solana(stub_upstream)
    says(stub_upstream, IN, answered(IN, **changes))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(IN)


async def test_limits_and_the_short_id_are_those_of_solanas_own_row(stub_upstream: StubUpstream) -> None:
    says(stub_upstream, OUT, answered(OUT))
    with_solana(stub_upstream, minOutboundNative=str(LAMPORTS + 1))
    with pytest.raises(BelowMinimum):
        await stub_upstream.adapter.quote(OUT)
    with_solana(stub_upstream, short=246)
    says(stub_upstream, IN, answered(IN))
    with pytest.raises(UpstreamFailed, match="short ID"):
        await stub_upstream.adapter.quote(IN)
    assert (await published(stub_upstream.adapter.context))[SOLANA_ID] == {"short": "246"}


@pytest.mark.parametrize(
    ("request_", "served"),
    [
        (OUT, True),
        (IN, True),
        (replace(OUT, taker=STRANGER), False),
        (replace(OUT, origin_token=replace(SOL, address=STRANGER)), False),
        (replace(OUT, receiver=WALLET, payout_address=WALLET), False),
        (replace(IN, receiver=RECEIVER, payout_address=RECEIVER), False),
        (replace(IN, receiver=VAULT, payout_address=VAULT), False),
        (replace(IN, destination_token=replace(SOL, address=STRANGER)), False),
    ],
)
def test_what_is_served(stub_upstream: StubUpstream, request_: QuoteRequest, served: bool) -> None:
    assert stub_upstream.adapter.supports(request_) is served


@pytest.mark.parametrize(
    ("deposit", "paid", "state"),
    [
        ({}, {}, TransferState.SUCCESS),
        ({"hash": "5v" + SIGNATURE[2:]}, {}, TransferState.UNKNOWN),
        ({}, {"to": "0x" + "dd" * 20}, TransferState.BRIDGE_PENDING),
        ({}, {"chain": 501474}, TransferState.BRIDGE_PENDING),
    ],
)
async def test_a_transfer_from_solana(
    stub_upstream: StubUpstream, deposit: dict[str, str], paid: dict[str, Any], state: TransferState
) -> None:
    body = said("deposit_paid.json")
    body["deposit"] |= {"hash": SIGNATURE, "chain": 501474} | deposit
    body["txs"][0] |= paid
    stub_upstream.upstream.says(f"/deposit/{SIGNATURE}", body)
    assert (await stub_upstream.adapter.status(TRANSFER)).state is state


async def test_a_transfer_to_solana(stub_upstream: StubUpstream) -> None:
    sent = "0x" + "c4" * 32
    body = said("deposit_paid.json")
    body["deposit"]["hash"] = sent
    body["txs"][0] |= {"chain": 501474, "hash": SIGNATURE, "to": WALLET}
    stub_upstream.upstream.says(f"/deposit/{sent}", body)
    own = replace(TRANSFER, tx_hash=sent, destination_chain_id=SOLANA_ID, receiver=WALLET)
    status = await stub_upstream.adapter.status(own)
    assert (status.state, status.destination_tx_hash) == (TransferState.SUCCESS, SIGNATURE)
    other = await stub_upstream.adapter.status(replace(own, receiver=STRANGER))
    assert other.state is TransferState.BRIDGE_PENDING
