"""OKX DEX: one signed answer over HTTP has the quote and the call of its router.

Upstream: https://web3.okx.com/onchainos/dev-docs/trade/dex-swap (Swap API v6), its pages on contracts and on error
codes, and the published source of DEX-Router-EVM-V1, read 2026-11-21. Confirmed by a printed reply of 2026-03-18: the
form of an answer, its call and its trim.

``GET /api/v6/dex/aggregator/swap`` is requested once, when quoting: it fixes the minimum by the slippage of the
request, and another request when building would have another price and use the small rate limit again. ``build``
decodes the call and guarantees its minimum. A key, its secret and its passphrase are needed (``key``, ``secret``,
``passphrase``; ``project`` is sent if it is set, as older keys require). The signature of each request is over its
method, path and query.

The router is called and TokenApprove, another contract, is approved. OKX replaces the routers of all chains every few
months. A router that is not pinned counts if the chain itself lists it: TokenApprove lets only listed contracts claim
what wallets have approved, and the list is read through a node (see ``routers``). Any other router is refused. On
Solana ``/swap-instruction`` returns instructions, of which the swap and the creation of token accounts are used (see
``svm``); its programs change too, and are pins that settings replace.

Not offered: wrapping (the service does that itself), market makers' offers (they are for one caller and some seconds;
OKX is asked to leave them out), tokens that OKX calls honeypots, and calls with a commission that nobody requested.
Router functions without an output token are accepted only if the service's contract measures the output.
"""

from rhumbline.adapters.okx.adapter import OkxAdapter
from rhumbline.adapters.okx.client import headers, published
from rhumbline.adapters.okx.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec

SPEC = AdapterSpec(
    key="OKX",
    url="https://web3.okx.com",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=OkxAdapter,
    needs=("key", "secret", "passphrase"),
    optional_credentials=("project",),
    headers=headers,
    calls_per_s=1.0,
    published=published,
)
