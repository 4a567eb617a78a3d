"""Which adapters are asked, and why the others are not. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rhumbline.domain.adapter import Adapter, Capability
from rhumbline.domain.pauses import Pauses, adapter_reason
from rhumbline.domain.quote import QuoteRequest, Refusal
from rhumbline.domain.route import AdapterFilter, RouteRequest

DISABLED = "disabled"
EXCLUDED = "excluded"
UNSUPPORTED = "unsupported"
NOT_ASKED = frozenset({DISABLED, EXCLUDED, UNSUPPORTED})
"""Kinds of refusal of adapters that were not asked at all."""


@dataclass(frozen=True, slots=True)
class Ask:
    """An adapter and the form of its request."""

    adapter: Adapter[Any]
    request: QuoteRequest


@dataclass(frozen=True, slots=True)
class Selection:
    """The adapters to ask, in the order of their keys, and a refusal for each of the others."""

    asks: tuple[Ask, ...]
    refusals: tuple[Refusal, ...]


def select(
    adapters: Iterable[Adapter[Any]], forms: Sequence[QuoteRequest], choice: AdapterFilter, pauses: Pauses
) -> Selection:
    """Choose the adapters and their form: ``forms`` are equivalent, the best first. ``pauses`` are the operator's.

    The exchange filters govern swaps on one chain, the bridge filters transfers across chains; an adapter that does
    both answers to the one that governs the request. An exclusion wins over an inclusion.
    """
    request = forms[0]
    crossing = request.origin.id != request.destination.id
    included = choice.include_bridges if crossing else choice.include_exchanges
    excluded = choice.exclude_bridges if crossing else choice.exclude_exchanges
    known = {adapter.info.key: adapter for adapter in adapters}
    chosen: list[Ask] = []
    refusals: list[Refusal] = []
    for _, adapter in sorted(known.items()):
        refusal = _refusal(adapter, crossing=crossing, included=included, excluded=excluded)
        refusal = refusal or _paused(adapter, request, pauses) or _refunds_others(adapter, request)
        if refusal is not None:
            refusals.append(refusal)
        elif (lacking := _lacking_there(adapter, request)) is not None:
            refusals.append(Refusal(adapter.info.key, UNSUPPORTED, lacking))
        elif (form := next((form for form in forms if _serves(adapter, form)), None)) is not None:
            chosen.append(Ask(adapter, form))
        else:
            refusals.append(Refusal(adapter.info.key, UNSUPPORTED, "does not serve these chains or tokens"))
    for key in sorted((included or frozenset()) - known.keys()):
        refusals.append(Refusal(key, DISABLED, "is not available here: see /v1/tools"))
    return Selection(tuple(chosen), tuple(refusals))


def _refusal(
    adapter: Adapter[Any], *, crossing: bool, included: frozenset[str] | None, excluded: frozenset[str]
) -> Refusal | None:
    key = adapter.info.key
    if adapter.info.capability is (Capability.EXCHANGE if crossing else Capability.BRIDGE):
        lacking = "does not move tokens across chains" if crossing else "does not swap on one chain"
        return Refusal(key, UNSUPPORTED, lacking)
    if key in excluded:
        return Refusal(key, EXCLUDED, "is excluded by the request")
    if included is not None and key not in included:
        return Refusal(key, EXCLUDED, "is not among those that the request includes")
    return None


def _lacking_there(adapter: Adapter[Any], request: QuoteRequest) -> str | None:
    """Return what of the wanted an adapter cannot do on arrival by itself; None if nothing is lacking."""
    if request.calls_on_arrival:
        return "cannot make a call where it delivers"
    if request.destination_gas and request.origin.type not in adapter.info.gas_from:
        return "cannot bring native of the destination with a transfer"
    return None


def _paused(adapter: Adapter[Any], request: QuoteRequest, pauses: Pauses) -> Refusal | None:
    if not pauses.each:
        return None
    pause = pauses.of(adapter.info.key, request.origin.id, request.destination.id)
    if pause is None or not _connects(adapter, request):
        return None
    chains = {chain.id: chain.name for chain in (request.origin, request.destination)}
    return Refusal(adapter.info.key, DISABLED, adapter_reason(pause, chains))


def _refunds_others(adapter: Adapter[Any], request: QuoteRequest) -> Refusal | None:
    """Refuse a bridge that cannot be told whom to refund, or whose refund's receiver cannot be checked."""
    if request.refund_to is None or request.origin.type in adapter.info.refunds_named:
        return None
    why = adapter.info.refunds_bound and f" ({adapter.info.refunds_bound})"
    reason = f"cannot refund a named address from {request.origin.name}{why}: leave refundTo out to use it"
    return Refusal(adapter.info.key, UNSUPPORTED, reason)


def _connects(adapter: Adapter[Any], request: QuoteRequest) -> bool:
    chains = adapter.info.chains
    return request.origin.id in chains and request.destination.id in chains


def _serves(adapter: Adapter[Any], request: QuoteRequest) -> bool:
    return _connects(adapter, request) and adapter.supports(request)


def only(request: RouteRequest, adapter: str) -> AdapterFilter:
    """Permit one adapter; before a bridge, permitted exchanges may still swap in the same transaction."""
    one = frozenset({adapter})
    if request.origin.id == request.destination.id:
        return AdapterFilter(include_exchanges=one)
    return replace(request.adapters, include_bridges=one, exclude_bridges=frozenset())
