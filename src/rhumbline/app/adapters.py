"""Builds the adapters from their blueprints and the settings."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rhumbline.adapters.uniswap.adapter import UniswapAdapter
from rhumbline.app.chains import Chains, known_to
from rhumbline.app.credentials import credentials_of, lacking
from rhumbline.app.registry import BLUEPRINTS
from rhumbline.app.sections import UpstreamSettings
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.app.uniswap import uniswap_deployments
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import CONTRACT_ADAPTERS
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.http import open_upstream
from rhumbline.gateways.joined_calls import JoinedCalls
from rhumbline.gateways.upstream_guard import GuardRules, UpstreamGuards, host_of
from rhumbline.gateways.upstreams import Blueprint, Parts


@asynccontextmanager
async def built_adapters(
    settings: Settings,
    chains: Chains,
    tokens: TokenCatalog,
    blueprints: Sequence[Blueprint[Any]] = BLUEPRINTS,
    guards: UpstreamGuards | None = None,
) -> AsyncIterator[tuple[Adapter[Any], ...]]:
    """Build every adapter that the settings switch on; their connections end with the context.

    Each host that they ask has its guard among ``guards``, if they are given.

    An adapter without a credential that it needs is left out. Raise SettingsError, with every fault, when the settings
    name what does not exist, or switch on what cannot be.
    """
    check_adapters(settings, blueprints)
    joined = JoinedCalls()
    async with AsyncExitStack() as stack:
        adapters: list[Adapter[Any]] = []
        if settings.adapters.uniswap.enabled and settings.adapters.beyond_contract:
            adapters.append(UniswapAdapter(uniswap_deployments(settings, chains, tokens), chains.rpcs))
        for blueprint in switched_on(settings, blueprints):
            context = await parts_of(blueprint, settings, chains, stack, guards, joined)
            adapters.append(blueprint.make(context))
        yield tuple(adapters)


def switched_on(settings: Settings, blueprints: Sequence[Blueprint[Any]] = BLUEPRINTS) -> tuple[Blueprint[Any], ...]:
    """Return the blueprints of the adapters that can quote with these settings."""
    return tuple(
        blueprint
        for blueprint in blueprints
        if _wanted(blueprint, settings.adapters.upstream(blueprint.key))
        and not lacking(blueprint, credentials_of(blueprint, settings))
        and (settings.adapters.beyond_contract or blueprint.key in CONTRACT_ADAPTERS)
    )


def host_rules(settings: Settings, blueprints: Sequence[Blueprint[Any]] = BLUEPRINTS) -> Mapping[str, GuardRules]:
    """Return what each host may be asked, by ``host_of`` its URL: the operator's word, else the blueprint's.

    Where several adapters ask one host, the least counts, of what the operator says if that is anything.
    """
    bounds: dict[str, list[tuple[UpstreamSettings, Blueprint[Any]]]] = {}
    for blueprint in switched_on(settings, blueprints):
        own = settings.adapters.upstream(blueprint.key)
        urls = (own.url or blueprint.url, *(own.more_urls.get(name, url) for name, url in blueprint.more_urls.items()))
        for host in {host_of(url) for url in urls}:
            bounds.setdefault(host, []).append((own, blueprint))
    return {host: _rules(pairs) for host, pairs in bounds.items()}


def _rules(pairs: Sequence[tuple[UpstreamSettings, Blueprint[Any]]]) -> GuardRules:
    rates = [own.calls_per_s for own, _ in pairs if own.calls_per_s is not None]
    rates = rates or [blueprint.calls_per_s for _, blueprint in pairs if blueprint.calls_per_s is not None]
    places = [own.at_once for own, _ in pairs if own.at_once is not None]
    places = places or [blueprint.at_once for _, blueprint in pairs]
    return GuardRules(at_once=min(places), calls_per_s=min(rates, default=None))


def deployments_of(blueprint: Blueprint[Any], settings: Settings) -> Mapping[int, Any]:
    """Return where an adapter's upstream is, by chain ID: what is built in, and in its place what the settings say."""
    own = settings.adapters.upstream(blueprint.key)
    added = {chain: _deployment(blueprint, facts) for chain, facts in own.deployments.items()}
    return {**blueprint.deployments, **added}


