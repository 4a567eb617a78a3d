"""What OKX says of its own contracts: what is approved, chain by chain. No endpoint lists its routers; chains do."""

from rhumbline.adapters.okx.adapter import sealed
from rhumbline.adapters.okx.client import call
from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.wire import OkxAnswer
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.upstreams.fields import EvmAddress
from rhumbline.gateways.upstreams.spec import AdapterContext, Published, read_answer

CHAINS = "/api/v6/dex/aggregator/supported/chain"


class ChainRow(OkxAnswer):
    """One chain of the list."""

    dex_token_approve_address: EvmAddress


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read what is to be approved on the chains that are deployed to; raise an AdapterError."""
    document = await call(sealed(context).http, CHAINS, {})
    rows = document.get("data") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise UpstreamFailed("answered something unexpected: data is not as documented")
    ours = {str(number): number for number in context.deployments}
    found: dict[int, dict[str, str]] = {}
    for row in rows:
        index = row.get("chainIndex") if isinstance(row, dict) else None
        number = ours.get(index) if isinstance(index, str) else None
        if number is None:
            continue
        if number in found:
            raise UpstreamFailed("answered a chain twice")
        found[number] = {"token_approve": read_answer(ChainRow, row).dex_token_approve_address}
    return found
