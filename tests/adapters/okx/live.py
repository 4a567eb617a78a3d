"""What the real OKX is asked, and how its answers are read."""

from rhumbline.adapters.okx.svm.wire import SolanaSwap
from rhumbline.adapters.okx.wire import SwapAnswer
from tests.adapters.conformance.case import Ask
from tests.live.asks import SWAPS, USDC
from tests.live.endpoint import Endpoint

_API = "/api/v6/dex/aggregator"

ASKS = {"OKX": (*SWAPS, Ask("sol", "sol", "USDC", "USDT", 100 * USDC, direct=True))}
ENDPOINTS = (
    Endpoint("okx", "GET", f"{_API}/swap", SwapAnswer, ("swap",)),
    Endpoint("okx", "GET", f"{_API}/swap-instruction", SolanaSwap, ("swap_instruction",), "data"),
)
