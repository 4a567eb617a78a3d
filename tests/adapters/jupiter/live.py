"""What the real Jupiter is asked, and how its answers are read."""

from rhumbline.adapters.jupiter.wire import BuildAnswer
from tests.adapters.conformance.case import Ask
from tests.live.endpoint import Endpoint

ASKS = {
    "JUPITER": (
        Ask("sol", "sol", "USDC", "USDT", 100 * 10**6, direct=True),
        Ask("sol", "sol", "SOL", "USDC", 10**9, direct=True),
    )
}
ENDPOINTS = (Endpoint("jupiter", "GET", "/swap/v2/build", BuildAnswer, ("route_usdc_sol", "shared_route_sol_usdc")),)
