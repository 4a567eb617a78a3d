"""Across: deposits into a SpokePool, which relayers fill on the other chain.

Upstream: https://docs.across.to, the API of https://app.across.to/api with the source of across-protocol/frontend
(``bdcf46c`` of 2026-02-06), the status endpoint of across-protocol/indexer (``a28c9a5``), and the contracts of
@across-protocol/contracts 5.0.27, all read 2026-11-21. Nothing was tried live.

With an API key, terms come from ``/swap/approval`` (``routingPreference=across``); without one, and if that answers 401
or 404, from ``/suggested-fees``. The deposit is always encoded here: the Swap API's own transaction is only decoded and
compared. With a message (``QuoteRequest.message``) only ``/suggested-fees`` is used, because the Swap API writes
messages to contracts of its own. The newer API of another host (``/v1``) is not supported: its documentation was not
completely available. Native output arrives as such at accounts without code and as the wrapped token at contracts, so
only the form that will arrive is quoted. ``status`` trusts the pinned pools: a fill counts if every field of the relay
is the deposit's.
"""

from collections.abc import Mapping

from rhumbline.adapters.across.adapter import API_KEY, INTEGRATOR_ID, AcrossAdapter
from rhumbline.adapters.across.checking import KEY
from rhumbline.adapters.across.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec


def _headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    return {"authorization": f"Bearer {credentials[API_KEY]}"} if credentials.get(API_KEY) else {}


SPEC: AdapterSpec[Deployment] = AdapterSpec(
    key=KEY,
    url="https://app.across.to/api",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=AcrossAdapter,
    optional_credentials=(API_KEY, INTEGRATOR_ID),
    headers=_headers,
)
