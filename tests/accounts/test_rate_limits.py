"""Who is counted as one, and what a count means."""

from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.accounts.counters import LocalCounters
from rhumbline.accounts.rate_limits import RateScope, Tiers, in_words, judge, limit_faults, requester_of, shown
from rhumbline.domain.account import ApiClient
from rhumbline.domain.rate import Limit, WindowCount
from tests.api.api_service import ACME
from tests.api.limited_service import Watch

TIERS = Tiers(Limit(5, 7200), Limit(7, 60))
NOBODY = ApiClient(key_invalid=True)


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_ipv6_addresses_of_one_64_are_one_requester(address: IPv6Address, host: int) -> None:
    neighbour = IPv6Address((int(address) >> 64 << 64) | host)
    stranger = IPv6Address(int(address) ^ (1 << 64))
    if address.ipv4_mapped is None and neighbour.ipv4_mapped is None and stranger.ipv4_mapped is None:
        assert requester_of(NOBODY, str(address)) == requester_of(NOBODY, neighbour.exploded.upper())
        assert requester_of(NOBODY, str(address)) != requester_of(NOBODY, str(stranger))


@given(st.ip_addresses(v=4), st.ip_addresses(v=4))
def test_ipv4_addresses_are_themselves_however_they_are_written(one: IPv4Address, other: IPv4Address) -> None:
    """A socket for both families shows IPv4 clients as ::ffff:a.b.c.d, which are all of one /64."""
    assert requester_of(NOBODY, f"::ffff:{one}") == requester_of(NOBODY, str(one))
    assert (requester_of(NOBODY, f"::ffff:{one}") == requester_of(NOBODY, f"::ffff:{other}")) == (one == other)


@given(st.text())
def test_whatever_a_proxy_says_names_somebody_in_few_words(host: str) -> None:
    assert requester_of(NOBODY, host).startswith("address:")
    assert len(requester_of(NOBODY, host)) <= 80


def test_a_key_is_a_requester_wherever_it_comes_from() -> None:
    assert requester_of(ApiClient(ACME, 7), "203.0.113.1") == requester_of(ApiClient(ACME, 7), None) == "key:7"
    assert requester_of(ApiClient(), None) == requester_of(ApiClient(), "") == "address:none"
    assert requester_of(ApiClient(), "fe80::1%eth0") == "address:fe80::/64"


@pytest.mark.parametrize(
    ("caller", "quotes", "other"),
    [
        (ApiClient(), Limit(5, 7200), Limit(5, 7200)),
        (NOBODY, Limit(5, 7200), Limit(5, 7200)),
        (ApiClient(ACME, 1), Limit(7, 60), Limit(7, 60)),
        (ApiClient(ACME, 1, quote_limit=900), Limit(900, 60), Limit(7, 60)),
        (ApiClient(ACME, 1, other_limit=1), Limit(7, 60), Limit(1, 60)),
    ],
)
def test_tiers(caller: ApiClient, quotes: Limit, other: Limit) -> None:
    assert TIERS.limit_for(caller, RateScope.QUOTES) == quotes
    assert TIERS.limit_for(caller, RateScope.OTHER) == other


@given(st.integers(1, 50), st.integers(1, 100), st.integers(0, 10**7), st.datetimes(timezones=st.just(UTC)))
def test_a_verdict_adds_up(requests: int, count: int, left_ms: int, end: datetime) -> None:
    verdict = judge(Limit(requests, 60), WindowCount(count, end, left_ms))
    assert verdict.ends_at == end
    assert verdict.allowed == (count <= requests)
    assert verdict.remaining == (requests - count if verdict.allowed else 0)
    assert verdict.retry_after_s * 1000 >= left_ms
    assert (verdict.retry_after_s - 1) * 1000 < max(left_ms, 1)


@given(st.datetimes(max_value=datetime(9000, 1, 1), timezones=st.just(UTC)))
def test_an_end_is_shown_to_the_millisecond_and_never_too_early(end: datetime) -> None:
    assert shown(end).microsecond % 1000 == 0
    assert timedelta(0) <= shown(end) - end < timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit(200, 7200), "200 requests in 2 hours"),
        (Limit(1, 3600), "1 request in 1 hour"),
        (Limit(9, 60), "9 requests in 1 minute"),
        (Limit(9, 90), "9 requests in 90 seconds"),
    ],
)
def test_limits_in_words(limit: Limit, words: str) -> None:
    assert in_words(limit) == words


def test_senseless_limits_are_named() -> None:
    assert limit_faults(None, None) == limit_faults(1, 1_000_000) == ()
    assert [fault.partition(":")[0] for fault in limit_faults(0, 1_000_001)] == ["quote_limit", "other_limit"]
    assert limit_faults(-1, None) == ("quote_limit: must be between 1 and 1000000 requests a minute",)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 40)), max_size=60))
def test_windows_are_fixed_from_the_first_request(requests: list[tuple[str, float]]) -> None:
    """Against the rule written out: a request belongs to the window of the first one that no window held."""
    watch = Watch()
    counters = LocalCounters(watch)
    began: dict[str, tuple[datetime, int]] = {}
    for key, wait in requests:
        watch.move(seconds=wait)
        first, count = began.get(key, (watch.now, 0))
        if counters.take(key, 60).count == 1 and count:
            assert watch.now >= first + timedelta(seconds=60)
            first, count = watch.now, 0
        else:
            assert watch.now < first + timedelta(seconds=60)
        began[key] = (first, count + 1)
        seen = counters.take(key, 60)
        began[key] = (first, count + 2)
        assert seen.count == count + 2
        assert seen.ends_at == first + timedelta(seconds=60)


def test_the_end_is_the_first_moment_of_a_new_window() -> None:
    watch = Watch()
    counters = LocalCounters(watch)
    end = counters.take("a", 60).ends_at
    watch.now = end - timedelta(microseconds=1)
    assert counters.take("a", 60) == WindowCount(2, end, 1)
    watch.now = end
    assert counters.take("a", 60) == WindowCount(1, end + timedelta(seconds=60), 60_000)


def test_memory_is_bounded_and_what_is_over_goes_first() -> None:
    watch = Watch()
    counters = LocalCounters(watch, size=10)
    for number in range(1000):
        counters.take(f"address:{number}", 7200)
        counters.take("key:1", 60)
    assert len(counters) == 11
    assert counters.take("address:999", 7200).count == 2
    assert counters.take("address:0", 7200).count == 1
    assert counters.take("key:1", 60).count == 1001
    watch.move(hours=3)
    for number in range(10):
        counters.take(f"new:{number}", 7200)
    assert len(counters) == 11
    counters = LocalCounters(watch)
    for number in range(100):
        counters.take(str(number), 60)
    watch.move(minutes=2)
    for number in range(100, 150):
        counters.take(str(number), 60)
    assert len(counters) == 50