def check_adapters(settings: Settings, blueprints: Sequence[Blueprint[Any]] = BLUEPRINTS) -> None:
    """Raise SettingsError with everything that is wrong about the adapters' settings; nothing is opened."""
    known = {blueprint.key.lower(): blueprint for blueprint in blueprints}
    chains = {chain.id for chain in known_to(settings)}
    faults = [_unknown("uniswap", chain) for chain in settings.adapters.uniswap.deployments if chain not in chains]
    for name, own in settings.adapters.upstreams.items():
        blueprint = known.get(name)
        if blueprint is None:
            faults.append(f"adapters.{name}: there is no such adapter; there are {', '.join(sorted(known))}, uniswap")
            continue
        faults += _faults(blueprint, own)
        if own.enabled:
            missing = lacking(blueprint, credentials_of(blueprint, settings))
            faults += [f"adapters.{name}.credentials.{each}: is needed, or leave enabled out" for each in missing]
        faults += [_unknown(name, chain) for chain in own.deployments if chain not in chains]
    if faults:
        raise SettingsError(faults)


def _unknown(name: str, chain_id: int) -> str:
    return f"adapters.{name}.deployments.{chain_id}: no chain has this ID; add it to [[chains]]"


def _faults(blueprint: Blueprint[Any], own: UpstreamSettings) -> list[str]:
    path = f"adapters.{blueprint.key.lower()}"
    accepted = (*blueprint.needs, *blueprint.needs_one, *blueprint.takes)
    faults = [
        f"{path}.credentials.{name}: there is no such credential; {_listed(accepted)}"
        for name in own.credentials
        if name not in accepted
    ]
    faults += [
        f"{path}.more_urls.{name}: there is no such host; {_listed(tuple(blueprint.more_urls))}"
        for name in own.more_urls
        if name not in blueprint.more_urls
    ]
    names = [field.name for field in fields(blueprint.deployment)]
    for chain_id, facts in own.deployments.items():
        where = f"{path}.deployments.{chain_id}"
        faults += [f"{where}.{name}: there is no such fact; {_listed(names)}" for name in facts if name not in names]
        try:
            _deployment(blueprint, facts)
        except ValidationError as error:
            for detail in error.errors(include_input=False, include_url=False):
                part = ".".join(str(part) for part in (where, *detail["loc"]))
                faults.append(f"{part}: {detail['msg']}")
    return faults


def _listed(names: Sequence[str]) -> str:
    return f"there are {', '.join(names)}" if names else "it takes none"


def _wanted(blueprint: Blueprint[Any], own: UpstreamSettings) -> bool:
    return blueprint.on if own.enabled is None else own.enabled


def _deployment(blueprint: Blueprint[Any], facts: Mapping[str, object]) -> Any:
    return TypeAdapter(blueprint.deployment).validate_python(_canonical(facts))


def _canonical(fact: object) -> object:
    """Write EVM addresses among facts in EIP-55 form: adapters compare them, and operators write them in any case."""
    if isinstance(fact, str):
        return checksummed(fact) if is_address(fact) else fact
    if isinstance(fact, Mapping):
        return {_canonical(name): _canonical(value) for name, value in fact.items()}
    return [_canonical(each) for each in fact] if isinstance(fact, list) else fact


async def parts_of(
    blueprint: Blueprint[Any],
    settings: Settings,
    chains: Chains,
    stack: AsyncExitStack,
    guards: UpstreamGuards | None = None,
    joined: JoinedCalls | None = None,
) -> Parts[Any]:
    """Return what an adapter is made of; its connections end with the stack."""
    own, secrets = settings.adapters.upstream(blueprint.key), credentials_of(blueprint, settings)

    async def opened(url: str) -> Any:
        return await stack.enter_async_context(
            open_upstream(
                blueprint.key,
                url,
                headers=blueprint.headers(secrets),
                timeout_s=blueprint.timeout_s,
                largest_bytes=blueprint.largest_bytes,
                connections=own.at_once or blueprint.at_once,
                guard=None if guards is None else guards.of(url, blueprint.key),
            )
        )

    known = {chain.id: chain for chain in chains.catalog}
    places = {chain: facts for chain, facts in deployments_of(blueprint, settings).items() if chain in known}
    return Parts(
        key=blueprint.key,
        http=await opened(own.url or blueprint.url),
        deployments=places,
        rpcs=chains.rpcs,
        chains=known,
        clock=system_clock,
        credentials=secrets,
        more={name: await opened(own.more_urls.get(name, url)) for name, url in blueprint.more_urls.items()},
        joined=joined or JoinedCalls(),
    )
