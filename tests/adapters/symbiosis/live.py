"""What the real Symbiosis is asked, and how its answers are read."""

from rhumbline.adapters.symbiosis.wire import QuoteAnswer, StatusAnswer
from tests.adapters.conformance.case import Ask
from tests.live.asks import CENT, USDC
from tests.live.endpoint import Endpoint

ASKS = {
    "SYMBIOSIS": (
        Ask("eth", "arb", "USDC", "USDC", 500 * USDC, direct=True),
        Ask("base", "arb", "ETH", "ETH", 10 * CENT),
    )
}
ENDPOINTS = (
    Endpoint("symbiosis", "POST", "/v2/quote", QuoteAnswer, ("quote",)),
    Endpoint(
        "symbiosis", "GET", "/v2/tx/.*", StatusAnswer,
        ("status_success", "status_pending", "status_reverted", "status_transit", "status_not_indexed"),
    ),
)  # fmt: skip
NO_CONTRACTS = {"SYMBIOSIS": ("host_*", "reverters.*", "transit.*.[12]")}
"""What is on the chain of Symbiosis' own, of which no catalogue has a node: a crossing token's pool there and its
synthetic token too. The last are accounts."""
