"""What the real Across is asked, and how its answers are read."""

from dataclasses import replace

from rhumbline.adapters.across.wire import Approval, DepositStatus, Limits, SuggestedFees
from tests.adapters.conformance.case import Ask
from tests.live.asks import CENT, DOLLARS, NOBODYS_TRANSFER, USDC
from tests.live.endpoint import Endpoint

ASKS = {
    "ACROSS": (
        DOLLARS,
        Ask("eth", "op", "ETH", "ETH", 10 * CENT, direct=True),
        Ask("base", "sol", "USDC", "USDC", 100 * USDC),
        Ask("sol", "base", "USDC", "USDC", 100 * USDC),
    )
}
ENDPOINTS = (
    Endpoint("across", "GET", "/suggested-fees", SuggestedFees, ("suggested_fees", "suggested_fees_solana")),
    Endpoint("across", "GET", "/swap/approval", Approval, ("swap_approval",)),
    Endpoint("across", "GET", "/limits", Limits, ("limits",)),
    Endpoint("across", "GET", "/deposit/status", DepositStatus, ("deposit_status",)),
)
FAILURES = {"across": frozenset({"amount_too_low", "deposit_not_found"})}
DELIVERED = {
    # The example of Across's documentation, from Base to Polygon.
    "ACROSS": (
        replace(
            NOBODYS_TRANSFER,
            origin_chain_id=8453,
            destination_chain_id=137,
            tx_hash="0x0e44727151684ef4cfe7744aad88007cf55b155a64f5f9047fb9d2fa53780967",
        ),
        "0x0e7b85f1c49c4c89f3b381f12a24d6838be16a41021ab16645bae9dcd1278238",
    )
}
