"""What Gas.zip says of its chains: the short IDs that calls name destinations by. Its contracts no endpoint lists."""

from rhumbline.adapters.gaszip.client import listed_chains
from rhumbline.adapters.gaszip.deployments import Deployment
from rhumbline.gateways.upstreams import AdapterContext, Published


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read the short IDs of the chains that are deployed to; raise an AdapterError."""
    found = await listed_chains(context.http, context.deployments)
    return {number: {"short": str(facts.short)} for number, facts in found.items()}
