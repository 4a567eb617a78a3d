"""The parameters of Across's API, checked as its source does (``superstruct`` schemas, 2026-02, read 2026-11-21)."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.upstreams.across.terms import Side, side_of
from rhumbline.devnet.upstreams.behaviour import Fails
from rhumbline.devnet.upstreams.parameters import (
    AMOUNT,
    BOOLEAN,
    Form,
    Parameters,
    evm_address,
    one_of,
    pattern,
    svm_address,
    text,
)
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import ChainType

_HASH = pattern("0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88}")
_COUNT = pattern("0|[1-9][0-9]{0,77}")
_SHARE = pattern(r"0(\.[0-4][0-9]{0,17}|\.50{0,17})?|auto")
_INVALID: Mapping[str, object] = MappingProxyType({"type": "AcrossApiError", "code": "INVALID_PARAM", "status": 400})


def bad(param: str, expected: str = "union") -> Fails:
    """Return the failure that names a parameter."""
    message = f"Invalid parameter at path '{param}'. Expected type '{expected}'"
    return Fails("invalid_param", {**_INVALID, "message": message, "param": param})


def _missing(param: str) -> Fails:
    message = f"Query param '{param}' must be provided"
    return Fails("missing_param", {**_INVALID, "code": "MISSING_PARAM", "message": message})


def _address(value: object) -> bool:
    return evm_address(value) or svm_address(value)


def _parameters(needed: Mapping[str, Form], optional: Mapping[str, Form]) -> Parameters:
    return Parameters(needed, optional, wrong=bad, unknown=lambda param: bad(param, "never"), missing=_missing)


_ROUTE = MappingProxyType(
    {"originChainId": AMOUNT, "destinationChainId": AMOUNT, "inputToken": _address, "outputToken": _address}
)
_FEES = MappingProxyType(
    {
        "recipient": _address,
        "message": text,
        "skipAmountLimit": BOOLEAN,
        "allowUnmatchedDecimals": BOOLEAN,
    }
)
FEES = _parameters(_ROUTE | {"amount": AMOUNT}, _FEES)
LIMITS = _parameters(_ROUTE, _FEES | {"amount": AMOUNT})
SWAP = _parameters(
    _ROUTE | {"amount": AMOUNT, "depositor": _address},
    {
        "tradeType": one_of("minOutput", "exactOutput", "exactInput"),
        "recipient": _address,
        "integratorId": pattern("0x[0-9a-fA-F]{4}"),
        "refundAddress": _address,
        "slippage": _SHARE,
        "routingPreference": one_of("default", "across", "native", "sponsored-cctp"),
        **dict.fromkeys(("refundOnOrigin", "strictTradeType", "skipOriginTxEstimation", "skipChecks"), BOOLEAN),
    },
)
STATUS = _parameters(
    {},
    {"originChainId": AMOUNT, "depositId": _COUNT, "index": _COUNT, "depositTxnRef": _HASH, "depositTxHash": _HASH},
)


def _check_forms(query: Mapping[str, str], origin: SandboxChain, destination: SandboxChain) -> None:
    """Raise Fails for addresses of the wrong chain type, and for missing ones if either chain is Solana."""
    on_solana = ChainType.SVM in (origin.type, destination.type)
    if on_solana and "recipient" not in query:
        raise Fails("missing_param", {**_INVALID, "code": "MISSING_PARAM", "message": "recipient must be provided"})
    for chain, names in ((origin, ("depositor", "inputToken")), (destination, ("recipient", "outputToken"))):
        fits = svm_address if chain.type is ChainType.SVM else evm_address
        for name in names:
            if name in query and not fits(query[name]):
                raise bad(name)


def sides(world: World, query: Mapping[str, str], *, same_token: bool = True) -> tuple[Side, Side]:
    """Read the route, of wrapped tokens; with ``same_token`` it must be one token on two chains. Raise Fails."""
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
