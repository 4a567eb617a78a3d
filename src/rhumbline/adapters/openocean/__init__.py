"""OpenOcean: one answer over HTTP has the quote and the call of its exchange.

Upstream: https://apis.openocean.finance/developer/apis/swap-api/api-v4 (Swap API v4), and the published source of
OpenOceanExchange, read 2026-11-21. The documentation names HTTP statuses, no error codes.

``GET /v4/{chain}/swap`` is requested once, when quoting: it fixes the minimum by the slippage of the request, and
another request when building would have another price and use the small rate limit again (documented as 2 a second;
others were banned for an hour below that). ``build`` decodes the call and guarantees its minimum. A key (``api_key``)
belongs to a host of its own, which goes into the adapter's ``url``. The public host needs none, and refuses clients
without a page (``Referer`` and ``Origin``; a client's test of 2026-08): ``referer``, by default the service's own
public address. Confirmed by genuine answers of other clients (2025 and 2026): the call, its flags (2 for a token, 0 for
the native asset), and a minimum that is rounded down. The vendor's pages have ``disableRfq`` since v4.

Not offered: wrapping (the service does that itself), answers that depend on a market maker's signature
(``rfqDeadline``) or cost more native value (``gmxFee``), slippages below 0.05 %, and its entry points for a single
pool, whose calls do not name the output token.
"""

from rhumbline.adapters.openocean.adapter import OpenOceanAdapter
from rhumbline.adapters.openocean.client import headers
from rhumbline.adapters.openocean.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec

SPEC = AdapterSpec(
    key="OPENOCEAN",
    url="https://open-api.openocean.finance",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=OpenOceanAdapter,
    needs_one=("api_key", "referer"),
    page="referer",
    headers=headers,
    calls_per_s=0.8,
)
