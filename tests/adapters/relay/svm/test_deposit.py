"""Deposits on Solana are what was asked for, to the byte, or nothing."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.relay.client import published
from rhumbline.adapters.relay.deployments import DEPLOYMENTS
from rhumbline.adapters.relay.svm.deposit import read_solana
from rhumbline.adapters.relay.wire import Step
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmDraft
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.decompiler import decompile_message
from rhumbline.gateways.svm.messages import compile_v0, transaction_size
from rhumbline.gateways.svm.programs import COMPUTE_BUDGET, SPL, SPL_2022, SYSTEM
from tests.adapters.relay.stub_upstream import BASE_ETHER, REQUEST_ID, SOL, SOLANA, SOLANA_ID, StubUpstream, said
from tests.adapters.relay.svm.orders import (
    FROM_SOL,
    FROM_USDC,
    MINIMUM,
    OUTPUT,
    PROGRAM,
    SOLANA_USDC,
    STATE,
    STRANGER,
    VAULT,
    WALLET,
    answered,
    made_by_relay,
    terms,
    token_step,
)
from tests.adapters.relay.test_transfer_status import TRANSFER

Change = Callable[[dict[str, Any]], object]


def step(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    plain = {"id": "deposit", "kind": "transaction", "items": [{"data": data}], "requestId": REQUEST_ID}
    return {**plain, **changes}


async def built(stub_upstream: StubUpstream, request: QuoteRequest, body: dict[str, Any]) -> SvmDraft:
    stub_upstream.upstream.says("/quote/v2", body)
    made = await stub_upstream.adapter.build(await stub_upstream.adapter.quote(request))
    assert isinstance(made, SvmDraft)
    return made


def test_a_step_that_relay_made_is_written_the_same() -> None:
    recorded = made_by_relay()
    _, found = read_solana([Step.model_validate(step(recorded))], FROM_SOL, DEPLOYMENTS[SOLANA_ID])
    (told,) = recorded["instructions"]
    assert found.instruction.program == told["programId"]
    assert found.instruction.data.hex() == told["data"]
    assert list(found.instruction.accounts) == [
        AccountRole(key["pubkey"], key["isSigner"], key["isWritable"]) for key in told["keys"]
    ]
    assert (found.amount, found.holder) == (10_000_000, VAULT)
    assert found.identifier.hex() == told["data"][32:]


def test_a_step_that_relay_made_is_checked_and_compiled() -> None:
    _, found = read_solana([Step.model_validate(step(made_by_relay()))], FROM_SOL, DEPLOYMENTS[SOLANA_ID])
    draft = found.draft(FROM_SOL, REQUEST_ID, 1_893_456_000)
    assert draft.deposit == BridgeDeposit(SOL.address, 10_000_000, (VAULT,))
    message = compile_v0(WALLET, draft.instructions, [], "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM")
    read = decompile_message(message, [])
    assert (read.payer, read.missing) == (WALLET, (WALLET,))
    ((made,), (wanted,)) = read.instructions, draft.instructions
    assert (made.program, made.data) == (wanted.program, wanted.data)
    assert [role.address for role in made.accounts] == [role.address for role in wanted.accounts]
    assert transaction_size(message) < 400


async def test_a_deposit_of_sol(stub_upstream: StubUpstream) -> None:
    body = answered(native=True)
    made = await built(stub_upstream, FROM_SOL, body)
    identifier = bytes.fromhex(body["protocol"]["v2"]["orderId"][2:])
    (instruction,) = made.instructions
    assert instruction.data == bytes.fromhex("0d9e0ddf5fd51c06") + (10_000_000).to_bytes(8, "little") + identifier
    assert [role.address for role in instruction.accounts] == [STATE, WALLET, WALLET, VAULT, SYSTEM]
    assert made == SvmDraft(
        SOLANA_ID, PROGRAM, (instruction,), frozenset({PROGRAM}), reference=REQUEST_ID,
        deposit=BridgeDeposit(SOL.address, 10_000_000, (VAULT,)), expires_at=1_893_456_000,
    )  # fmt: skip


async def test_a_deposit_of_a_token(stub_upstream: StubUpstream) -> None:
    made = await built(stub_upstream, FROM_USDC, answered(native=False))
    holder = associated_token_address(VAULT, SOLANA_USDC.address, SPL)
    assert made.deposit == BridgeDeposit(SOLANA_USDC.address, 250_000_000, (holder,))
    (instruction,) = made.instructions
    assert [role.address for role in instruction.accounts if role.signer] == [WALLET]
    assert instruction.data[:16] == bytes.fromhex("0b9c60da27a3b413") + (250_000_000).to_bytes(8, "little")


async def test_what_is_quoted_and_asked(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote/v2", answered(native=False))
    quote: Quote[Any] = await stub_upstream.adapter.quote(FROM_USDC)
    assert (quote.output_amount, quote.min_output_amount, quote.assured_output) == (OUTPUT, MINIMUM, OUTPUT)
    assert quote.gas_units is None
    (asked,) = stub_upstream.upstream.asked
    assert f'"user":"{WALLET}"' in asked.body.replace(" ", "")
    assert f'"refundTo":"{WALLET}"' in asked.body.replace(" ", "")
    assert '"originChainId":792703809' in asked.body.replace(" ", "")


def first(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["instructions"][0]
    return found


def put(place: int, address: str) -> Change:
    return lambda data: first(data)["keys"][place].update(pubkey=address)


def amount(of: int) -> Change:
    return lambda data: first(data).update(
        data=first(data)["data"][:16] + of.to_bytes(8, "little").hex() + first(data)["data"][32:]
    )


def also(program: str, data: str) -> Change:
    keys = [{"pubkey": WALLET, "isSigner": True, "isWritable": True}, {"pubkey": STRANGER, "isSigner": False}]
    return lambda told: told["instructions"].append({"programId": program, "keys": keys, "data": data})


WRONG: dict[str, Change] = {
    "another program": lambda data: first(data).update(programId=STRANGER),
    "another state": put(0, STRANGER),
    "another sender": put(1, STRANGER),
    "another depositor": put(2, STRANGER),
    "another vault": put(3, STRANGER),
    "less": amount(9_999_999),
    "more": amount(250_000_001),
    "one account more, that signs": lambda data: first(data)["keys"].append({"pubkey": STRANGER, "isSigner": True}),
    "one account less": lambda data: first(data)["keys"].pop(),
    "a transfer besides": also(SYSTEM, "02000000" + (1).to_bytes(8, "little").hex()),
    "a call of a stranger besides": also(STRANGER, ""),
    "no deposit": lambda data: data.update(instructions=[]),
    "another call": lambda data: first(data).update(data="ff" + first(data)["data"][2:]),
    "more data": lambda data: first(data).update(data=first(data)["data"] + "00"),
    "no data": lambda data: first(data).update(data=""),
    "no hex": lambda data: first(data).update(data="0x" + first(data)["data"]),
}
TOKEN_WRONG: dict[str, Change] = {
    "another mint": put(4, "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
    "another source": put(5, STRANGER),
    "another holder": put(6, STRANGER),
    "another token program": put(7, SPL_2022),
    "a stranger's token program": put(7, STRANGER),
    "another associated program": put(8, STRANGER),
}


@pytest.mark.parametrize(
    ("native", "change"),
    [
        *((native, each) for native in (True, False) for each in WRONG.values()),
        *((False, each) for each in TOKEN_WRONG.values()),
    ],
    ids=[*(f"{kind}: {each}" for kind in ("SOL", "USDC") for each in WRONG), *TOKEN_WRONG],
)
async def test_a_wrong_deposit_is_refused(stub_upstream: StubUpstream, native: bool, change: Change) -> None:
    request = FROM_SOL if native else FROM_USDC
    data = made_by_relay() if native else token_step(request.amount)
    change(data)
    with pytest.raises(UpstreamFailed):
        await built(stub_upstream, request, answered(native=native, steps=[step(data)]))


@pytest.mark.parametrize(
    "changes",
    [
        {"receiver": "0x" + "dd" * 20},
        {"refund_to": STRANGER},
        {"refund_to": None},
        {"minimum": MINIMUM - 1},
        {"taken_amount": 249_999_999},
        {"taken": SOL.address},
        {"origin": "base"},
        {"paid": "0x" + "ee" * 20},
    ],
    ids=str,
)
async def test_an_order_over_something_else_is_refused(stub_upstream: StubUpstream, changes: dict[str, Any]) -> None:
    with pytest.raises(UpstreamFailed):
        await built(stub_upstream, FROM_USDC, answered(native=False, order=terms(native=False, **changes)))


async def test_a_deposit_under_another_order_or_one_that_nobody_signed_is_refused(stub_upstream: StubUpstream) -> None:
    body = answered(native=True)
    other = copy.deepcopy(body)
    deposit = other["steps"][0]["items"][0]["data"]["instructions"][0]
    deposit["data"] = deposit["data"][:32] + "ab" * 32
    with pytest.raises(UpstreamFailed, match="order of the deposit"):
        await built(stub_upstream, FROM_SOL, other)
    body["protocol"]["v2"]["orderSignature"] = answered(native=False)["protocol"]["v2"]["orderSignature"]
    with pytest.raises(UpstreamFailed, match="signer"):
        await built(stub_upstream, FROM_SOL, body)


@pytest.mark.parametrize("changes", [{"kind": "signature"}, {"id": "send"}, {"id": "approve"}])
async def test_other_steps_are_refused(stub_upstream: StubUpstream, changes: dict[str, str]) -> None:
    data = made_by_relay()
    for steps in ([step(data, **changes)], [step(data), step(data, **changes)], []):
        with pytest.raises(AdapterError):
            await built(stub_upstream, FROM_SOL, answered(native=True, steps=steps))


async def test_a_compute_budget_is_left_to_the_service(stub_upstream: StubUpstream) -> None:
    data = made_by_relay()
    data["instructions"].insert(0, {"programId": COMPUTE_BUDGET, "keys": [], "data": "02400d0300"})
    made = await built(stub_upstream, FROM_SOL, answered(native=True, steps=[step(data)]))
    assert [each.program for each in made.instructions] == [PROGRAM]
    assert made.compute_limit is None


@pytest.mark.parametrize(
    ("request_", "served"),
    [
        (FROM_SOL, True),
        (FROM_USDC, True),
        (replace(FROM_SOL, destination_token=BASE_ETHER), True),
        (replace(FROM_USDC, origin_token=replace(SOLANA_USDC, address=STRANGER)), False),
        (replace(FROM_SOL, taker=STRANGER), False),
        (replace(FROM_SOL, payout_address="0x" + "dd" * 20), False),
        (replace(FROM_SOL, receiver=WALLET, payout_address=WALLET), False),
        (replace(FROM_SOL, destination=SOLANA, destination_token=SOLANA_USDC, receiver=WALLET), False),
        (
            replace(
                FROM_SOL, destination=SOLANA, destination_token=SOLANA_USDC, receiver=WALLET, payout_address=WALLET
            ),
            False,
        ),
    ],
)
def test_what_is_served_from_solana(stub_upstream: StubUpstream, request_: QuoteRequest, served: bool) -> None:
    assert stub_upstream.adapter.supports(request_) is served


async def test_a_signature_is_compared_with_its_case(stub_upstream: StubUpstream) -> None:
    signature = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
    body = said("status_success.json") | {"inTxHashes": [signature]}
    stub_upstream.upstream.says("/intents/status/v3", body)
    own = replace(TRANSFER, origin_chain_id=SOLANA_ID, tx_hash=signature)
    assert (await stub_upstream.adapter.status(own)).state is TransferState.SUCCESS
    other = replace(own, tx_hash=signature.lower())
    assert (await stub_upstream.adapter.status(other)).substatus == "another deposit"


async def test_the_program_is_published(stub_upstream: StubUpstream) -> None:
    row = {"id": 792703809, "contracts": {"v3": {"erc20Router": "none"}}, "protocol": {"v2": {"depository": PROGRAM}}}
    stub_upstream.upstream.says("/chains", {"chains": [row]})
    assert await published(stub_upstream.adapter.context) == {SOLANA_ID: {"depository": PROGRAM}}
