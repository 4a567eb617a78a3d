"""Nordstern: one answer over HTTP has the quote and the call of its guard contract.

Upstream: https://docs.nordstern.finance/en/latest/usage.html and the published source of AggregatorGuard, read
2026-11-21. Nothing was tried live; the documentation names no error codes and no limits.

``GET /aggregator/{chain}`` is requested once, when quoting: it fixes the minimum by the slippage of the request, and
another request when building would have another price. ``build`` decodes the call and guarantees its minimum. The
request's ``from`` is the output's receiver; the input is taken from the caller, as the guard's source says. No key is
needed; Nordstern identifies its clients by a page (``referer``). Not offered: wrapping (the service does that itself).
"""

from rhumbline.adapters.nordstern.adapter import NordsternAdapter
from rhumbline.adapters.nordstern.client import published
from rhumbline.adapters.nordstern.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec, credential_header

SPEC = AdapterSpec(
    key="NORDSTERN",
    url="https://api.nordstern.finance",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=NordsternAdapter,
    optional_credentials=("referer",),
    headers=credential_header("Referer", "referer"),
    calls_per_s=0.5,
    published=published,
)
