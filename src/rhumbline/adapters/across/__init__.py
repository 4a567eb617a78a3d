"""Across: deposits into a SpokePool, which relayers fill on the other chain at once.

Upstream: https://docs.across.to, the API of https://app.across.to/api with the source of across-protocol/frontend
(``bdcf46c`` of 2026-02-06), the status endpoint of across-protocol/indexer (``a28c9a5``), and the contracts of
@across-protocol/contracts 5.0.27, all read 2026-11-21. Nothing was tried live.

Terms come from ``/swap/approval`` with an API key (``routingPreference=across``), else, and where that answers 401 or
404, from ``/suggested-fees``. The deposit is always built here: what the Swap API would have signed is read, compared
and left. With a message (``QuoteRequest.message``) only ``/suggested-fees`` is asked: the Swap API writes messages to
contracts of its own. The newer API of another host (``/v1``) is not spoken: its documents were not to be had in full.

Native output arrives as such at accounts without code and as the wrapped token at contracts, so only that which will
arrive is quoted. ``status`` believes the pinned pools: a fill counts if every field of the relay is the deposit's.
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
