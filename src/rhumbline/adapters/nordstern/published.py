"""What Nordstern says of its own contracts: ``GET /chains``, an object by chain ID."""

from pydantic import Field

from rhumbline.adapters.nordstern.deployments import Deployment
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.http.upstream import UpstreamError
from rhumbline.gateways.upstreams.fields import Answer, EvmAddress
from rhumbline.gateways.upstreams.spec import AdapterContext, Published, failure_of, read_answer


class ChainRow(Answer):
    """One chain of the list; the address is the one that is both called and approved."""

    router_address: EvmAddress = Field(alias="RouterAddress")


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read what is published of the chains that are deployed to; raise an AdapterError."""
    try:
        document = await context.http.get("/chains")
    except UpstreamError as error:
        raise failure_of(error) from error
    if not isinstance(document, dict):
        raise UpstreamFailed("answered something unexpected: the answer is not as documented")
    return {
        number: {"guard": read_answer(ChainRow, document[str(number)]).router_address}
        for number in context.deployments
        if str(number) in document
    }
