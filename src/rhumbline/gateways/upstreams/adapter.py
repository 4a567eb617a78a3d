"""What all adapters over HTTP have in common: who they are, and where their upstream is deployed."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.upstreams.spec import AdapterContext

D = TypeVar("D")


class UpstreamAdapter(ABC, Generic[D]):
    """The common part of the adapters: ``D`` is the dataclass of one chain's deployment."""

    def __init__(self, context: AdapterContext[D], info: AdapterInfo) -> None:
        self.context = context
        self.info = info

    @abstractmethod
    def supports(self, request: QuoteRequest, /) -> bool:
        """Tell, without I/O, whether asking makes sense."""

    def deployment(self, request: QuoteRequest) -> D:
        """Return the deployment on the origin; raise NoRoute for a request that is not supported."""
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id]

    def both_deployments(self, request: QuoteRequest) -> tuple[D, D]:
        """Return the deployments on origin and destination; raise NoRoute for a request that is not supported."""
        return self.deployment(request), self.context.deployments[request.destination.id]

    def known_deployments(self, request: QuoteRequest) -> tuple[D, D] | None:
        """Return the deployments on origin and destination, None where there is not one on each."""
        deployments = self.context.deployments
        origin, destination = deployments.get(request.origin.id), deployments.get(request.destination.id)
        return None if origin is None or destination is None else (origin, destination)
