"""What Gas.zip says of its chains: the short IDs that calls name destinations by. Its contracts no endpoint lists."""

from rhumbline.adapters.gaszip.client import listed_chains
from rhumbline.adapters.gaszip.deployments import Deployment, api_number
from rhumbline.gateways.upstreams.spec import AdapterContext, Published


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read the short IDs of the chains that are deployed to; raise an AdapterError."""
    ours = {api_number(number, place): number for number, place in context.deployments.items()}
    found = await listed_chains(context.http, ours)
    return {ours[number]: {"short": str(facts.short)} for number, facts in found.items()}
