"""Symbiosis: tokens are locked, their synthetic forms swapped in a pool on Symbiosis' own chain, and released.

Upstream: https://docs.symbiosis.finance/developer-tools/symbiosis-api (v2), the vendor's contracts and SDK, read
2026-11-21. No key; a partner's fee is configured at Symbiosis, and none is requested. The output has the bridge's fees
deducted. Quotes are for tokens that cross by themselves: a swap before or after would be calldata of others, which
cannot be decoded, and routing combines swaps and crossings itself.

Not tried live: everything. Unknown are the rate limits, the greatest age of a quote, the complete form of a status, and
for how long the pinned accounts and contracts stay valid.
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
