"""How well an endpoint answers of late, and what it cannot do, by a clock that a test sets."""

from rhumbline.gateways.nodes.endpoint import LACKING_FOR_S, Endpoint, EndpointTerms, Lack, Use
from tests.clocks import Seconds


def made() -> tuple[Endpoint[None], Seconds]:
    clock = Seconds(0.0)
    return Endpoint(None, EndpointTerms("1"), clock), clock


def test_a_failure_is_none() -> None:
    endpoint, _ = made()
    endpoint.failed()
    assert not endpoint.failing


def test_however_well_it_was_before_four_failures_are_too_many() -> None:
    endpoint, _ = made()
    for _ in range(1000):
        endpoint.answered("eth_call", 0.1)
    for _ in range(4):
        assert not endpoint.failing
        endpoint.failed()
    assert endpoint.failing


def test_however_long_it_failed_it_is_tried_again_after_a_minute_or_so() -> None:
    endpoint, clock = made()
    for _ in range(1000):
        endpoint.failed()
    clock.now = 60
    assert endpoint.failing
    clock.now = 90
    assert not endpoint.failing


def test_who_answers_every_third_call_stays_failing() -> None:
    endpoint, clock = made()
    for _ in range(20):
        endpoint.failed()
        endpoint.failed()
        endpoint.answered("eth_call", 0.1)
        clock.now += 5
        assert endpoint.failing


def test_what_it_cannot_is_known_for_one_use_and_ten_minutes() -> None:
    endpoint, clock = made()
    endpoint.cannot(Use.SIMULATION, "eth_simulateV1", Lack.METHOD)
    assert endpoint.lacks(Use.SIMULATION, "eth_simulateV1") is Lack.METHOD
    assert endpoint.lacks(Use.QUOTES, "eth_simulateV1") is None
    assert endpoint.lacks(Use.SIMULATION, "eth_call") is None
    clock.now = LACKING_FOR_S
    assert endpoint.lacks(Use.SIMULATION, "eth_simulateV1") is None


def test_a_passing_refusal_is_a_failure() -> None:
    endpoint, _ = made()
    for _ in range(4):
        endpoint.cannot(Use.QUOTES, "eth_call", Lack.NOW)
    assert endpoint.failing
    assert endpoint.lacks(Use.QUOTES, "eth_call") is None


def test_latency_goes_by_the_method() -> None:
    endpoint, _ = made()
    for _ in range(50):
        endpoint.answered("eth_simulateV1", 0.8)
        endpoint.answered("eth_chainId", 0.02)
    assert abs(endpoint.latency_s("eth_simulateV1") - 0.8) < 0.01
    assert abs(endpoint.latency_s("eth_chainId") - 0.02) < 0.01
