"""Ways that a plan of several steps may take: through tokens that bridges carry. Pure.

A way goes by way of an anchor, an asset that both chains have under one coin key: first the stable coin that most
bridges carry, then the origin's native asset. So the work is bounded, whatever is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rhumbline.domain.chain import Chain
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token

ANCHORS = ("USDC", "USDT", "ETH")
"""Coin keys, in the order in which they are tried."""
MOST_ANCHORS = 2

Listed = Callable[[Chain, str], Token | None]
"""Finds a listed token of a chain by its coin key or symbol."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One step of a way: from a token of one chain to a token of the same or of another."""

    origin: Chain
    destination: Chain
    sold: Token
    bought: Token


@dataclass(frozen=True, slots=True)
class Shape:
    """A way in two or three legs, of which one goes to the other chain."""

    legs: tuple[Leg, ...]


def shapes(request: RouteRequest, sold: Token, bought: Token, listed: Listed) -> tuple[Shape, ...]:
    """Return the ways for a request to another chain, none where one step does or no anchor is there."""
    here, there = request.origin, request.destination
    if here.id == there.id:
        return ()
    found: list[Shape] = []
    for near, far in anchors(here, there, listed):
        first = () if near.address == sold.address else (Leg(here, here, sold, near),)
        last = () if far.address == bought.address else (Leg(there, there, far, bought),)
        if first or last:
            found.append(Shape((*first, Leg(here, there, near, far), *last)))
    return tuple(dict.fromkeys(found))


def anchors(here: Chain, there: Chain, listed: Listed) -> list[tuple[Token, Token]]:
    """Return pairs of one asset on both chains, the best carried first."""
    keys = [*ANCHORS, *(key for key in (here.native.coin_key,) if key is not None and key not in ANCHORS)]
    pairs = []
    for key in keys:
        near, far = listed(here, key), listed(there, key)
        if near is not None and far is not None and near.coin_key == far.coin_key == key:
            pairs.append((near, far))
    return pairs[:MOST_ANCHORS]
