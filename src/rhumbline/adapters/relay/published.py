"""What Relay says of its own contracts: ``GET /chains``, of which the vendor's page of addresses is made."""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import TypeAdapter, ValidationError

from rhumbline.adapters.relay.client import ask_chains
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.wire import Text
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.fields import EvmAddress
from rhumbline.gateways.upstreams.spec import AdapterContext, Published

_DEPOSITORY = ("protocol", "v2", "depository")
PATHS: Mapping[ChainType, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        ChainType.EVM: {
            "depository": _DEPOSITORY,
            "router": ("contracts", "v3", "erc20Router"),
            "approval_proxy": ("contracts", "v3", "approvalProxy"),
        },
        ChainType.SVM: {"depository": _DEPOSITORY},
    }
)
"""Where a chain's row has the contracts of the versions that are used here; those of older ones stand beside them."""
_ADDRESS: Mapping[ChainType, TypeAdapter[str]] = MappingProxyType(
    {ChainType.EVM: TypeAdapter(EvmAddress), ChainType.SVM: TypeAdapter(Text)}
)


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read what is published of the chains that are deployed to; raise an AdapterError."""
    ours = {place.relay_id: number for number, place in context.deployments.items() if number in context.chains}
    found: dict[int, dict[str, str]] = {}
    for row in await ask_chains(context.http):
        number = row.get("id") if isinstance(row, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or number not in ours:
            continue
        if ours[number] in found:
            raise UpstreamFailed("answered a chain twice")
        found[ours[number]] = _contracts(row, context.chains[ours[number]].type)
    return found


def _contracts(row: Json, chain_type: ChainType) -> dict[str, str]:
    try:
        told = {name: _at(row, path) for name, path in PATHS[chain_type].items()}
        address = _ADDRESS[chain_type]
        return {name: address.validate_python(each, strict=True) for name, each in told.items() if each is not None}
    except (ValidationError, TypeError):
        raise UpstreamFailed("answered something unexpected: a chain's contracts are not as documented") from None


def _at(row: Json, path: tuple[str, ...]) -> Json:
    """Return what lies at a path, None where it ends early; raise TypeError for what is no object on the way."""
    for name in path:
        if row is None:
            return None
        if not isinstance(row, dict):
            raise TypeError
        row = row.get(name)
    return row
