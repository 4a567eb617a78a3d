"""What the real Rise is asked, and how its answers are read."""

from rhumbline.adapters.rise.wire import MarketAnswer, OfferAnswer, TransactionAnswer
from tests.adapters.conformance.case import Ask
from tests.live.endpoint import Endpoint

ASKS = {"RISE": (Ask("sol", "sol", "SOL", "DzpB6nC3qnL7WUewVumi5dqWWtM1Le76E3v2HLCXrise", 10**7, direct=True),)}
ENDPOINTS = (
    Endpoint("rise", "GET", "/markets/[^/]+", MarketAnswer, ("market",)),
    Endpoint("rise", "POST", "/markets/[^/]+/quote", OfferAnswer, ("quote_buy",)),
    Endpoint("rise", "POST", "/program/(buy|sell)Token", TransactionAnswer, ("buy",)),
)
