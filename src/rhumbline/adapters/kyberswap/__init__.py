"""KyberSwap's aggregator: a route over HTTP, executed by its router on the chain.

Upstream: https://docs.kyberswap.com/kyberswap-solutions/kyberswap-aggregator (Aggregator API v1, EVM), the vendor's
OpenAPI document 2.12.1, and the verified source of MetaAggregationRouterV2, read 2026-11-21. Nothing was tried live.

Two calls: ``GET /{chain}/api/v1/routes`` quotes, ``POST /{chain}/api/v1/route/build`` turns exactly that route into
calldata. The route has a checksum and is sent back unchanged. No key; every call has a client name. Others measured on
the live service in 2026-07, and the adapter relies on it: every build calls ``swap`` and comes out one raw unit below
its route, so one unit less is quoted here; its minimum is that output less the tolerance, rounded down. RFQ sources are
excluded: their signatures are for one caller and some seconds. Not offered: wrapping (the service does that itself),
routes with others' fees, the router's simple mode.
"""

from rhumbline.adapters.kyberswap.adapter import KyberSwapAdapter
from rhumbline.adapters.kyberswap.client import headers
from rhumbline.adapters.kyberswap.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec

SPEC = AdapterSpec(
    key="KYBERSWAP",
    url="https://aggregator-api.kyberswap.com",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=KyberSwapAdapter,
    optional_credentials=("client_id",),
    headers=headers,
    calls_per_s=3.0,
)
