"""What the real Relay is asked, and how its answers are read."""

from rhumbline.adapters.relay.wire import Call, QuoteAnswer, SolanaCall, StatusAnswer
from tests.adapters.conformance.case import Ask
from tests.live.asks import CENT, DOLLARS, USDC
from tests.live.endpoint import Endpoint

ASKS = {
    "RELAY": (
        DOLLARS,
        Ask("base", "arb", "ETH", "ETH", 2 * CENT, direct=True),
        Ask("base", "sol", "USDC", "USDC", 100 * USDC),
        Ask("sol", "base", "USDC", "USDC", 100 * USDC),
        Ask("sol", "base", "SOL", "ETH", 10**8),
        Ask("base", "base", "USDC", "ETH", 100 * USDC),
    )
}
_CALL = "steps[].items[].data"
ENDPOINTS = (
    Endpoint(
        "relay", "POST", "/quote/v2", QuoteAnswer, ("transfer", "swapped_transfer", "swap"),
        within={_CALL: Call}, lacking=f"{_CALL}.instructions",
    ),
    Endpoint(
        "relay", "POST", "/quote/v2", QuoteAnswer, ("solana_transfer",),
        within={_CALL: SolanaCall}, having=f"{_CALL}.instructions",
    ),
    Endpoint(
        "relay", "GET", "/intents/status/v3", StatusAnswer, ("status_success", "status_refund", "status_failure")
    ),
)  # fmt: skip
FAILURES = {"relay": frozenset({"error"})}
NO_CONTRACTS = {"RELAY": ("solver",)}
"""An account that signs."""
