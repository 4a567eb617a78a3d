"""Nordstern: one answer over HTTP has the quote and the call of its guard contract.

Upstream: https://docs.nordstern.finance/en/latest/usage.html and the published source of AggregatorGuard, read
2026-11-21. Nothing was tried live; the documentation names no error codes and no limits.

``GET /aggregator/{chain}`` is asked once, when quoting: it fixes the minimum by the slippage of the request, and asking
again when building would be another price. ``build`` reads the call back and guarantees what it says.

``from`` of the request is whom the output is paid to; the input is taken of whoever makes the call, as the source of
the guard says. No key is needed; a page (``referer``) is how Nordstern knows whose calls these are.

Not offered: wrapping (the service does that itself).
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
