"""How KyberSwap is asked to encode a route, and what one of its texts means."""

import json

from rhumbline.adapters.kyberswap import SPEC
from rhumbline.domain.errors import SlippageTooTight
from tests.adapters.exchanges.stub_upstream import DEADLINE, EXECUTOR, WALLET, StubUpstream


def exact(text: str) -> object:
    """JSON with its numbers as they are written."""
    return json.loads(text, parse_float=lambda digits: f"number {float(digits)!r}", parse_int=lambda d: f"number {d}")


async def test_the_request_for_calldata(stub_upstream: StubUpstream) -> None:
    await stub_upstream.built()
    first, asked = stub_upstream.upstream.asked
    assert first.headers["x-client-id"] == asked.headers["x-client-id"] == "rhumbline"
    assert (asked.method, asked.path, asked.query) == ("POST", "/ethereum/api/v1/route/build", {})
    assert asked.headers["content-type"] == "application/json"
    routes = exact(stub_upstream.upstream.answers["/api/v1/routes"][1])
    assert isinstance(routes, dict)
    assert exact(asked.body) == {
        "routeSummary": routes["data"]["routeSummary"],
        "sender": EXECUTOR,
        "recipient": EXECUTOR,
        "origin": WALLET,
        "slippageTolerance": "number 50",
        "deadline": f"number {DEADLINE}",
        "enableGasEstimation": False,
    }
    assert '"priceLimit":1461300573427867316570072651998408279850435624081' in asked.body
    assert '"share":0.10' in asked.body


async def test_the_client_has_the_name_that_is_configured() -> None:
    assert dict(SPEC.headers({"client_id": "example-key"})) == {"X-Client-Id": "example-key"}
    assert SPEC.needs == ()
    assert SPEC.optional_credentials == ("client_id",)


async def test_a_gas_estimate_that_misses_the_minimum_is_about_slippage(stub_upstream: StubUpstream) -> None:
    body = {"code": 4227, "message": "estimate gas failed: return amount is not enough", "suggestedSlippage": 230}
    assert type(await stub_upstream.failure(body, 422)) is SlippageTooTight
