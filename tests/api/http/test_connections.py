"""How many connections there may be, who has to make place, and who is refused."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.http.connections import OWN, Bounds, Place, Places, bounds_for
from rhumbline.api.server.listener import CannotListen, connection_bounds

FAR = "203.0.113.{}"


@dataclass
class Client:
    """A connection that is idle since some time, or in use; what it was told is kept."""

    since: float | None
    gone: list[float | None] = field(default_factory=list)

    def idle_since(self) -> float | None:
        return self.since

    def let_go(self) -> None:
        self.gone.append(self.since)


def come(places: Places, host: str, since: float | None = None) -> tuple[Place, Client]:
    place = places.take(host)
    assert place is not None
    client = Client(since)
    place.occupant = client
    return place, client


@given(st.integers(35, 10**6))
def test_the_rest_of_the_process_keeps_descriptors(descriptors: int) -> None:
    bounds = bounds_for(descriptors)
    assert 1 <= bounds.per_address <= bounds.total <= 10_000
    assert descriptors - 2 * (bounds.total + OWN) >= min(512, descriptors // 2)


def test_a_bound_that_the_process_cannot_keep_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^server\.connections: 34 open files leave no room for any; .*ulimit"):
        bounds_for(34)
    assert bounds_for(1024, 200, 3) == Bounds(200, 3)
    with pytest.raises(ValueError, match=r"^server\.connections: 1024 open files leave room for 248; .*ulimit"):
        bounds_for(1024, 249)
    with pytest.raises(CannotListen, match=r"^server\.connections: "):
        connection_bounds(10**6)


def test_one_address_does_not_take_the_places_of_others() -> None:
    places = Places(Bounds(10, 2), lambda host: host == "198.51.100.1")
    for _ in range(2):
        come(places, FAR.format(1))
    assert places.take(FAR.format(1)) is None
    assert places.take("::ffff:203.0.113.1") is None
    come(places, FAR.format(2))
    for _ in range(3):
        come(places, "198.51.100.1")
    assert (places.open, dict(places.refused)) == (6, {"all": 0, "address": 2})


def test_an_ipv6_network_is_one() -> None:
    places = Places(Bounds(10, 1))
    come(places, "2001:db8::1")
    assert places.take("2001:db8::ffff:1") is None
    come(places, "2001:db8:0:1::1")


def test_the_longest_idle_makes_place_and_who_is_served_stays() -> None:
    places = Places(Bounds(3, 3))
    clients = [come(places, FAR.format(number), since)[1] for number, since in enumerate((None, 7.0, 5.0))]
    come(places, FAR.format(9))
    assert [client.gone for client in clients] == [[], [], [5.0]]
    come(places, FAR.format(9))
    assert [client.gone for client in clients] == [[], [7.0], [5.0]]
    assert places.take(FAR.format(9)) is None
    assert (places.open, places.closed_idle, dict(places.refused)) == (3, 2, {"all": 1, "address": 0})


def test_an_address_makes_place_for_itself_alone() -> None:
    places = Places(Bounds(9, 2))
    other = come(places, FAR.format(2), 1.0)[1]
    mine = [come(places, FAR.format(1), since)[1] for since in (3.0, None)]
    come(places, FAR.format(1))
    assert (other.gone, mine[0].gone, mine[1].gone) == ([], [3.0], [])


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_finds_a_place_when_all_are_taken(host: str) -> None:
    places = Places(Bounds(2, 99))
    for number in range(2):
        come(places, FAR.format(number))
    assert places.take(FAR.format(3)) is None
    for _ in range(OWN):
        come(places, host)
    assert places.take(host) is None


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.booleans()), max_size=60))
def test_no_bound_is_ever_passed_and_no_place_is_lost(events: list[tuple[int, bool, bool]]) -> None:
    places, held = Places(Bounds(6, 3)), list[tuple[int, Place]]()
    for time, (number, is_idle, leaves) in enumerate(events):
        if leaves and held:
            place = held.pop(0)[1]
            place.free()
            place.free()
            continue
        taken = places.take(FAR.format(number))
        if taken is not None:
            taken.occupant = Client(float(time) if is_idle else None)
            held.append((number, taken))
        held = [(of, place) for of, place in held if place.occupant is not None]
        assert places.open == len(held) <= 6
        assert max([sum(of == one for of, _ in held) for one in range(4)]) <= 3
    for _, place in held:
        place.free()
    assert places.open == 0


def idle(place: Place) -> bool:
    return place.occupant is None or place.occupant.idle_since() is not None
