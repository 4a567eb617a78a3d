"""The possible legs of a plan of several steps, through tokens that bridges carry. Pure.

Each path goes through an anchor, an asset that both chains have under one coin key: first the stablecoins that most
bridges carry, then the origin's native asset and its wrapped form. So the work is bounded for any request.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rhumbline.domain.chain import Chain
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token

STABLE, ETHER = ("USDC", "USDT"), "ETH"
"""Coin keys that bridges carry from every chain."""
MOST_ANCHORS = 2
"""How many are tried within one transaction, where every bridge is asked for each of them in every quote."""
MOST_WAYS = 4
"""How many are tried in routes of several steps: both stable coins, the native asset, its wrapped form."""

Listed = Callable[[Chain, str], Token | None]
"""Finds a listed token of a chain by its coin key or symbol."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg of a route: from a token of one chain to a token of the same or of another."""

    origin: Chain
    destination: Chain
    sold: Token
    bought: Token

    @property
    def crosses(self) -> bool:
        return self.origin.id != self.destination.id


@dataclass(frozen=True, slots=True)
class Shape:
    """A route in two or three legs, one of which goes to the other chain."""

    legs: tuple[Leg, ...]


def shapes(request: RouteRequest, sold: Token, bought: Token, listed: Listed) -> tuple[Shape, ...]:
    """Return the ways for a request to another chain, none where one step does or no anchor is there."""
    here, there = request.origin, request.destination
    if here.id == there.id:
        return ()
    found: list[Shape] = []
    for near, far in anchors(here, there, listed, MOST_WAYS):
        first = () if near.address == sold.address else (Leg(here, here, sold, near),)
        last = () if far.address == bought.address else (Leg(there, there, far, bought),)
        if first or last:
            found.append(Shape((*first, Leg(here, there, near, far), *last)))
    return tuple(dict.fromkeys(found))


def anchors(here: Chain, there: Chain, listed: Listed, most: int = MOST_ANCHORS) -> list[tuple[Token, Token]]:
    """Return at most so many pairs of one asset on both chains, the most common first."""
    wrapped = None if here.wrapped_native is None else listed(here, here.wrapped_native)
    own = (here.native.coin_key, ETHER, None if wrapped is None else wrapped.coin_key)
    pairs = []
    for key in dict.fromkeys((*STABLE, *(key for key in own if key is not None))):
        near, far = listed(here, key), listed(there, key)
        if near is not None and far is not None and near.coin_key == far.coin_key == key:
            pairs.append((near, far))
    return pairs[:most]
