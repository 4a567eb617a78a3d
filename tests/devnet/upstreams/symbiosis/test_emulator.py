"""The emulator is as strict as the service: what the adapter never sends, it refuses."""

from typing import Any

import pytest

from rhumbline.adapters.symbiosis.adapter import SymbiosisAdapter
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.symbiosis.conftest import adapter_fixture
from tests.adapters.symbiosis.test_execution import ASKED

__all__ = ["adapter_fixture"]

WRONG: dict[str, tuple[dict[str, Any], int, str]] = {
    "unknown field": ({"deadline": 1}, 422, "Invalid body"),
    "slippage as a share": ({"slippage": 0.5}, 422, "slippage"),
    "slippage as a text": ({"slippage": "50"}, 422, "slippage"),
    "too little slippage": ({"slippage": 19}, 400, "SlippageTooLowError"),
    "too much slippage": ({"slippage": 1001}, 400, "SlippageTooHighError"),
    "no receiver": ({"to": "0x" + "0" * 40}, 400, "InvalidAddressError"),
    "no wallet": ({"from": "alice"}, 400, "InvalidAddressError"),
    "a token without its chain": ({"tokenOut": {"address": "", "decimals": 18}}, 422, "token"),
    "a chain by its name": ({"tokenOut": {"chainId": "sbxb", "address": "", "decimals": 18}}, 422, "integers"),
    "a chain that is not served": ({"tokenOut": {"chainId": 1, "address": "", "decimals": 18}}, 400, "UnsupportedPair"),
    "another marker": (
        {"tokenOut": {"chainId": 900002, "address": "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "decimals": 18}},
        400,
        "NoTransitToken",
    ),
    "two pools": ({"tokenOut": {"chainId": 900002, "address": "", "decimals": 18}}, 400, "NoRouteError"),
}


@pytest.mark.parametrize(("change", "status", "message"), WRONG.values(), ids=WRONG)
async def test_a_wrong_question_is_refused(
    adapter_fixture: AdapterFixture, change: dict[str, Any], status: int, message: str
) -> None:
    adapter, asked = await _asked(adapter_fixture)
    with pytest.raises(UpstreamRefused) as refused:
        await adapter.context.http.post("/v2/quote", asked | change)
    assert refused.value.status == status
    assert message in str(refused.value.body)


@pytest.mark.parametrize("name", ["tokenAmountIn", "tokenOut", "from", "to", "slippage"])
async def test_a_missing_field_is_refused(adapter_fixture: AdapterFixture, name: str) -> None:
    adapter, asked = await _asked(adapter_fixture)
    with pytest.raises(UpstreamRefused, match="422"):
        await adapter.context.http.post("/v2/quote", {key: value for key, value in asked.items() if key != name})


@pytest.mark.parametrize("amount", [250_000_000, "0.25", "0", "-1"])
async def test_an_amount_is_raw_units_in_a_text(adapter_fixture: AdapterFixture, amount: object) -> None:
    adapter, asked = await _asked(adapter_fixture)
    with pytest.raises(UpstreamRefused, match="422"):
        await adapter.context.http.post(
            "/v2/quote", asked | {"tokenAmountIn": asked["tokenAmountIn"] | {"amount": amount}}
        )


async def _asked(adapter_fixture: AdapterFixture) -> tuple[SymbiosisAdapter, dict[str, Any]]:
    """What the adapter really sends."""
    assert isinstance(adapter_fixture.adapter, SymbiosisAdapter)
    await adapter_fixture.adapter.quote(adapter_fixture.request(*ASKED))
    body = adapter_fixture.emulator.requests[-1].body
    assert isinstance(body, dict)
    return adapter_fixture.adapter, body
