"""What the real 1Click is asked, and how its answers are read."""

from dataclasses import replace

from rhumbline.adapters.near_intents.wire import Echo, ListedToken, QuoteAnswer, QuoteFields, StatusAnswer
from tests.adapters.conformance.case import Ask
from tests.live.asks import CENT, DOLLARS, NOBODYS_TRANSFER, USDC, WALLET
from tests.live.endpoint import Endpoint

ASKS = {
    "NEAR_INTENTS": (
        DOLLARS,
        Ask("base", "arb", "ETH", "ETH", 2 * CENT, direct=True),
        Ask("eth", "sol", "USDC", "USDC", 200 * USDC, direct=True),
        Ask("sol", "base", "USDC", "USDC", 100 * USDC),
        Ask("sol", "base", "SOL", "ETH", 10**8),
    )
}
ENDPOINTS = (
    Endpoint(
        "near_intents", "POST", "/v0/quote", QuoteAnswer,
        ("quote_dry", "quote_reserved", "quote_tighter", "quote_fallen"),
        within={"quote": QuoteFields, "quoteRequest": Echo},
    ),
    Endpoint("near_intents", "GET", "/v0/tokens", ListedToken, ("tokens",)),
    Endpoint(
        "near_intents", "GET", "/v0/status", StatusAnswer, ("status_pending", "status_success", "status_refunded")
    ),
)  # fmt: skip
_INSIDE_OF_NEAR = "0c279aaeb803608f60bf8eac25a52570e4a32551f5feb854f0f0355f028760ed"
DELIVERED = {
    # Recorded in production by a public client on 2026-06-18, inside of NEAR.
    "NEAR_INTENTS": (
        replace(
            NOBODYS_TRANSFER,
            receiver=_INSIDE_OF_NEAR,
            refund_to=_INSIDE_OF_NEAR,
            reference="65a251832363711522493b599b5dec00a69c504aa2c5a0ec55caf87ae1f8a723",
        ),
        "4nMkmkcbJdaHADqNn2dhnAsSzWjXoqvAs8PKpYHAqiu6",
    )
}
NOBODYS_REFERENCE = {"NEAR_INTENTS": WALLET}
"""A reference is a deposit address there, not a hash."""
