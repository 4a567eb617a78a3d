"""The emulator is as strict as the service: what the adapter never sends, it refuses."""

from typing import Any

import pytest

from rhumbline.adapters.near_intents.adapter import NearIntentsAdapter
from rhumbline.adapters.near_intents.client import question
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.near_intents.conftest import adapter_fixture
from tests.adapters.near_intents.test_execution import ASKED

__all__ = ["adapter_fixture"]

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown field": ({"slippage": 50}, "slippage should not exist"),
    "slippage as a share": ({"slippageTolerance": 0.5}, "slippageTolerance"),
    "slippage as a text": ({"slippageTolerance": "50"}, "slippageTolerance"),
    "amount as a number": ({"amount": 250_000_000}, "amount"),
    "amount in whole tokens": ({"amount": "0.25"}, "amount"),
    "dry as a text": ({"dry": "true"}, "dry"),
    "deadline in seconds": ({"deadline": 1_795_263_600}, "deadline"),
    "deadline without zone": ({"deadline": "2099-01-01T00:00:00.000"}, "deadline"),
    "deadline that is over": ({"deadline": "2024-01-01T00:00:00.000Z"}, "deadline"),
    "unknown word": ({"swapType": "EXACT"}, "swapType"),
    "no asset of its": ({"originAsset": "nep141:eth.omft.near"}, "tokenIn is not valid"),
    "one asset": ({"destinationAsset": "nep141:sbxa.omft.near", "originAsset": "nep141:sbxa.omft.near"}, "tokenOut"),
    "no address": ({"recipient": "alice.near"}, "recipient is not valid"),
    "nobody": ({"refundTo": "0x" + "0" * 40}, "refundTo is not valid"),
    "too little": ({"amount": "999"}, "try at least 1000"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
async def test_a_wrong_question_is_refused(
    adapter_fixture: AdapterFixture, change: dict[str, Any], message: str
) -> None:
    assert isinstance(adapter_fixture.adapter, NearIntentsAdapter)
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    asked = question(quote.payload, quote.request, 50, dry=True)
    with pytest.raises(UpstreamRefused) as refused:
        await adapter_fixture.adapter.context.http.post("/v0/quote", asked | change)
    assert refused.value.status == 400
    assert message in str(refused.value.body)


async def test_a_missing_field_is_refused(adapter_fixture: AdapterFixture) -> None:
    assert isinstance(adapter_fixture.adapter, NearIntentsAdapter)
    quote = await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    asked = question(quote.payload, quote.request, 50, dry=True)
    for name in asked.keys() - {"depositMode"}:
        with pytest.raises(UpstreamRefused, match="400"):
            await adapter_fixture.adapter.context.http.post(
                "/v0/quote", {key: value for key, value in asked.items() if key != name}
            )
