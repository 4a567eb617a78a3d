"""Jupiter: one answer over HTTP has the quote and the instructions of its program, on Solana.

Upstream: https://dev.jup.ag/docs/swap/build and the vendor's OpenAPI document of Swap API v2, read 2026-11-22; account
positions and arguments by the program's own interface description on the chain, as in three independent clients.
Confirmed by printed answers of 2026-09: the form of an answer, both routes, their rounding.

``GET /swap/v2/build`` is requested once, when quoting: it fixes the minimum by the slippage of the request, and another
request when building would have another price and use the small rate limit again. Without a key Jupiter serves half a
request a second, with one (``api_key``) what the plan includes: set ``calls_per_s`` then.

Only the swap itself and the creation of token accounts are taken from an answer. Wrapping and unwrapping are made here:
the vendor's own closes the wallet's account of wrapped SOL, with its earlier balance. Jupiter ignores unknown
parameters silently, so every echo is compared. If an answer would not fit into a transaction with the service's fees
and tracking, it is requested again with fewer accounts. Not offered: native output to another wallet, of which no
genuine answer was found.
"""

from rhumbline.adapters.jupiter.adapter import JupiterAdapter
from rhumbline.adapters.jupiter.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec, credential_header

SPEC = AdapterSpec(
    key="JUPITER",
    url="https://api.jup.ag",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=JupiterAdapter,
    optional_credentials=("api_key",),
    headers=credential_header("x-api-key", "api_key"),
    calls_per_s=0.5,
)
