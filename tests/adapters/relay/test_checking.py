"""Every documented error means what it says, and an answer that differs from the question is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.relay.calldata import DEPOSIT_ALLOWANCE, DEPOSIT_NATIVE, DEPOSIT_TOKEN
from rhumbline.adapters.relay.client import ERRORS
from rhumbline.adapters.relay.order import order_id
from rhumbline.adapters.relay.wire import Order
from rhumbline.domain.errors import AdapterError, CredentialsRejected, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.signatures import Account, encode_defunct
from tests.adapters.relay.stub_upstream import (
    BASE_ETHER,
    RECEIVER,
    REQUEST,
    SOLVER_KEY,
    STRANGER,
    USDC,
    WALLET,
    WETH,
    StubUpstream,
    said,
)

Change = Callable[[Any], None]
SWAPPED = replace(REQUEST, origin_token=WETH, destination_token=BASE_ETHER, amount=10**18)


def call(answer: Any) -> Any:
    return answer["steps"][-1]["items"][0]["data"]


def order(answer: Any) -> Any:
    return answer["protocol"]["v2"]["orderData"]


def signed_anew(answer: Any) -> None:
    """Give the changed order its ID and the solver's signature, and deposit under it: a lie that agrees with itself."""
    protocol = answer["protocol"]["v2"]
    before = protocol["orderId"]
    identifier = order_id(Order.model_validate(order(answer)))
    signature = Account.from_key(SOLVER_KEY).sign_message(encode_defunct(primitive=identifier)).signature
    protocol |= {"orderId": "0x" + identifier.hex(), "orderSignature": "0x" + bytes(signature).hex()}
    call(answer)["data"] = call(answer)["data"].replace(before[2:], identifier.hex())


def put(*path: str | int, value: Any, inside: Callable[[Any], Any] = lambda answer: answer) -> Change:
    def change(answer: Any) -> None:
        place = inside(answer)
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def ordering(*path: str | int, value: Any) -> Change:
    def change(answer: Any) -> None:
        put(*path, value=value, inside=order)(answer)
        signed_anew(answer)

    return change


def depositing(encoded: Callable[[bytes], bytes]) -> Change:
    def change(answer: Any) -> None:
        identifier = bytes.fromhex(answer["protocol"]["v2"]["orderId"][2:])
        call(answer)["data"] = "0x" + encoded(identifier).hex()

    return change


def nameless(answer: Any) -> None:
    """Name the request nowhere."""
    del answer["requestId"], answer["steps"][1]["requestId"]


AMOUNT = REQUEST.amount
LIES: dict[str, Change] = {
    "sender": put("details", "sender", value=STRANGER),
    "receiver": put("details", "recipient", value=STRANGER),
    "token in": put("details", "currencyIn", "currency", "address", value=WETH.address),
    "token out": put("details", "currencyOut", "currency", "address", value=USDC.address),
    "chain in": put("details", "currencyIn", "currency", "chainId", value=10),
    "chain out": put("details", "currencyOut", "currency", "chainId", value=10),
    "amount in": put("details", "currencyIn", "amount", value="249999999"),
    "minimum": put("details", "currencyOut", "minimumAmount", value="248563282"),
    "no minimum": put("details", "currencyOut", "minimumAmount", value=None),
    "minimum above output": put("details", "currencyOut", "minimumAmount", value="249812346"),
    "contract": put("to", value=STRANGER, inside=call),
    "solver called": put("to", value="0xf70da97812CB96acDF810712Aa562db8dfA3dbEF", inside=call),
    "token called": put("to", value=USDC.address, inside=call),
    "router called for a token": put("to", value="0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f", inside=call),
    "value": put("value", value="1", inside=call),
    "chain called": put("chainId", value=8453, inside=call),
    "a signature step": put("steps", 1, "kind", value="signature"),
    "a bare send": put("steps", 1, "id", value="send"),
    "an authorisation": put("steps", 0, "id", value="authorize"),
    "no request": nameless,
    "another request": put("steps", 1, "requestId", value="0x5b"),
    "another request at the top": put("requestId", value="not a hash"),
    "approval of another token": put("steps", 0, "items", 0, "data", "to", value=WETH.address),
    "no order": put("protocol", value=None),
    "order hidden": put("protocol", "v2", value=None),
    "order's ID": put("protocol", "v2", "orderId", value="0x" + "12" * 32),
    "no signature": put("protocol", "v2", "orderSignature", value="0x"),
    "signature": put("protocol", "v2", "orderSignature", value="0x" + "1b" * 65),
    "order changed alone": put("output", "payments", 0, "recipient", value=STRANGER, inside=order),
    "paid receiver": ordering("output", "payments", 0, "recipient", value=STRANGER),
    "paid token": ordering("output", "payments", 0, "currency", value=USDC.address),
    "paid minimum": ordering("output", "payments", 0, "minimumAmount", value="248563283"),
    "paid chain": ordering("output", "chainId", value="optimism"),
    "paid calls": ordering("output", "calls", value=["0x00"]),
    "nobody paid": ordering("output", "payments", value=[]),
    "solver": ordering("solver", value=STRANGER),
    "version": ordering("version", value="v2"),
    "taken chain": ordering("inputs", 0, "payment", "chainId", value="base"),
    "taken token": ordering("inputs", 0, "payment", "currency", value=WETH.address),
    "taken amount": ordering("inputs", 0, "payment", "amount", value="250000001"),
    "nothing taken": ordering("inputs", value=[]),
    "no refund": ordering("inputs", 0, "refunds", value=[]),
    "refund to a stranger": ordering("inputs", 0, "refunds", 0, "recipient", value=STRANGER),
    "refund over there": ordering("inputs", 0, "refunds", 1, "recipient", value=STRANGER),
    "refund elsewhere": ordering("inputs", 0, "refunds", 1, "chainId", value="optimism"),
    "depositor": depositing(lambda name: DEPOSIT_TOKEN.encode(STRANGER, USDC.address, AMOUNT, name)),
    "caller as depositor": depositing(lambda name: DEPOSIT_TOKEN.encode("0x" + "00" * 20, USDC.address, AMOUNT, name)),
    "deposited token": depositing(lambda name: DEPOSIT_TOKEN.encode(WALLET, WETH.address, AMOUNT, name)),
    "deposited amount": depositing(lambda name: DEPOSIT_TOKEN.encode(WALLET, USDC.address, AMOUNT + 1, name)),
    "deposited under another order": depositing(
        lambda name: DEPOSIT_TOKEN.encode(WALLET, USDC.address, AMOUNT, bytes(32))
    ),
    "native deposit of a token": depositing(lambda name: DEPOSIT_NATIVE.encode(WALLET, name)),
    "whole allowance": depositing(lambda name: DEPOSIT_ALLOWANCE.encode(WALLET, USDC.address, name)),
    "trailing bytes": depositing(lambda name: DEPOSIT_TOKEN.encode(WALLET, USDC.address, AMOUNT, name) + bytes(32)),
    "unknown function": depositing(lambda name: bytes(4) + name),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_transfer_that_differs_is_refused(stub_upstream: StubUpstream, lie: str) -> None:
    await refused(stub_upstream, "transfer.json", REQUEST, LIES[lie])


@pytest.mark.parametrize("where", ["step", "answer"])
async def test_the_request_may_be_named_in_one_place_only(stub_upstream: StubUpstream, where: str) -> None:
    answer = said("transfer.json")
    name = answer["requestId"]
    del (answer if where == "step" else answer["steps"][1])["requestId"]
    stub_upstream.upstream.says("/quote/v2", answer)
    assert (await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))).reference == name


