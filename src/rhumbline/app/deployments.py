"""The contracts of upstreams by chain: the built-in ones, and those of the settings, which override them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rhumbline.adapters import across
from rhumbline.app.settings import Settings
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.upstreams.spec import AdapterSpec


def deployments_of(spec: AdapterSpec[Any], settings: Settings) -> Mapping[int, Any]:
    """Return an adapter's deployments by chain ID: the built-in ones, overridden by the settings."""
    own = settings.adapters.upstream(spec.key)
    added = {chain: deployment_of(spec, facts) for chain, facts in own.deployments.items()}
    return {**spec.deployments, **added}


def spoke_pool_of(settings: Settings, chain_id: int) -> str | None:
    """Return Across's contract on an EVM chain, whose messages the chain's Receiver reads; None without a sound one."""
    own = settings.adapters.upstream(across.SPEC.key).deployments.get(chain_id)
    try:
        place = across.SPEC.deployments.get(chain_id) if own is None else deployment_of(across.SPEC, own)
    except ValidationError:
        # Whoever checks the settings says so.
        return None
    return checksummed(place.spoke_pool) if place is not None and is_address(place.spoke_pool) else None


def deployment_of(spec: AdapterSpec[Any], facts: Mapping[str, object]) -> Any:
    """Read what the settings say of an upstream's place; raise ValidationError."""
    form: Any = spec.deployment
    return _reader(form).validate_python(_canonical(facts))


@cache
def _reader(form: type[Any]) -> TypeAdapter[Any]:
    # To make a reader takes a hundred times as long as to read a place with it, and there is one a chain.
    return TypeAdapter(form)


def _canonical(fact: object) -> object:
    """Write EVM addresses among facts in EIP-55 form: adapters compare them, and operators write them in any case."""
    if isinstance(fact, str):
        return checksummed(fact) if is_address(fact) else fact
    if isinstance(fact, Mapping):
        return {_canonical(name): _canonical(value) for name, value in fact.items()}
    return [_canonical(each) for each in fact] if isinstance(fact, list) else fact
