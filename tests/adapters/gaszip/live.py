"""What the real Gas.zip is asked, and how its answers are read."""

from rhumbline.adapters.gaszip.wire import ChainFacts, QuoteAnswer, StatusAnswer
from tests.adapters.conformance.case import Ask
from tests.live.asks import CENT
from tests.live.endpoint import Endpoint

ASKS = {
    "GASZIP": (
        Ask("base", "arb", "ETH", "ETH", CENT // 2, direct=True),
        Ask("op", "base", "ETH", "ETH", CENT // 2, direct=True),
        Ask("base", "sol", "ETH", "SOL", CENT // 2, direct=True),
        Ask("sol", "base", "SOL", "ETH", 10**8),
    )
}
ENDPOINTS = (
    Endpoint("gaszip", "GET", "/quotes/.*", QuoteAnswer, ("quote",)),
    Endpoint("gaszip", "GET", "/chains", ChainFacts, ("chains",), "chains"),
    Endpoint("gaszip", "GET", "/deposit/.*", StatusAnswer, ("deposit_paid", "deposit_refunded")),
)
