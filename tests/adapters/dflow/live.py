"""What the real DFlow is asked, and how its answers are read."""

from rhumbline.adapters.dflow.wire import Order
from tests.adapters.conformance.case import Ask
from tests.live.endpoint import Endpoint

ASKS = {
    "DFLOW": (
        Ask("sol", "sol", "USDC", "USDT", 100 * 10**6, direct=True),
        Ask("sol", "sol", "SOL", "USDC", 10**8, direct=True),
    )
}
ENDPOINTS = (Endpoint("dflow", "GET", "/order", Order, ("order_sponsored",)),)
