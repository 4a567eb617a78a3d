"""Symbiosis: tokens are locked, their synthetic forms swapped in a pool on Symbiosis' own chain, and released.

Upstream: https://docs.symbiosis.finance/developer-tools/symbiosis-api (v2), the vendor's contracts and SDK, read
2026-11-21. No key; a partner's fee is set on Symbiosis' side and none is asked for. The bridge's fees are inside its
output. Quotes are for tokens that cross by themselves: a swap before or after would be somebody else's calldata, which
cannot be read, and routing joins swaps and crossings itself.

Not tried live: everything. Unknown are the rate limits, how old a quote may be, the whole of a status, and for how long
the pinned accounts and contracts stay what they are.
"""

from rhumbline.adapters.symbiosis.adapter import SymbiosisAdapter
from rhumbline.adapters.symbiosis.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec

SPEC = AdapterSpec(
    key="SYMBIOSIS",
    url="https://api.symbiosis.finance/crosschain",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=SymbiosisAdapter,
    timeout_s=10.0,
)
