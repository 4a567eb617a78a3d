"""DFlow: an aggregator on Solana; one answer over HTTP has the quote and a whole transaction.

Upstream: the vendor's OpenAPI 0.1.0 (2026-07-18), its documents, and the IDL of its program, read 2026-11-22. Confirmed
by a genuine order of 2026-08-22: the form of an answer, its transaction and its tables.

``GET /order`` is requested once, when quoting: it fixes the minimum by the slippage of the request. ``build``
decompiles the transaction with the lookup tables on chain, decodes every instruction, and returns instructions, so that
fees, tracking and compute budget are ours. ``reserveTransactionSize`` reserves room for them. A key is needed
(``api_key``). DFlow can sign its answers (``x-sign-request``); that is not used, because it proves the sender, as TLS
does, but nothing about the answer's effect. Not offered: wrapping, orders that others fill later, sponsors, platform
fees, and unknown steps.
"""

from rhumbline.adapters.dflow.adapter import DflowAdapter
from rhumbline.adapters.dflow.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec, credential_header

SPEC = AdapterSpec(
    key="DFLOW",
    url="https://quote-api.dflow.net",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=DflowAdapter,
    needs=("api_key",),
    headers=credential_header("x-api-key", "api_key"),
    calls_per_s=1.0,
)
