"""What the real KyberSwap is asked, and how its answers are read."""

from rhumbline.adapters.kyberswap.wire import BuildAnswer, RouteAnswer
from tests.live.asks import SWAPS
from tests.live.endpoint import Endpoint

ASKS = {"KYBERSWAP": SWAPS}
ENDPOINTS = (
    Endpoint("kyberswap", "GET", "/[^/]+/api/v1/routes", RouteAnswer, ("routes",)),
    Endpoint("kyberswap", "POST", "/[^/]+/api/v1/route/build", BuildAnswer, ("build",)),
)
