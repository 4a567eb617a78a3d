"""Builds the adapters from their specs and the settings, and ONCHAIN from the chains."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import fields
from typing import Any

from pydantic import ValidationError

from rhumbline.adapters.onchain.adapter import OnchainAdapter
from rhumbline.app.adapter_section import UpstreamSettings
from rhumbline.app.chains import Chains, known_to
from rhumbline.app.credentials import credentials_of, lacking
from rhumbline.app.deployments import deployment_of, deployments_of
from rhumbline.app.onchain_pools import opened_pools
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings, SettingsError
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import CONTRACT_ADAPTERS
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.gateways.upstreams.guard.guard import GuardRules
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards, host_and_port
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.liquidity.chain_pools import ChainPools


@asynccontextmanager
async def built_adapters(
    settings: Settings,
    chains: Chains,
    tokens: TokenCatalog,
    specs: Sequence[AdapterSpec[Any]] = SPECS,
    guards: UpstreamGuards | None = None,
    clock: Clock = system_clock,
    pools: Mapping[int, ChainPools] | None = None,
) -> AsyncIterator[tuple[Adapter[Any], ...]]:
    """Build every adapter that the settings switch on; their connections end with the context.

    Each host that they ask has its guard among ``guards``, if they are given; ``pools`` may be shared with prices.

    An adapter without a credential that it needs is left out. Raise SettingsError, with every fault, when the settings
    name what does not exist, or switch on what cannot be.
    """
    check_adapters(settings, specs)
    joined = JoinedCalls()
    async with AsyncExitStack() as stack:
        adapters: list[Adapter[Any]] = []
        if settings.adapters.onchain.enabled and settings.adapters.beyond_contract:
            if pools is None:
                pools = await stack.enter_async_context(opened_pools(settings, chains, tokens))
            adapters.append(OnchainAdapter(pools))
        for spec in switched_on(settings, specs):
            context = await parts_of(spec, settings, chains, stack, guards, joined, clock)
            adapters.append(spec.make(context))
        yield tuple(adapters)


def switched_on(settings: Settings, specs: Sequence[AdapterSpec[Any]] = SPECS) -> tuple[AdapterSpec[Any], ...]:
    """Return the specs of the adapters that can quote with these settings."""
    return tuple(
        spec
        for spec in specs
        if _is_enabled(spec, settings.adapters.upstream(spec.key))
        and not lacking(spec, credentials_of(spec, settings))
        and (settings.adapters.beyond_contract or spec.key in CONTRACT_ADAPTERS)
    )


def host_rules(settings: Settings, specs: Sequence[AdapterSpec[Any]] = SPECS) -> Mapping[str, GuardRules]:
    """Return what each host may be asked, by ``host_and_port`` its URL: the operator's word, else the spec's.

    Where several adapters ask one host, the least counts, of what the operator says if that is anything.
    """
    bounds: dict[str, list[tuple[UpstreamSettings, AdapterSpec[Any]]]] = {}
    for spec in switched_on(settings, specs):
        own = settings.adapters.upstream(spec.key)
        urls = (own.url or spec.url, *(own.more_urls.get(name, url) for name, url in spec.more_urls.items()))
        for host in {host_and_port(url) for url in urls}:
            bounds.setdefault(host, []).append((own, spec))
    # Workers that share no Redis share the budget by parts.
    parts = settings.server.workers if settings.limits.redis_url is None else 1
    return {host: _rules(pairs, parts) for host, pairs in bounds.items()}


def _rules(pairs: Sequence[tuple[UpstreamSettings, AdapterSpec[Any]]], parts: int) -> GuardRules:
    rates = [own.calls_per_s for own, _ in pairs if own.calls_per_s is not None]
    status = [own.status_per_s for own, _ in pairs if own.status_per_s is not None]
    if not rates and not status:
        # An operator's budget is for all kinds of requests, unless it says otherwise.
        status = [spec.status_per_s for _, spec in pairs if spec.status_per_s is not None]
    rates = rates or [spec.calls_per_s for _, spec in pairs if spec.calls_per_s is not None]
    places = [own.at_once for own, _ in pairs if own.at_once is not None]
    places = places or [spec.at_once for _, spec in pairs]
    return GuardRules(
        at_once=min(places),
        calls_per_s=min(rates) / parts if rates else None,
        status_per_s=min(status) / parts if status else None,
    )


def check_adapters(settings: Settings, specs: Sequence[AdapterSpec[Any]] = SPECS) -> None:
    """Raise SettingsError with everything that is wrong about the adapters' settings; nothing is opened."""
    known = {spec.key.lower(): spec for spec in specs}
    chains = {chain.id for chain in known_to(settings)}
    faults = [_unknown("onchain", chain) for chain in settings.adapters.onchain.deployments if chain not in chains]
    for name, own in settings.adapters.upstreams.items():
        spec = known.get(name)
        if spec is None:
            faults.append(f"adapters.{name}: there is no such adapter; there are {', '.join(sorted(known))}, onchain")
            continue
        faults += _faults(spec, own)
        if own.enabled:
            missing = lacking(spec, credentials_of(spec, settings))
            faults += [f"adapters.{name}.credentials.{each}: is missing; set it, or remove enabled" for each in missing]
        faults += [_unknown(name, chain) for chain in own.deployments if chain not in chains]
    if faults:
        raise SettingsError(faults)


