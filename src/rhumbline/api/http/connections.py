"""The limits of connections, in total and per address.

Descriptors must be left for the store, nodes and upstreams, and one client must not keep out the others. If there is no
place, idle connections are closed, the longest idle first; a client that keeps one open must be ready for that (RFC
9112, 9.5). If all are in use, the new one is refused.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from types import MappingProxyType
from typing import Protocol

from rhumbline.accounts.rate_limits import network_of

MOST = 10_000
MOST_OF_ADDRESS = 256
OWN = 8
"""Connections reserved for this machine, so that an operator can always reach the service."""
_DESCRIPTORS_KEPT = 512
_OF_EACH = 2
"""A connection has a descriptor, and another one after it was sent a large body."""
_MADE_AT_ONCE = 32


class Occupant(Protocol):
    """A counted connection."""

    def idle_since(self) -> float | None:
        """Return since when it has been idle, None while it is in use; comparable among several."""
        ...

    def let_go(self) -> None:
        """End it now."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of connections, in total and per address (for IPv6 per /64)."""

    total: int
    per_address: int


def bounds_for(descriptors: int, total: int | None = None, per_address: int | None = None) -> Bounds:
    """Return the limits of a process with so many descriptors; None leaves a limit to be chosen.

    At least half of the descriptors, up to 512, are kept for everything else. Raise ValueError, which names the
    setting and the remedy, for a total that the rest does not hold.
    """
    room = (descriptors - min(_DESCRIPTORS_KEPT, descriptors // 2)) // _OF_EACH - OWN
    if room < 1:
        raise ValueError(f"server.connections: {descriptors} open files leave no room for any; raise `ulimit -n`")
    if total is not None and total > room:
        raise ValueError(
            f"server.connections: {descriptors} open files leave room for {room}; lower it, or raise `ulimit -n`"
        )
    most = min(MOST, room) if total is None else total
    return Bounds(most, min(MOST_OF_ADDRESS, max(1, most // 4)) if per_address is None else per_address)


class Place:
    """One connection's place in the count; ``occupant`` is set once it can say whether it is idle."""

    __slots__ = ("_address", "_places", "occupant")

    def __init__(self, places: "Places", address: str) -> None:
        self._places: Places | None = places
        self._address = address
        self.occupant: Occupant | None = None

    def free(self) -> None:
        """Give the place back; once is enough, and more does no harm."""
        places, self._places, self.occupant = self._places, None, None
        if places is not None:
            places.left(self._address, self)


class Places:
    """The counted connections of one listener. Everything happens on the event loop."""

    __slots__ = ("_bounds", "_by_address", "_is_proxy", "_refused", "closed_idle", "open")

    def __init__(self, bounds: Bounds, is_proxy: Callable[[str], bool] = lambda host: False) -> None:
        """Begin without connections; those of a proxy, which many clients share, are bounded in all only."""
        self._bounds = bounds
        self._is_proxy = is_proxy
        self._by_address: dict[str, set[Place]] = {}
        self.open = 0
        # How many were ended to make place for others.
        self.closed_idle = 0
        self._refused = {"all": 0, "address": 0}

    @property
    def refused(self) -> Mapping[str, int]:
        """How many were refused, by the bound that they met: ``all`` or ``address``."""
        return MappingProxyType(self._refused)

    def take(self, host: str) -> Place | None:
        """Return a place for a connection from ``host``; None if there is none."""
        address = network_of(host)
        here = self._by_address.get(address, set())
        if len(here) >= self._bounds.per_address and not self._is_proxy(host) and not self._make_place(here, 1):
            self._refused["address"] += 1
            return None
        most = self._bounds.total + (OWN if _is_local(address) else 0)
        if self.open >= most and not self._make_place(self.all(), _MADE_AT_ONCE):
            self._refused["all"] += 1
            return None
        place = Place(self, address)
        self._by_address.setdefault(address, set()).add(place)
        self.open += 1
        return place

    def left(self, address: str, place: Place) -> None:
        here = self._by_address[address]
        here.remove(place)
        if not here:
            del self._by_address[address]
        self.open -= 1

    def all(self) -> Iterable[Place]:
        return (place for here in self._by_address.values() for place in here)

    def _make_place(self, among: Iterable[Place], most: int) -> bool:
        idle = [
            (since, id(place), place)
            for place in among
            if place.occupant is not None and (since := place.occupant.idle_since()) is not None
        ]
        # Several at once, otherwise each new connection would require another search; never more than a part of all.
        for _, _, place in heapq.nsmallest(max(1, min(most, len(idle) // 8)), idle):
            occupant = place.occupant
            place.free()
            self.closed_idle += 1
            if occupant is not None:
                occupant.let_go()
        return bool(idle)


def _is_local(address: str) -> bool:
    try:
        return ip_address(address.partition("/")[0]).is_loopback or address == "::/64"
    except ValueError:
        return False
