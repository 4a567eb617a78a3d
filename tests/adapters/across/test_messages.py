"""A deposit with a message: what is asked, what is built, and that the emulator takes it as the API does."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.across.calldata import decode
from rhumbline.domain.errors import NoRoute, RequestRejected
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.across.bridge_fixture import BridgeFixture, word
from tests.adapters.across.calling import Wanted
from tests.adapters.across.stub_upstream import REQUEST, TO_SOLANA, StubUpstream
from tests.adapters.bridging.adapter_fixture import RECEIVER

AMOUNT = 1_000 * 10**6


def to_the_receiver(fixture: BridgeFixture, symbol: str, text: bytes) -> QuoteRequest:
    request = fixture.adapter_fixture.request(("sbxa", symbol), ("sbxb", symbol), AMOUNT, direct=False)
    there = fixture.adapter_fixture.chains["sbxb"]
    assert there.receiver is not None
    return replace(request, payout_address=there.receiver, message=text)


async def test_a_bare_deposit_is_asked_for_with_the_message_and_its_recipient(stub_upstream: StubUpstream) -> None:
    """The Swap API makes messages of its own; it is not asked although there is a key."""
    request = replace(REQUEST, message=b"\x12\x34")
    quote = await stub_upstream.adapter.quote(request)
    (asked,) = stub_upstream.upstream.asked
    assert asked.path == "/api/suggested-fees"
    assert (asked.query["message"], asked.query["recipient"]) == ("0x1234", request.payout_address)
    assert quote.min_output_amount == quote.output_amount


def test_nothing_is_called_on_solana(stub_upstream: StubUpstream) -> None:
    assert stub_upstream.adapter.info.carries_messages
    assert stub_upstream.adapter.supports(TO_SOLANA)
    assert not stub_upstream.adapter.supports(replace(TO_SOLANA, message=b"\x01"))


async def test_the_deposit_carries_it_and_says_so(bridge_fixture: BridgeFixture) -> None:
    text = Wanted(minimum=1).message(bridge_fixture)
    request = to_the_receiver(bridge_fixture, "USDC", text)
    quote = await bridge_fixture.adapter.quote(request)
    plain = await bridge_fixture.adapter.quote(replace(request, message=b""))
    # Who fills it has to make the swap as well.
    assert quote.output_amount < plain.output_amount
    _, built = await bridge_fixture.adapter_fixture.built(quote)
    call = decode(built.data)
    assert (call.message, call.recipient) == (text, word(request.payout_address))
    told = built.destination_call
    assert told is not None
    assert (told.payee, told.token) == (request.payout_address, request.destination_token.address)
    assert (told.least, told.message) == (quote.output_amount, text)
    _, without = await bridge_fixture.adapter_fixture.built(plain)
    assert without.destination_call is None


async def test_a_message_that_the_receiver_would_refuse_is_not_quoted(bridge_fixture: BridgeFixture) -> None:
    with pytest.raises(RequestRejected):
        await bridge_fixture.adapter.quote(
            to_the_receiver(bridge_fixture, "USDC", Wanted(minimum=0).message(bridge_fixture))
        )


async def test_the_native_asset_reaches_no_contract(bridge_fixture: BridgeFixture) -> None:
    """A pool pays contracts the wrapped token, so that is what may be asked for with a message."""
    request = to_the_receiver(bridge_fixture, "ETH", b"\x01")
    with pytest.raises(NoRoute, match="would get the wrapped token"):
        await bridge_fixture.adapter.quote(request)


@pytest.mark.parametrize(
    ("changes", "param"),
    [
        ({"message": "0x123"}, "message"),
        ({"message": "0xzz"}, "message"),
        ({"recipient": RECEIVER}, "recipient"),
        ({"recipient": None}, "recipient"),
    ],
)
async def test_the_emulator_refuses_what_the_api_does(
    bridge_fixture: BridgeFixture, changes: dict[str, Any], param: str
) -> None:
    there = bridge_fixture.adapter_fixture.chains["sbxb"]
    query = {
        "inputToken": bridge_fixture.token("sbxa", "USDC"),
        "outputToken": bridge_fixture.token("sbxb", "USDC"),
        "originChainId": str(bridge_fixture.adapter_fixture.chains["sbxa"].id),
        "destinationChainId": str(there.id),
        "amount": str(AMOUNT),
        "recipient": there.receiver,
        "message": "0x" + Wanted(minimum=1).message(bridge_fixture).hex(),
        **changes,
    }
    sent = {name: value for name, value in query.items() if value is not None}
    with pytest.raises(UpstreamRefused) as caught:
        await bridge_fixture.adapter.context.http.get("/suggested-fees", sent)
    assert isinstance(caught.value.body, dict)
    assert (caught.value.body["code"], caught.value.body["param"]) == ("INVALID_PARAM", param)
