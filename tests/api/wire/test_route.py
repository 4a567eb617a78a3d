"""A plan and its steps, in the contract's words."""

from fractions import Fraction

from tests.api.api_service import WALLET, ApiService
from tests.api.conftest import Client
from tests.api.v1.test_routes import BODY, ROUTES, TOKENS, posted


async def test_a_route_has_every_field_of_the_contract(client: Client, api_service: ApiService) -> None:
    body = {
        **BODY,
        "fee": 0.01,
        "integrator": "rival",
        "slippage": 5e-3,
        "maxRoutes": 3,
        "order": "CHEAPEST",
        "unknown": {"a": 1},
    }
    answer = await posted(client, ROUTES, body)
    assert answer.status == 200, answer.text
    (route,) = answer.json["routes"]
    (step,) = route["steps"]
    assert (route["tags"], step["execution"]["routeRequest"]["order"]) == (["CHEAPEST"], "CHEAPEST")
    assert (route["routeKind"], route["isMultistep"], route["inputAmount"]) == ("single-step", False, "1000000")
    assert step["id"] == f"{route['id']}:0"
    assert step["routeId"] == route["id"]
    assert step["action"]["fromToken"] == TOKENS["USDC"]
    assert (step["action"]["fromAddress"], step["action"]["toAddress"]) == (WALLET, WALLET)
    assert step["execution"]["applyFee"] is True
    assert step["execution"]["requiresPreviousStepAmount"] is False
    assert (step["integrator"], step["fee"]) == ("rival", 0.01)
    assert "transactionRequest" not in step
    for told in (route, step):
        assert (told["priceImpact"], told["trustAssumptions"]) == ("0.001235", ["Somebody's word."])
        assert [item["included"] for item in told.get("estimate", told)["fees"]["breakdown"]] == [True, False]
    parts = [(part["type"], part["tool"], part["fromAmount"], part["toAmount"]) for part in step["includedSteps"]]
    assert parts[0] == ("swap", "ONCHAIN", "1000000", "999000")
    assert step["includedSteps"][0]["fromToken"] == TOKENS["USDC"]
    asked = api_service.asked[-1]
    assert (asked.fee_share, asked.slippage, api_service.most) == (Fraction(1, 100), Fraction(5, 1000), 3)
    again = await posted(client, ROUTES, step["execution"]["routeRequest"])
    assert again.status == 200
    assert api_service.asked[-1] == asked


async def test_what_a_route_does_not_know_is_left_out(client: Client, api_service: ApiService) -> None:
    api_service.full = False
    (route,) = (await posted(client, ROUTES, BODY)).json["routes"]
    for told in (route, *route["steps"]):
        assert not told.keys() & {
            "priceImpact",
            "trustAssumptions",
            "warnings",
            "expiresAt",
            "approvals",
            "includedSteps",
        }
