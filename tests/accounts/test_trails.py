"""Trails wait for the store in bounds, and whoever is answered never waits for them."""

from rhumbline.accounts.trails import MOST_WAITING, Trails
from rhumbline.domain.account import ApiClient
from tests.api.api_service import ACME
from tests.clocks import Clock


def test_a_trail_says_who_asked_and_never_with_which_key(clock: Clock) -> None:
    trails = Trails(clock)
    known = trails.begin("one", "/v1/quotes", ApiClient(ACME, 7))
    anonymous = trails.begin("two", "/v1/quotes", ApiClient())
    assert (known.at, known.integrator, known.key_id) == (clock(), "Acme", 7)
    assert (anonymous.integrator, anonymous.key_id) == (None, None)
    assert trails.take(10) == [], "what has not ended is not kept"


def test_too_many_are_dropped_and_counted(clock: Clock) -> None:
    trails = Trails(clock)
    made = [trails.begin(str(number), "/v1/quotes", ApiClient()) for number in range(MOST_WAITING + 3)]
    for trail in made:
        trails.keep(trail)
    assert trails.dropped == 3
    first = trails.take(2)
    assert first == made[:2]
    trails.keep(made[-1])
    trails.give_back(first)
    assert trails.dropped == 4, "the older of the two has no place any more"
    assert trails.take(MOST_WAITING) == [*made[1:MOST_WAITING], made[-1]]
