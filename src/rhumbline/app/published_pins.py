"""Whether what adapters have pinned is what vendors publish of themselves: ``rhumbline doctor --pins``."""

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
    """Ask the vendor of each adapter that is on, once, and compare what it says with the pins of each served chain.

    A finding begins with what was found: agreed, differs, not published, or could not be asked. Only a difference
    fails. Adapters that share their deployments count once; what a vendor says is believed by nobody else.
    """
    served = [each.chain for each in chains.evm]
    asking, seen = [], set[type[Any]]()
    for spec in switched_on(settings, specs):
        places = deployments_of(spec, settings)
        here = [chain for chain in served if chain.id in places]
        if here and spec.deployment not in seen:
            seen.add(spec.deployment)
            asking.append(_compared(spec, settings, chains, here, places))
    return [finding for findings in await asyncio.gather(*asking) for finding in findings]


async def _compared(
    spec: AdapterSpec[Any], settings: Settings, chains: Chains, here: Sequence[Chain], places: Mapping[int, Any]
) -> list[Finding]:
    name = f"published {spec.key}"
    if spec.published is None:
        return [Finding(name, State.OK, "not published: no endpoint says anything of what is pinned")]
    try:
        async with AsyncExitStack() as stack:
            said = await spec.published(await parts_of(spec, settings, chains, stack))
    except AdapterError as error:
        return [Finding(name, State.WARNS, f"could not be asked: {error.reason}")]
    return [_finding(f"{name} {chain.key}", places[chain.id], chain.id, said) for chain in here]


def _finding(name: str, place: object, chain_id: int, published: Published) -> Finding:
    said = published.get(chain_id)
    if said is None:
        return Finding(name, State.WARNS, "not published: the vendor does not name the chain")
    # What is not pinned is not used, so nothing can be wrong with it.
    pinned = {field: str(pin) for field in said if (pin := getattr(place, field))}
    differing = [field for field, pin in pinned.items() if pin.lower() != said[field].lower()]
    if differing:
        told = "; ".join(f"{_words(field)} is {pinned[field]} here and {said[field]} there" for field in differing)
        return Finding(name, State.FAILS, f"differs: {told}")
    if not pinned:
        return Finding(name, State.WARNS, "not published: the vendor names the chain, and nothing that is pinned")
    return Finding(name, State.OK, f"agreed: {', '.join(_words(field) for field in pinned)}")


def _words(field: str) -> str:
    return field.replace("_", " ")