def _unknown(name: str, chain_id: int) -> str:
    return f"adapters.{name}.deployments.{chain_id}: no chain has this ID; add it to [[chains]]"


def _faults(spec: AdapterSpec[Any], own: UpstreamSettings) -> list[str]:
    path = f"adapters.{spec.key.lower()}"
    accepted = (*spec.needs, *spec.needs_one, *spec.optional_credentials)
    faults = [
        f"{path}.credentials.{name}: there is no such credential; {_listed(accepted)}"
        for name in own.credentials
        if name not in accepted
    ]
    faults += [
        f"{path}.more_urls.{name}: there is no such host; {_listed(tuple(spec.more_urls))}"
        for name in own.more_urls
        if name not in spec.more_urls
    ]
    names = [field.name for field in fields(spec.deployment)]
    for chain_id, facts in own.deployments.items():
        where = f"{path}.deployments.{chain_id}"
        faults += [f"{where}.{name}: there is no such fact; {_listed(names)}" for name in facts if name not in names]
        try:
            deployment_of(spec, facts)
        except ValidationError as error:
            for detail in error.errors(include_input=False, include_url=False):
                part = ".".join(str(part) for part in (where, *detail["loc"]))
                faults.append(f"{part}: {detail['msg']}")
    return faults


def _listed(names: Sequence[str]) -> str:
    return f"there are {', '.join(names)}" if names else "it takes none"


def _is_enabled(spec: AdapterSpec[Any], own: UpstreamSettings) -> bool:
    return spec.on if own.enabled is None else own.enabled


async def parts_of(
    spec: AdapterSpec[Any],
    settings: Settings,
    chains: Chains,
    stack: AsyncExitStack,
    guards: UpstreamGuards | None = None,
    joined: JoinedCalls | None = None,
    clock: Clock = system_clock,
) -> AdapterContext[Any]:
    """Return what an adapter is made of; its connections end with the stack."""
    own, secrets = settings.adapters.upstream(spec.key), credentials_of(spec, settings)

    async def opened(url: str) -> Any:
        return await stack.enter_async_context(
            open_upstream(
                spec.key,
                url,
                headers=spec.headers(secrets),
                timeout_s=spec.timeout_s,
                largest_bytes=spec.largest_bytes,
                connections=own.at_once or spec.at_once,
                guard=None if guards is None else guards.of(url, spec.key),
            )
        )

    known = {chain.id: chain for chain in chains.catalog}
    places = {chain: facts for chain, facts in deployments_of(spec, settings).items() if chain in known}
    return AdapterContext(
        key=spec.key,
        http=await opened(own.url or spec.url),
        deployments=places,
        rpcs=chains.rpcs,
        chains=known,
        clock=clock,
        credentials=secrets,
        more={name: await opened(own.more_urls.get(name, url)) for name, url in spec.more_urls.items()},
        joined=joined or JoinedCalls(),
        svm_rpcs=chains.svm_rpcs,
    )