def test_a_consistent_order_is_what_the_lies_are_made_from() -> None:
    answer = said("transfer.json")
    signed_anew(answer)
    assert answer == said("transfer.json")


async def refused(stub_upstream: StubUpstream, recording: str, request: QuoteRequest, change: Change) -> None:
    stub_upstream.upstream.says("/quote/v2", said(recording))
    await stub_upstream.adapter.build(await stub_upstream.adapter.quote(request))
    answer = said(recording)
    change(answer)
    assert answer != said(recording)
    stub_upstream.upstream.says("/quote/v2", answer)
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(request))


@pytest.mark.parametrize("code", ERRORS.meanings)
@pytest.mark.parametrize("status", [400, 500, 200])
async def test_every_error_code_has_its_meaning(stub_upstream: StubUpstream, code: str, status: int) -> None:
    stub_upstream.upstream.says("/quote/v2", {"message": "words of a stranger", "errorCode": code}, status)
    with pytest.raises(AdapterError) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    assert type(caught.value) is ERRORS.meanings[code][0]
    assert "stranger" not in caught.value.reason


@pytest.mark.parametrize("code", [code for code, (kind, _) in ERRORS.meanings.items() if kind is UpstreamFailed])
async def test_a_rest_that_is_asked_for_is_kept(stub_upstream: StubUpstream, code: str) -> None:
    stub_upstream.upstream.headers["retry-after"] = "600"
    stub_upstream.upstream.says("/quote/v2", {"message": "?", "errorCode": code}, 503)
    with pytest.raises(UpstreamFailed) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    assert caught.value.retry_after_s == 600


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"message": "Invalid request body"}, RequestRejected),
        (400, {"message": "?", "errorCode": "A_NEW_ONE"}, RequestRejected),
        (401, {"message": "?"}, CredentialsRejected),
        (429, {"message": "too many", "errorCode": "UNAUTHORIZED"}, UpstreamFailed),
        (502, {}, UpstreamFailed),
        (200, {"message": "?", "errorCode": "A_NEW_ONE"}, UpstreamFailed),
        (200, {"message": "?", "errorCode": 7}, UpstreamFailed),
        (200, [], UpstreamFailed),
    ],
)
async def test_other_errors_count_by_their_status(
    stub_upstream: StubUpstream, status: int, body: object, kind: type[AdapterError]
) -> None:
    stub_upstream.upstream.says("/quote/v2", body, status)
    with pytest.raises(AdapterError) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    assert type(caught.value) is kind


def refunding(whom: str) -> Any:
    """The recorded transfer, whose order refunds somebody on the origin, and the receiver on the destination."""
    answer = said("transfer.json")
    for place, recipient in enumerate((whom, RECEIVER)):
        ordering("inputs", 0, "refunds", place, "recipient", value=recipient)(answer)
    return answer


async def test_a_named_refund_is_asked_for_and_held_to(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote/v2", refunding(USDC.address))
    await stub_upstream.adapter.build(await stub_upstream.adapter.quote(replace(REQUEST, refund_to=USDC.address)))
    asked = json.loads(stub_upstream.upstream.asked[0].body)
    assert (asked["user"], asked["refundTo"]) == (WALLET, USDC.address)


@pytest.mark.parametrize("whom", [WALLET, STRANGER])
async def test_a_refund_to_anybody_else_is_refused(stub_upstream: StubUpstream, whom: str) -> None:
    stub_upstream.upstream.says("/quote/v2", refunding(whom))
    with pytest.raises(UpstreamFailed, match="refund address"):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(replace(REQUEST, refund_to=USDC.address)))
