"""Gas.zip: the native asset of one chain for that of another, in small amounts.

Upstream: https://dev.gas.zip (its documentation's repository of 2026-06), and what other clients saw of the live
service up to 2026-10; read 2026-11-21. A deposit is one call of its deposit contract with the destination's own short
ID and the receiver. The call is written here, and compared with the one that Gas.zip writes for the same quote.

Only a wallet itself may deposit: refunds go to whoever called. The contract is called, not the plain address that the
documentation prefers, since that one ignores what a contract wallet sends it. Limits are read with every quote, for
what is outside of them is stuck until somebody writes to the vendor's support.

Confirmed by a live answer of 2026-10-06, from Ethereum to Base: the form of a quote, contract and call. Not known: the
rate limit, the formula of the fee. Solana is served in both directions by the vendor's pages alone: its IDs, its
program and the instruction stand there, and no answer about it was seen. Its amounts are taken for lamports; an answer
whose own words say otherwise is refused.
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
