"""Relay: transfers across chains filled by its solver, with swaps on either side, and swaps on one chain.

Upstream: https://docs.relay.link (references/api), its contracts (relay-periphery v3, relay-depository) and its order
format (settlement-sdk), read 2026-11-21. A transfer is a deposit into the depository under the ID of an order. The ID
is the EIP-712 hash of the order, which the solver signs and the answer contains: so receiver, minimum and refunds are
checked by hashing the order again and recovering the signer. The format was compared with an order that Relay made in
2026-10, its ID and its signature.

Accepted answers: an explicit deposit with the wallet as its depositor, and calls of the v3 router that end in one,
which are rewritten to deposit a least amount and return the rest to the wallet. Refused: bare transfers to a solver,
the ``depositErc20`` that takes a wallet's whole allowance, deposit addresses, signatures. Swaps on one chain are
supported through the Executor only: their minimum is inside the exchange's own call, so the caller must measure the
output.

Confirmed by an unsubmitted quote of 2026-10-03 that a client recorded: steps, terms, fees and the order's form. From
Solana the native asset, USDC and USDT are deposited as they are (``svm/``). Not served there: other tokens, which Relay
would swap first, and swaps on Solana itself.
"""

from rhumbline.adapters.relay.adapter import RelayAdapter
from rhumbline.adapters.relay.client import published
from rhumbline.adapters.relay.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec, credential_header

SPEC = AdapterSpec(
    key="RELAY",
    url="https://api.relay.link",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=RelayAdapter,
    optional_credentials=("api_key",),
    headers=credential_header("x-api-key", "api_key"),
    # "Rate limits" of https://docs.relay.link (references/api), read 2026-11-21: 50 quotes a minute by default, and 200
    # of each other kind of request, questions about transfers among them.
    calls_per_s=0.8,
    status_per_s=3.2,
    published=published,
)
"""``api_key`` raises the rate limits, nothing else."""
