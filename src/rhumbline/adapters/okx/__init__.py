"""OKX DEX: one signed answer over HTTP has the quote and the call of its router.

Upstream: https://web3.okx.com/onchainos/dev-docs/trade/dex-swap (Swap API v6), its pages on contracts and on error
codes, and the published source of DEX-Router-EVM-V1, read 2026-11-21. Confirmed by a printed reply of 2026-03-18: the
form of an answer, its call and its trim.

``GET /api/v6/dex/aggregator/swap`` is asked once, when quoting: it fixes the minimum by the slippage of the request,
and asking again when building would be another price and another second of a small rate limit. ``build`` reads the
call back and guarantees what it says.

A key, its secret and its passphrase are needed (``key``, ``secret``, ``passphrase``; ``project`` is sent where it is
set, as older keys want it). Each call is signed over its method and the path and query that leave.

The router is called and TokenApprove, another contract, is approved. OKX replaces the routers of all chains every few
months. One that is not pinned counts where the chain itself says so: TokenApprove lets only listed contracts claim what
wallets have approved, and the list is read through a node (see ``routers``). A router that neither knows is refused.

On Solana ``/swap-instruction`` gives instructions, of which the swap and what makes token accounts are taken (see
``svm``); its programs change too, and are pins that settings replace.

Not offered: wrapping (the service does that itself), market makers' offers (they are for one caller and seconds; OKX
is asked to leave them out), tokens that OKX calls honeypots, and calls with a commission that nobody asked for.
Router functions that do not say which token comes out are taken only where the service's contract counts it.
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
