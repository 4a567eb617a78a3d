"""The endpoints of an EVM chain: the chain of each, its view of it, and refusals that other endpoints may not share."""

import re
from collections.abc import Callable, Sequence
from time import monotonic

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.comparison import Comparison, Sight
from rhumbline.gateways.nodes.endpoint import Endpoint, EndpointTerms, Lack
from rhumbline.gateways.nodes.endpoints import Endpoints
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity
from rhumbline.gateways.nodes.identity import Identity

SURE_FOR_S = 2.0
_NO_METHOD = -32601
_PASSING = frozenset({-32001, -32002, -32005, -32603})
# What nodes and their gateways say; read in geth, Erigon, Nethermind, reth and the pages of providers, 2026-11.
_METHOD = re.compile(
    r"method.{0,60}(not (found|supported|available|allowed|exist|whitelisted|enabled)|unsupported|disabled)"
    r"|unsupported method|eth_simulatev1",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"missing trie node|pruned|archive|historical state|ancient|distance to target block exceeds"
    r"|state (at block|is not available|not available|histories)",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"header not found|unknown block|block not found|time(d)? ?out|rate|too many|try again|overload|busy|quota|credit"
    r"|compute units|capacity|internal|unavailable|not synced|limit exceeded|no response|upstream|backend",
    re.IGNORECASE,
)


class ChainIdentity(Identity[int]):
    """The chain ID, which an endpoint in use is asked for every other second."""

    def __init__(self, chain_id: int, now: Callable[[], float] = monotonic) -> None:
        super().__init__(SURE_FOR_S, now)
        self._chain_id = chain_id

    def other(self, chain_id: int) -> str | None:
        return None if chain_id == self._chain_id else f"chain {chain_id}"


def evm_endpoints(
    name: str,
    chain_id: int,
    endpoints: Sequence[tuple[str, EndpointTerms]],
    http: HttpClient,
    metrics: Metrics | None = None,
    timeout_s: float = 10.0,
) -> EvmRpc:
    """Return the node of a chain, by its key ``name``, of these endpoints, each a URL with its settings."""
    each = [EvmRpc(url, http, name, timeout_s, ChainIdentity(chain_id)) for url, _ in endpoints]
    every = tuple(Endpoint(rpc, terms) for rpc, (_, terms) in zip(each, endpoints, strict=True))
    noted: Metrics = metrics or NoMetrics()
    comparison = Comparison(name, every, look, block, metrics=noted) if len(every) > 1 else None
    return EvmRpc(
        endpoints[0][0], http, name, timeout_s, endpoints=Endpoints(name, every, lack_of, comparison, metrics=noted)
    )


async def look(rpc: EvmRpc) -> Sight:
    """Ask an endpoint for its newest block; raise NodeRefused or NodeUnavailable."""
    _, newest = await rpc.batch([("eth_chainId", ()), ("eth_getBlockByNumber", ("latest", False))])
    if isinstance(newest, RpcError):
        raise newest
    if not isinstance(newest, dict):
        raise NodeUnavailable(f"{rpc.name}: the node does not return its latest block")
    return Sight(quantity(newest.get("number")), quantity(newest.get("timestamp")))


async def block(rpc: EvmRpc, number: int) -> str | None:
    """Ask an endpoint for the hash of a block; None where it does not have it."""
    found = await rpc.call("eth_getBlockByNumber", [hex(number), False])
    known = found.get("hash") if isinstance(found, dict) else None
    return known.lower() if isinstance(known, str) else None


def lack_of(method: str, error: NodeRefused) -> Lack | None:
    """Say why another endpoint may do what one refused; None where it would refuse as well, as a revert."""
    if not isinstance(error, RpcError) or error.is_revert:
        return None
    words, code = error.message, error.code
    if code == _NO_METHOD or _METHOD.search(words):
        return Lack.METHOD
    if _OLD.search(words):
        return Lack.OLD_STATE
    if method == "eth_getLogs":
        # Nodes refuse a range with all kinds of codes and words.
        return Lack.RANGE
    return Lack.NOW if code in _PASSING or _NOW.search(words) else None
