"""What the real OpenOcean is asked, and how its answers are read."""

from rhumbline.adapters.openocean.wire import SwapAnswer
from tests.live.asks import SWAPS
from tests.live.endpoint import Endpoint

ASKS = {"OPENOCEAN": SWAPS}
ENDPOINTS = (Endpoint("openocean", "GET", "/v4/[^/]+/swap", SwapAnswer, ("swap",)),)
NO_CONTRACTS = {"OPENOCEAN": ("native_too",)}
"""A second name of the native asset, which the chain itself has in its genesis."""
