"""The parameters of Across's API, checked as its source does (``superstruct`` schemas, 2026-02, read 2026-11-21)."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.upstreams.across.terms import Side, side_of
from rhumbline.devnet.upstreams.behaviour import Fails, Received
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.svm.address import is_address as is_svm_address

CHAINS = frozenset({"originChainId", "destinationChainId"})
ROUTE = CHAINS | {"inputToken", "outputToken"}
FEES = ROUTE | {"amount", "recipient", "message", "relayer", "timestamp", "skipAmountLimit", "allowUnmatchedDecimals"}
SWAP_NEEDS = ROUTE | {"amount", "depositor"}
SWAP = SWAP_NEEDS | {
    *("tradeType", "recipient", "integratorId", "refundAddress", "refundOnOrigin", "slippage", "strictTradeType"),
    *("skipOriginTxEstimation", "skipChecks", "routingPreference", "excludeSources", "includeSources"),
}
STATUS = frozenset({"originChainId", "depositId", "depositTxnRef", "depositTxHash", "index"})

_INVALID: Mapping[str, object] = MappingProxyType({"type": "AcrossApiError", "code": "INVALID_PARAM", "status": 400})
_NUMBER = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)
_COUNT = re.compile(r"(0|[1-9][0-9]{0,77})\Z", re.ASCII)
_SHARE = re.compile(r"(0(\.[0-4][0-9]{0,17}|\.50{0,17})?|auto)\Z", re.ASCII)
_HASH = re.compile(r"(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})\Z", re.ASCII)
_MARK = re.compile(r"0x[0-9a-fA-F]{4}\Z", re.ASCII)
_BOOLEAN = re.compile(r"(true|false)\Z", re.ASCII)
_TRADE = re.compile(r"(minOutput|exactOutput|exactInput)\Z", re.ASCII)
_PREFERENCE = re.compile(r"(default|across|native|sponsored-cctp)\Z", re.ASCII)
_FORMS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        **dict.fromkeys(("amount", "originChainId", "destinationChainId", "timestamp"), _NUMBER),
        **dict.fromkeys(("depositId", "index"), _COUNT),
        **dict.fromkeys(("depositTxnRef", "depositTxHash"), _HASH),
        **dict.fromkeys(("refundOnOrigin", "strictTradeType", "skipOriginTxEstimation", "skipChecks"), _BOOLEAN),
        **dict.fromkeys(("skipAmountLimit", "allowUnmatchedDecimals"), _BOOLEAN),
        "slippage": _SHARE,
        "tradeType": _TRADE,
        "routingPreference": _PREFERENCE,
        "integratorId": _MARK,
    }
)
_ADDRESSES = frozenset({"inputToken", "outputToken", "recipient", "relayer", "depositor", "refundAddress"})


def bad(param: str, expected: str = "union") -> Fails:
    """Return the failure that names a parameter."""
    message = f"Invalid parameter at path '{param}'. Expected type '{expected}'"
    return Fails("invalid_param", {**_INVALID, "message": message, "param": param})


def read_query(asked: Received, known: frozenset[str], needed: frozenset[str]) -> Mapping[str, str]:
    """Read the parameters, each there once and in its form; raise Fails."""
    query = dict(asked.query)
    if len(query) != len(asked.query) or not query.keys() <= known:
        raise bad(next(iter(sorted(query.keys() - known)), "query"), "never")
    if missing := sorted(needed - query.keys()):
        body = {**_INVALID, "code": "MISSING_PARAM", "message": f"Query param '{missing[0]}' must be provided"}
        raise Fails("missing_param", body)
    for name, value in query.items():
        if name in _FORMS and not _FORMS[name].match(value):
            raise bad(name)
        if name in _ADDRESSES and not is_address(value) and not is_svm_address(value):
            raise bad(name)
    return query


def _check_forms(query: Mapping[str, str], origin: SandboxChain, destination: SandboxChain) -> None:
    """Raise Fails for an address of the other type of chain, and for none where one of the chains is Solana."""
    on_solana = ChainType.SVM in (origin.type, destination.type)
    if on_solana and "recipient" not in query:
        raise Fails("missing_param", {**_INVALID, "code": "MISSING_PARAM", "message": "recipient must be provided"})
    for chain, names in ((origin, ("depositor", "inputToken")), (destination, ("recipient", "outputToken"))):
        fits = is_svm_address if chain.type is ChainType.SVM else is_address
        for name in names:
            if name in query and not fits(query[name]):
                raise bad(name)


def sides(world: World, query: Mapping[str, str], *, same_token: bool = True) -> tuple[Side, Side]:
    """Read the route, of wrapped tokens; where ``same_token`` it has to be one token on two chains. Raise Fails."""
    chains = [world.chains.get(int(query[name])) for name in ("originChainId", "destinationChainId")]
    if chains[0] is None or chains[1] is None:
        raise Fails("unsupported_chain")
    _check_forms(query, chains[0], chains[1])
    if chains[0] is chains[1]:
        raise Fails("invalid_param", {**_INVALID, "message": "Origin and destination chains cannot be the same"})
    origin, destination = side_of(chains[0], query["inputToken"]), side_of(chains[1], query["outputToken"])
    if origin is None or destination is None:
        raise bad("inputToken" if origin is None else "outputToken")
    if same_token and origin.symbol != destination.symbol:
        raise Fails("route_not_enabled")
    if origin.token.decimals != destination.token.decimals and query.get("allowUnmatchedDecimals") != "true":
        raise Fails("invalid_param", {**_INVALID, "message": "Decimals of input and output tokens do not match."})
    return origin, destination
