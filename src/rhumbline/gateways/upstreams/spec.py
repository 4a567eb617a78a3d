"""What an adapter with an HTTP API is made of, and what all of them share: deployments and common errors."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import ValidationError

from rhumbline.domain.adapter import Adapter, AdapterInfo
from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.upstreams.fields import Answer
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamError, UpstreamRefused

D = TypeVar("D")
R = TypeVar("R")
M = TypeVar("M", bound=Answer)
_EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AdapterContext(Generic[D]):
    """What the app gives an adapter: its upstream, its deployments by our chain ID, nodes, chains, secrets.

    ``more`` are the upstream's further hosts by name. ``chains`` are all known chains by ID, ``rpcs`` the nodes of
    those that are served; ``credentials`` the configured ones by name. ``joined`` is the same for all adapters: several
    that ask one upstream the same ask it once. ``svm_rpcs`` are the nodes of Solana, as ``rpcs``.
    """

    key: str
    http: Upstream
    deployments: Mapping[int, D]
    rpcs: Mapping[int, EvmRpc]
    chains: Mapping[int, Chain]
    clock: Clock
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)
    more: Mapping[str, Upstream] = field(default_factory=dict)
    joined: JoinedCalls = field(default_factory=JoinedCalls)
    svm_rpcs: Mapping[int, SvmRpc] = field(default_factory=dict)

    @property
    def served(self) -> tuple[int, ...]:
        """The IDs of the chains with a deployment, in order."""
        return tuple(sorted(self.deployments))

    def svm_node(self, chain_id: int) -> SvmRpc:
        """Return the node of a Solana chain for checking answers; raise UpstreamFailed if there is none."""
        if chain_id not in self.svm_rpcs:
            raise UpstreamFailed("cannot be asked without a node of the chain")
        return self.svm_rpcs[chain_id]


def credential_header(header: str, name: str, before: str = "") -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    """Return what makes the one header that goes with every call: a credential, with ``before``, where there is one."""
    return lambda credentials: {header: before + credentials[name]} if name in credentials else {}


Published: TypeAlias = Mapping[int, Mapping[str, str]]
"""A vendor's published deployments: by our chain ID, then by field of the deployment dataclass."""


@dataclass(frozen=True, slots=True)
class AdapterSpec(Generic[D]):
    """The data from which an adapter is made, declared in its folder; the registry lists the specs.

    ``url`` is the upstream's public address, ``more_urls`` those of its further hosts by name; the settings may replace
    each. The adapter is listed only with all credentials of ``needs`` and, if there are any, one of ``needs_one``;
    those in ``optional_credentials`` may be absent. ``page`` names a credential that is a page of the operator's, by
    which the upstream identifies its clients; its default is the service's own public address. ``headers`` makes the
    headers of every request from the credentials. ``deployment`` is the frozen dataclass of one chain's facts and
    ``deployments`` the built-in ones, by our chain ID; the settings may add to both. ``on`` is False for adapters that
    an operator must switch on. ``calls_per_s`` (HTTP requests of any kind, None for no bound) and ``at_once`` bound the
    requests to each of its hosts; adapters that share a host share the bounds. ``status_per_s`` is what a vendor allows
    for transfer status beside its other limits. ``published`` reads the pinned contracts from the vendor's API, for the
    chains that it names; None if no endpoint has them.
    """

    key: str
    url: str
    deployment: type[D]
    deployments: Mapping[int, D]
    make: Callable[[AdapterContext[D]], Adapter[Any]]
    needs: tuple[str, ...] = ()
    optional_credentials: tuple[str, ...] = ()
    needs_one: tuple[str, ...] = ()
    page: str = ""
    headers: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda _: _EMPTY
    more_urls: Mapping[str, str] = field(default_factory=dict)
    on: bool = True
    calls_per_s: float | None = None
    status_per_s: float | None = None
    at_once: int = 32
    timeout_s: float = 5.0
    largest_bytes: int = 4 * 1024 * 1024
    published: Callable[[AdapterContext[D]], Awaitable[Published]] | None = None


def expect_served(route: R | None) -> R:
    """Return how a request is served; raise NoRoute where it is not."""
    if route is None:
        raise NoRoute("does not serve this pair of tokens and chains")
    return route


def failure_of(error: UpstreamError) -> AdapterError:
    """Return the meaning of a failure by its status, if its body says no more; silence and no JSON are temporary."""
    if isinstance(error, UpstreamRefused):
        if error.status in (401, 403):
            return CredentialsRejected("refuses our credentials")
        if 400 <= error.status < 500 and error.status not in (408, 425, 429):
            return RequestRejected(f"rejects the request (HTTP {error.status})")
        if error.status == 429:
            return UpstreamFailed("limits our rate", error.retry_after_s)
    return UpstreamFailed(str(error).removeprefix(error.upstream).strip(), error.retry_after_s)


def known_failure(known: AdapterError | None, error: UpstreamError) -> AdapterError:
    """Return the documented meaning of a body, otherwise that of `failure_of`; either with its `Retry-After`.

    A refusal that the same request would get again must not read as an outage: an adapter's table uses UpstreamFailed
    only for what its upstream documents as temporary, or answers under a status that says so.
    """
    if known is None:
        return failure_of(error)
    return UpstreamFailed(known.reason, error.retry_after_s) if isinstance(known, UpstreamFailed) else known


def read_answer(model: type[M], document: Json) -> M:
    """Read the part of a JSON document that ``model`` names; raise UpstreamFailed if it is not so."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        path = ".".join(str(part) for part in first["loc"]) or "the answer"
        raise UpstreamFailed(f"answered something unexpected: {path} is not as documented") from None


class UpstreamAdapter(ABC, Generic[D]):
    """The common part of the adapters: ``D`` is the dataclass of one chain's deployment."""

    def __init__(self, context: AdapterContext[D], info: AdapterInfo) -> None:
        self.context = context
        self.info = info

    @abstractmethod
    def supports(self, request: QuoteRequest, /) -> bool:
        """Return, without I/O, whether the adapter may be asked."""

    def names_input(self, _: QuoteRequest, /, *, priced: bool) -> bool:
        """Return whether an input is worth asking for: for an ``OutputTaker`` it is, ``priced`` or not."""
        return True

    def deployment(self, request: QuoteRequest) -> D:
        """Return the deployment on the origin; raise NoRoute for a request that is not supported."""
        if self.supports(request):
            return self.context.deployments[request.origin.id]
        return expect_served(None)

    def both_deployments(self, request: QuoteRequest) -> tuple[D, D]:
        """Return the deployments on origin and destination; raise NoRoute for a request that is not supported."""
        return self.deployment(request), self.context.deployments[request.destination.id]

    def known_deployments(self, request: QuoteRequest) -> tuple[D, D] | None:
        """Return the deployments on origin and destination, None where there is not one on each."""
        deployments = self.context.deployments
        origin, destination = deployments.get(request.origin.id), deployments.get(request.destination.id)
        return None if origin is None or destination is None else (origin, destination)
