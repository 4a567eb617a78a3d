"""The endpoints of a Solana chain: the cluster of each, its view of it, and refusals that others may not share."""

from collections.abc import Sequence
from contextlib import suppress

from rhumbline.domain.errors import NodeRefused
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.comparison import Comparison, Lag, Sight
from rhumbline.gateways.nodes.endpoint import Endpoint, EndpointTerms, Lack
from rhumbline.gateways.nodes.endpoints import Endpoints
from rhumbline.gateways.nodes.json_rpc import UnexpectedAnswer
from rhumbline.gateways.nodes.svm.calls import SvmCalls, SvmRpcError
from rhumbline.gateways.nodes.svm.cluster import Cluster
from rhumbline.gateways.nodes.svm.rpc import SvmRpc

_BEFORE, _LAST_BEFORE = (0, 1, 4), 16
"""A slot may have been skipped, and the newest one may have no time yet."""
_LAG = Lag(blocks=25, seconds=10.0, block_s=0.4)
_NO_METHOD, _INTERNAL, _LONG_TERM_STORAGE = -32601, -32603, -32019
# A block was cleaned up; the node keeps no history of transactions.
_OLD = frozenset({-32001, -32011})


def svm_endpoints(
    name: str,
    genesis: str | None,
    endpoints: Sequence[tuple[str, EndpointTerms]],
    http: HttpClient,
    metrics: Metrics | None = None,
    timeout_s: float = 10.0,
) -> SvmRpc:
    """Return the node of a chain, by its key ``name``, of these endpoints, each a URL with its settings.

    ``genesis`` is as for ``Cluster``.
    """
    each = [SvmCalls(url, http, name, timeout_s, Cluster(genesis)) for url, _ in endpoints]
    every = tuple(Endpoint(rpc, terms) for rpc, (_, terms) in zip(each, endpoints, strict=True))
    noted: Metrics = metrics or NoMetrics()
    comparison = Comparison(name, every, look, first_block, _LAG, noted) if len(every) > 1 else None
    return SvmRpc(
        endpoints[0][0], http, name, timeout_s, endpoints=Endpoints(name, every, lack_of, comparison, metrics=noted)
    )


async def look(rpc: SvmCalls) -> Sight:
    """Ask an endpoint for its newest confirmed slot; raise NodeRefused or NodeUnavailable."""
    slot = await rpc.count("getSlot", [{"commitment": "confirmed"}])
    for before in _BEFORE:
        with suppress(NodeRefused, UnexpectedAnswer):
            return Sight(slot, await rpc.count("getBlockTime", [max(slot - before, 0)]))
    return Sight(slot, await rpc.count("getBlockTime", [max(slot - _LAST_BEFORE, 0)]))


async def first_block(rpc: SvmCalls, number: int) -> str:
    """Ask an endpoint for the hash of its first block, whatever ``number``: clusters do not fork at a height."""
    return await rpc.genesis_hash()


def lack_of(method: str, error: NodeRefused) -> Lack | None:
    """Say why another endpoint may do what one refused; None where it would refuse as well."""
    if not isinstance(error, SvmRpcError):
        return None
    if error.code == _NO_METHOD:
        return Lack.METHOD
    if error.code in _OLD:
        return Lack.OLD_STATE
    return Lack.NOW if error.code in (_INTERNAL, _LONG_TERM_STORAGE) else None
