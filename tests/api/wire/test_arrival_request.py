"""What is wanted on arrival, as callers write it: read exactly, refused by name, and echoed so that it comes back."""

import json
from typing import Any

import pytest

from rhumbline.domain.arrival import LONGEST_CALLDATA, CallOnArrival
from rhumbline.domain.errors import NoAvailableQuotes
from tests.api.api_service import USDC, WALLET, ApiService
from tests.api.conftest import Client
from tests.api.wire.test_quote_request import GOOD, TO_SOLANA, fault_of

TARGET = "0x1111111111111111111111111111111111111111"
CALL = {"target": TARGET, "calldata": "0xb6b55f25"}
ABROAD = {**GOOD, "destinationChainId": "8453", "destinationCurrency": TARGET.replace("1", "7")}


def calling(**members: Any) -> dict[str, str]:
    return {**ABROAD, "destinationCall": json.dumps({**CALL, **members})}


async def test_it_is_read_as_it_was_written(client: Client, api_service: ApiService) -> None:
    await client.ask("/v1/quotes", {**calling(gas=90_000, fallbackAddress=WALLET), "destinationGas": "7"})
    asked = api_service.asked[-1]
    assert (asked.destination_gas, asked.auto_destination_gas) == (7, False)
    assert asked.destination_call == CallOnArrival(TARGET, bytes.fromhex("b6b55f25"), 90_000)
    assert (asked.receiver, asked.receiver_defaulted) == (WALLET, False)
    await client.ask("/v1/quotes", {**ABROAD, "destinationGas": "auto"})
    asked = api_service.asked[-1]
    assert (asked.destination_gas, asked.auto_destination_gas, asked.destination_call) == (0, True, None)
    await client.ask("/v1/quotes", ABROAD)
    assert not api_service.asked[-1].wants_more_there


@pytest.mark.parametrize(
    ("query", "beginning"),
    [
        *(({**ABROAD, "destinationGas": text}, "destinationGas must be") for text in ("0", "-1", "1.5", "1e3", "Auto")),
        ({**ABROAD, "destinationGas": str(2**128)}, "destinationGas must be"),
        ({**GOOD, "destinationGas": "7"}, "destinationGas is for transfers to another chain"),
        ({**TO_SOLANA, "receiverAddress": "So11111111111111111111111111111111111111112", "destinationGas": "7"},
         "destinationGas is for EVM destinations"),
        ({**ABROAD, "destinationCurrency": "0x" + "0" * 40, "destinationGas": "7"}, "destinationGas is not needed"),
        ({**GOOD, "destinationCall": json.dumps(CALL)}, "destinationCall is for transfers to another chain"),
        *(({**ABROAD, "destinationCall": text}, "destinationCall must be a JSON object") for text in ("[]", "7", "{")),
        ({**ABROAD, "destinationCall": " " * 9_000}, "destinationCall must have at most"),
        (calling(value="1"), "destinationCall.value is not known"),
        (calling(target=None), "destinationCall.target is missing"),
        (calling(target="0x12"), "destinationCall.target must be"),
        (calling(target="0x000000000022D473030F116dDEE9F6B43aC78BA3"), "destinationCall.target is Permit2"),
        (calling(target="0x" + "0" * 39 + "9"), "destinationCall.target is reserved"),
        (calling(target=ABROAD["destinationCurrency"]), "destinationCall.target is a token of the route"),
        (calling(calldata=None), "destinationCall.calldata is missing"),
        (calling(calldata="0xabc"), "destinationCall.calldata must be"),
        (calling(calldata="0x" + "00" * (LONGEST_CALLDATA + 1)), "destinationCall.calldata must have at most"),
        *((calling(gas=gas), "destinationCall.gas must be") for gas in (0, 10**7, -1, 1.5, True, "90000")),
        ({**calling(fallbackAddress=TARGET), "receiverAddress": WALLET}, "destinationCall.fallbackAddress must be"),
    ],
)  # fmt: skip
async def test_what_cannot_be_is_named(
    client: Client, api_service: ApiService, query: dict[str, str], beginning: str
) -> None:
    assert (await fault_of(client, query)).startswith(beginning)
    assert api_service.asked == []


async def test_a_body_takes_an_object(client: Client, api_service: ApiService) -> None:
    body = {**ABROAD, "originChainId": 1, "destinationChainId": 8453, "destinationCall": {**CALL, "gas": 90_000}}
    await client.ask("/v1/advanced/routes", method="POST", data=json.dumps(body).encode())
    assert api_service.asked[-1].destination_call == CallOnArrival(TARGET, bytes.fromhex("b6b55f25"), 90_000)
    assert body["originCurrency"] == USDC


async def test_an_output_may_be_wanted_beside(client: Client, api_service: ApiService) -> None:
    api_service.failure = NoAvailableQuotes("nobody has so much")
    for more in ({"destinationGas": "auto"}, {"destinationCall": json.dumps(CALL)}):
        assert (await client.ask("/v1/quotes", {**ABROAD, "tradeType": "EXACT_OUTPUT", **more})).status == 422
    gas, call = api_service.asked
    assert (gas.seeks_input, gas.auto_destination_gas) == (True, True)
    assert (call.seeks_input, call.destination_call is None) == (True, False)
