"""NEAR Intents by its 1Click service: the wallet pays a deposit address, and the service pays on the other chain.

Upstream: https://docs.near-intents.org (1Click API v0) and its SDK 0.1.25, read 2026-11-21. Without a key the service
adds a fee of its own (0.2 to 0.25 % of the input in October 2026, included in its quotes); a partner's JWT removes it.
An address is made for one quote and used once; a smaller deposit is refunded to the wallet at the deadline, of a larger
one the excess.

Not tried live: everything. Unknown are the rate limits, the bodies of refunded and failed transfers, and the limits of
the slippage. On Solana the deposit address is a wallet, whose token account the payment creates, as the service's
clients do.
"""

from rhumbline.adapters.near_intents.adapter import NearIntentsAdapter
from rhumbline.adapters.near_intents.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec, credential_header

SPEC = AdapterSpec(
    key="NEAR_INTENTS",
    url="https://1click.chaindefuser.com",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=NearIntentsAdapter,
    optional_credentials=("jwt",),
    headers=credential_header("authorization", "jwt", "Bearer "),
)
