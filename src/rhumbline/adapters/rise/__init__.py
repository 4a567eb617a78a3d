"""Rise (rise.rich): markets of tokens with a floor price on Solana, for SOL or dollars.

Upstream: github.com/riserich/rise-docs (docs/API.md, docs/PROGRAM.md, idl) of 2026-06-13 and answers that others
recorded on 2026-04-26, read 2026-11-22. That the key RISE means rise.rich is an inference (65 to 70 %), the program is
not published, and no transaction of it was found: so it is unverified, and off until an operator switches it on.

A quote needs two requests: for the market (a quote does not name the token that it is paid in), and for the output.
``build`` requests the transaction with the minimum, decodes it, and returns its one instruction; the service creates
token accounts and wraps itself, because it is not known whether Rise's transaction does. A key is needed (``api_key``).
Not offered: other receivers than the wallet, amounts from 2^53 (Rise uses doubles).
"""

from rhumbline.adapters.rise.adapter import RiseAdapter
from rhumbline.adapters.rise.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec, credential_header

SPEC = AdapterSpec(
    key="RISE",
    url="https://public.rise.rich",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=RiseAdapter,
    needs=("api_key",),
    headers=credential_header("x-api-key", "api_key"),
    on=False,
    calls_per_s=0.5,
)
