"""A quote of several upstreams' calls under one signature: a swap, a bridge, and a swap of what the bridge pays."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.routing.selection import UNSUPPORTED


@dataclass(frozen=True, slots=True)
class Composition:
    """What a composed quote is made of: ``maker`` makes its transaction, of all parts with their minima.

    ``swap`` is what goes before the bridge, ``arrived`` the swap of what it pays, with the gas that swap gets; None
    where there is none.
    """

    maker: Adapter[Any]
    bridge: Quote[Any]
    swap: Quote[Any] | None = None
    arrived: tuple[Quote[Any], int] | None = None


def maker_of(quote: Quote[Any], adapters: Mapping[str, Adapter[Any]]) -> Adapter[Any]:
    """Return who makes a quote's transaction: the adapter of its key, or whoever composed it."""
    return quote.payload.maker if isinstance(quote.payload, Composition) else adapters[quote.adapter]


def best_of_each(quotes: tuple[Quote[Any], ...]) -> tuple[Quote[Any], ...]:
    """Leave one composed quote of every bridge: the one that promises most."""
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
    """Return all refusals, but not that a bridge does not serve what it was asked for in another way."""
    asked = {quote.adapter for quote in quotes} | {refusal.adapter for refusal in refused}
    silent = (each for each in not_asked if each.kind != UNSUPPORTED or each.adapter not in asked)
    return (*silent, *refused)
