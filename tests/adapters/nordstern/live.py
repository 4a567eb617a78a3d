"""What the real Nordstern is asked, and how its answers are read."""

from rhumbline.adapters.nordstern.wire import SwapAnswer
from tests.live.asks import SWAPS
from tests.live.endpoint import Endpoint

ASKS = {"NORDSTERN": SWAPS}
ENDPOINTS = (Endpoint("nordstern", "GET", "/aggregator/.*", SwapAnswer, ("swap",)),)
