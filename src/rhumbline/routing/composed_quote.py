"""A quote of several upstreams' calls under one signature: a swap, a bridge, and a swap on arrival."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.route import RoutePart
from rhumbline.routing.selection import UNSUPPORTED


@dataclass(frozen=True, slots=True)
class Composition:
    """The parts of a composed quote: ``maker`` makes one transaction of them, with their minimums.

    ``swap`` is the swap before the bridge, ``arrived`` what is done on arrival with its gas; None if there is none.
    """

    maker: Adapter[Any]
    bridge: Quote[Any]
    swap: Quote[Any] | None = None
    arrived: tuple[Quote[Any], int] | None = None


@dataclass(frozen=True, slots=True)
class PartsOnArrival:
    """What is done with ``arrives`` raw units on arrival: ``native`` bought, the rest ``swapped`` into the output.

    None where that is not done.
    """

    arrives: int
    native: Quote[Any] | None
    swapped: Quote[Any] | None

    @property
    def gas_units(self) -> int | None:
        """The exchanges' estimate for both together; None if one has none."""
        units = [each.gas_units for each in (self.native, self.swapped) if each is not None]
        return None if None in units else sum(each or 0 for each in units)


def maker_of(quote: Quote[Any], adapters: Mapping[str, Adapter[Any]]) -> Adapter[Any]:
    """Return what makes a quote's transaction: the adapter of its key, or its composition."""
    return quote.payload.maker if isinstance(quote.payload, Composition) else adapters[quote.adapter]


def parts_of(composed: Composition) -> tuple[RoutePart, ...]:
    """Return what a composed quote does, in its order."""
    arrived = None if composed.arrived is None else composed.arrived[0]
    parts = [composed.swap, composed.bridge, arrived]
    if arrived is not None and isinstance(arrived.payload, PartsOnArrival):
        parts[2:] = [arrived.payload.native, arrived.payload.swapped]
    return tuple(_part(each) for each in parts if each is not None)


def _part(quote: Quote[Any]) -> RoutePart:
    quote_request = quote.request
    return RoutePart(
        quote.adapter,
        quote_request.origin_token,
        quote_request.destination_token,
        quote_request.amount,
        quote.output_amount,
    )


def best_of_each(quotes: tuple[Quote[Any], ...]) -> tuple[Quote[Any], ...]:
    """Return one composed quote of every bridge: the one with the largest output."""
    best: dict[str, Quote[Any]] = {}
    for quote in quotes:
        if isinstance(quote.payload, Composition):
            before = best.setdefault(quote.adapter, quote)
            best[quote.adapter] = max(before, quote, key=lambda each: each.output_amount)
    return tuple(
        quote for quote in quotes if not isinstance(quote.payload, Composition) or quote is best[quote.adapter]
    )


def refusals_of(
    not_asked: tuple[Refusal, ...], quotes: tuple[Quote[Any], ...], refused: tuple[Refusal, ...]
) -> tuple[Refusal, ...]:
    """Return all refusals, without those of bridges that answered in another form."""
    answered = {quote.adapter for quote in quotes} | {refusal.adapter for refusal in refused}
    silent = (each for each in not_asked if each.kind != UNSUPPORTED or each.adapter not in answered)
    return (*silent, *refused)
