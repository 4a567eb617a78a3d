"""Jupiter: one answer over HTTP has the quote and the instructions of its program, on Solana.

Upstream: https://dev.jup.ag/docs/swap/build and the vendor's OpenAPI document of Swap API v2, read 2026-11-22; account
places and arguments by the program's own interface description on the chain, as three independent clients hold it.
Confirmed by printed answers of 2026-09: the form of an answer, both routes, their rounding.

``GET /swap/v2/build`` is asked once, when quoting: it fixes the minimum by the slippage of the request, and asking
again when building would be another price and another turn of a small rate limit. Without a key Jupiter serves half a
request a second, with one (``api_key``) what the plan says: set ``calls_per_s`` then.

Only the swap itself and what makes token accounts are taken of an answer. Wrapping and unwrapping are made here: the
vendor's own closes the wallet's account of wrapped SOL, with what was in it before. Parameters that Jupiter does not
know it ignores without a word, so every echo is compared.

An answer that would not fit into a transaction, beside the service's fees and tracking, is asked for again with fewer
accounts. Not offered: native output to somebody else's wallet, of which no genuine answer was found.
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
