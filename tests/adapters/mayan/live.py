"""What the real Mayan is asked, in all its kinds, and how its answers are read."""

from dataclasses import replace

from rhumbline.adapters.mayan import wire
from rhumbline.gateways.upstreams.fields import Answer
from tests.adapters.conformance.case import Ask
from tests.live.asks import CENT, DOLLARS, NOBODYS_TRANSFER, USDC
from tests.live.endpoint import Endpoint

_FROM_SOLANA = Ask("sol", "base", "USDC", "USDC", 100 * USDC)
_TO_SOLANA = Ask("eth", "sol", "USDC", "USDC", 500 * USDC, direct=True)

ASKS = {
    "MAYAN": (DOLLARS, _TO_SOLANA, _FROM_SOLANA),
    "MAYAN_SWIFT": (
        DOLLARS,
        Ask("base", "arb", "ETH", "ETH", 10 * CENT, direct=True),
        _FROM_SOLANA,
        Ask("sol", "base", "SOL", "ETH", 10**9),
    ),
    "MAYAN_MCTP": (DOLLARS, _FROM_SOLANA),
    "MAYAN_FAST_MCTP": (DOLLARS, _FROM_SOLANA),
    "MAYAN_WORMHOLE": (_TO_SOLANA,),
}


def _of_kind(kind: str, model: type[Answer], *recordings: str) -> Endpoint:
    return Endpoint("mayan", "GET", "/quote", model, recordings, "quotes", kind, whole=False)


ENDPOINTS = (
    Endpoint("mayan", "GET", "/quote", wire.QuotesReply),
    _of_kind("SWIFT", wire.SwiftQuote, "swift_usdc_to_base_usdc", "swift_dai_to_sol", "swift_v1_eth_to_base_eth"),
    _of_kind("MCTP", wire.MctpQuote, "mctp_usdc_to_base_usdc", "mctp_usdc_to_base_eth"),
    _of_kind("FAST_MCTP", wire.FastMctpQuote, "fast_usdc_to_base_usdc", "fast_dai_to_base_eth"),
    _of_kind("WH", wire.WormholeQuote, "wh_usdc_to_sol_usdc"),
    Endpoint("mayan", "GET", "/get-swap/evm", wire.SwapReply, ("get_swap",)),
    Endpoint("mayan", "GET", "/swap/trx/.*", wire.TransferReply, ("transfer",)),
)
DELIVERED = {
    # Shown by a public client's tests, to Avalanche; from where is not told.
    "MAYAN": (
        replace(
            NOBODYS_TRANSFER,
            destination_chain_id=43114,
            tx_hash="0x4f00bba837f9de20e32e5abbefdd53cf0ec5a8b948eebd9a841d170a74506c98",
            receiver="0x1A87f12aC07E9746e9B053B8D7EF1d45270D693f",
            output_token="0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
        ),
        "0x5a85c1ea1fd0de63ba890b27e6bc6b720c87562010df6572da9f55a04d9ea467",
    )
}
