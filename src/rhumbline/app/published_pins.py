"""Compares the contracts that adapters pin with what vendors publish: ``rhumbline doctor --pins``."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

from rhumbline.app.adapters import parts_of, switched_on
from rhumbline.app.chains import Chains
from rhumbline.app.checkups import Finding, State
from rhumbline.app.deployments import deployments_of
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import AdapterError
from rhumbline.gateways.upstreams.spec import AdapterSpec, Published


async def published_findings(
    settings: Settings, chains: Chains, specs: Sequence[AdapterSpec[Any]] = SPECS
) -> list[Finding]:
    """Ask the vendor of each adapter that is on, once, and compare its answer with the pins of each served chain.

    A finding begins with its result: agreed, differs, not published, or could not be asked. Only a difference fails.
    Adapters that share their deployments count once; a vendor's answer is used for nothing else.
    """
    served = [each.chain for each in chains.evm]
    checks, seen = [], set[type[Any]]()
    for spec in switched_on(settings, specs):
        places = deployments_of(spec, settings)
        here = [chain for chain in served if chain.id in places]
        if here and spec.deployment not in seen:
            seen.add(spec.deployment)
            checks.append(_compared(spec, settings, chains, here, places))
    return [finding for findings in await asyncio.gather(*checks) for finding in findings]


async def _compared(
    spec: AdapterSpec[Any], settings: Settings, chains: Chains, here: Sequence[Chain], places: Mapping[int, Any]
) -> list[Finding]:
    name = f"published {spec.key}"
    if spec.published is None:
        return [Finding(name, State.OK, "not published: no endpoint names the pinned contracts")]
    try:
        async with AsyncExitStack() as stack:
            published = await spec.published(await parts_of(spec, settings, chains, stack))
    except AdapterError as error:
        return [Finding(name, State.WARNS, f"could not be asked: {error.reason}")]
    return [_finding(f"{name} {chain.key}", places[chain.id], chain.id, published) for chain in here]


def _finding(name: str, place: object, chain_id: int, published: Published) -> Finding:
    theirs = published.get(chain_id)
    if theirs is None:
        return Finding(name, State.WARNS, "not published: the vendor does not name the chain")
    # What is not pinned is not used, so nothing can be wrong with it.
    pinned = {field: str(pin) for field in theirs if (pin := getattr(place, field))}
    differing = [field for field, pin in pinned.items() if pin.lower() != theirs[field].lower()]
    if differing:
        differences = "; ".join(
            f"{_words(field)} is {pinned[field]} here and {theirs[field]} there" for field in differing
        )
        return Finding(name, State.FAILS, f"differs: {differences}")
    if not pinned:
        return Finding(name, State.WARNS, "not published: the vendor names the chain but none of the pinned contracts")
    return Finding(name, State.OK, f"agreed: {', '.join(_words(field) for field in pinned)}")


def _words(field: str) -> str:
    return field.replace("_", " ")
