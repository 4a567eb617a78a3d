"""Gas.zip: the native asset of one chain for that of another, in small amounts.

Upstream: https://dev.gas.zip (its documentation's repository of 2026-06), and what other clients saw of the live
service up to 2026-10; read 2026-11-21. A deposit is one call of its deposit contract with the destination's own short
ID and the receiver. The call is encoded here, and compared with Gas.zip's own for the same quote.

Only a wallet itself may deposit, because refunds go to the caller. The contract is called, not the plain address that
the documentation prefers, since that one ignores transfers from contract wallets. Limits are read with every quote,
because a deposit outside of them is stuck until somebody writes to the vendor's support.

Confirmed by a live answer of 2026-10-06, from Ethereum to Base: the form of a quote, contract and call. Not known: the
rate limit, the formula of the fee. For Solana, in both directions, there are only the vendor's pages, with its IDs, its
program and the instruction; no answer about it was seen. Its amounts are assumed to be lamports; an answer that says
otherwise is refused.
"""

from rhumbline.adapters.gaszip.adapter import GasZipAdapter
from rhumbline.adapters.gaszip.client import published
from rhumbline.adapters.gaszip.deployments import DEPLOYMENTS, Deployment
from rhumbline.gateways.upstreams.spec import AdapterSpec

SPEC = AdapterSpec(
    key="GASZIP",
    url="https://backend.gas.zip/v2",
    deployment=Deployment,
    deployments=DEPLOYMENTS,
    make=GasZipAdapter,
    published=published,
)
