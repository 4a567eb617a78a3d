"""Room to count a request at once: counted there or by the general way, the numbers are the same."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import RateScope, Tiers
from rhumbline.domain.account import ApiClient, KeyScope, KeyTerms
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import Limit, WindowCount
from rhumbline.gateways.redis.counters import redis_counters
from tests.api.api_service import ACME
from tests.api.limited_service import TIERS, Watch
from tests.redis_fixture import RedisServer

FEW = Tiers(Limit(5, 60), Limit(7, 60))
CALLERS = (ApiClient(), ApiClient(ACME, 1), ApiClient(ACME, 2, other_limit=2), ApiClient(key_invalid=True))
OWNERS = tuple(ApiClient(ACME, number, owner=f"0x{number // 2}") for number in range(2, 12))
"""Keys that five wallets have made, two each."""
IN_PAGES = KeyTerms(frozenset({KeyScope.QUOTES}), ("https://app.example",), (), in_browsers=True)
FOR_BROWSERS = (ApiClient(ACME, 20, terms=IN_PAGES), ApiClient(ACME, 21, owner="0x0", terms=IN_PAGES))
ASKING = CALLERS + OWNERS[:4] + FOR_BROWSERS


@given(
    st.lists(
        st.tuples(st.sampled_from(ASKING), st.sampled_from([0, 1, 59, 60, 7200]), st.booleans()),
        max_size=60,
    )
)
async def test_whoever_counts_the_count_is_the_same(asked: list[tuple[ApiClient, int, bool]]) -> None:
    watch, tiers = Watch(), Tiers(Limit(3, 7200), Limit(4, 60))
    quick, general = (Limiter(tiers, LocalCounters(watch)) for _ in range(2))
    for caller, seconds, is_quick in asked:
        watch.move(seconds=seconds)
        verdict = await general.take(caller, "203.0.113.1", RateScope.OTHER)
        room = quick.room(caller, "203.0.113.1", RateScope.OTHER) if is_quick else None
        if room is None:
            assert await quick.take(caller, "203.0.113.1", RateScope.OTHER) == verdict
        else:
            assert verdict.allowed
            assert (room.most, room.ends_at) == (verdict.limit.requests, verdict.ends_at)
            assert room.take() == verdict.remaining


async def test_to_look_for_room_counts_nothing_and_begins_nothing() -> None:
    limiter = Limiter(TIERS, LocalCounters(Watch()))
    for _ in range(300):
        assert limiter.room(ApiClient(), "203.0.113.1", RateScope.OTHER) is None
    assert (await limiter.take(ApiClient(), "203.0.113.1", RateScope.OTHER)).remaining == 199
    for _ in range(300):
        assert limiter.room(ApiClient(), "203.0.113.1", RateScope.OTHER) is not None
    assert (await limiter.take(ApiClient(), "203.0.113.1", RateScope.OTHER)).remaining == 198


class Elsewhere:
    """Counters that another process shares."""

    async def take(self, key: str, window_s: int, /) -> WindowCount:
        return WindowCount(1, Watch()(), 1000)

    async def peek(self, key: str, /) -> WindowCount | None:
        return None

    async def ping(self) -> None:
        return


async def test_shared_counts_cannot_be_had_at_once() -> None:
    limiter = Limiter(TIERS, LocalCounters(Watch()), Elsewhere())
    await limiter.take(ApiClient(), "203.0.113.1", RateScope.OTHER)
    assert limiter.room(ApiClient(), "203.0.113.1", RateScope.OTHER) is None


async def test_looking_counts_nothing() -> None:
    await looked(Limiter(FEW, LocalCounters(system_clock)))


async def looked(limiter: Limiter) -> None:
    assert await limiter.look(ApiClient(key_id=3, quote_limit=9), RateScope.QUOTES) == (Limit(9, 60), None)
    for _ in range(3):
        verdict = await limiter.take(ApiClient(key_id=3, quote_limit=9), "127.0.0.1", RateScope.QUOTES)
    for _ in range(2):
        limit, window = await limiter.look(ApiClient(key_id=3, quote_limit=9), RateScope.QUOTES)
        assert window is not None
        assert (limit.requests, window.count) == (9, 3)
        assert abs((window.ends_at - verdict.ends_at).total_seconds()) < 1
    assert await limiter.look(ApiClient(key_id=3, quote_limit=9), RateScope.OTHER) == (Limit(7, 60), None)
    assert (await limiter.take(ApiClient(key_id=3, quote_limit=9), None, RateScope.QUOTES)).remaining == 5


async def test_looking_counts_nothing_in_redis(redis_server: RedisServer) -> None:
    async with redis_counters(redis_server.url) as shared:
        await looked(Limiter(FEW, LocalCounters(system_clock), shared))


async def test_without_redis_the_own_counts_are_shown(redis_server: RedisServer) -> None:
    async with redis_counters(redis_server.url) as shared:
        limiter = Limiter(FEW, LocalCounters(system_clock), shared)
        await limiter.take(ApiClient(key_id=3, quote_limit=9), None, RateScope.QUOTES)
        await redis_server.kill()
        _, window = await limiter.look(ApiClient(key_id=3, quote_limit=9), RateScope.QUOTES)
        assert window is not None
        assert window.count == 1


async def passed(limiter: Limiter, caller: ApiClient, host: str, most: int) -> int:
    """Send as many requests as ``most``; return how many passed."""
    return sum([(await limiter.take(caller, host, RateScope.QUOTES)).allowed for _ in range(most)])


async def test_all_keys_of_an_owner_have_one_limit() -> None:
    limiter = Limiter(Tiers(Limit(3, 7200), Limit(4, 60)), LocalCounters(Watch()))
    assert [await passed(limiter, key, "203.0.113.1", 5) for key in OWNERS[:2]] == [4, 0]
    granted = ApiClient(ACME, 3, owner="0x1", quote_limit=6)
    assert await passed(limiter, granted, "203.0.113.1", 9) == 6, "the operator gave this one a limit of its own"
    assert await passed(limiter, ApiClient(ACME, 99), "203.0.113.1", 9) == 4, "and made this one"


async def test_one_address_has_the_limits_of_a_few_owners() -> None:
    """Wallets cost nothing: whoever makes many has no more for it."""
    watch = Watch()
    limiter = Limiter(Tiers(Limit(3, 7200), Limit(4, 60), owners_per_address=2), LocalCounters(watch))
    assert sum([await passed(limiter, key, "203.0.113.1", 5) for key in OWNERS]) == 8
    assert await passed(limiter, ApiClient(ACME, 99, owner="0x9"), "203.0.113.2", 5) == 4
    refused = await limiter.take(ApiClient(ACME, 98, owner="0x8"), "203.0.113.1", RateScope.QUOTES)
    assert (refused.allowed, refused.limit.requests) == (False, 8)
    watch.move(seconds=60)
    assert sum([await passed(limiter, key, "203.0.113.1", 5) for key in OWNERS]) == 8


async def test_one_visitor_does_not_use_up_a_key_that_everybody_sees() -> None:
    """An address has a quarter of its limit; what is beyond counts nothing for the others."""
    limiter, key = Limiter(Tiers(Limit(5, 7200), Limit(8, 60)), LocalCounters(Watch())), FOR_BROWSERS[0]
    greedy = [await limiter.take(key, "203.0.113.1", RateScope.QUOTES) for _ in range(50)]
    assert [verdict.allowed for verdict in greedy] == [True, True] + [False] * 48
    assert (greedy[-1].limit, greedy[-1].remaining) == (Limit(2, 60), 0)
    others = [await limiter.take(key, f"203.0.113.{2 + number // 2}", RateScope.QUOTES) for number in range(8)]
    assert [verdict.remaining for verdict in others] == [5, 4, 3, 2, 1, 0, 0, 0]
    assert [verdict.allowed for verdict in others] == [True] * 6 + [False] * 2
    assert (await limiter.take(ApiClient(ACME, 1), "203.0.113.1", RateScope.QUOTES)).remaining == 7
    few = ApiClient(ACME, 22, quote_limit=2, terms=IN_PAGES)
    assert (await limiter.take(few, "203.0.113.1", RateScope.QUOTES)).allowed, "some is never nothing"


async def test_keys_for_browsers_that_owners_made_are_bounded_together_as_well() -> None:
    limiter = Limiter(Tiers(Limit(5, 7200), Limit(8, 60), owners_per_address=1), LocalCounters(Watch()))
    keys = [ApiClient(ACME, number, owner=f"0x{number}", terms=IN_PAGES) for number in range(9)]
    taken = [await limiter.take(key, "203.0.113.1", RateScope.QUOTES) for key in keys for _ in range(2)]
    assert sum(verdict.allowed for verdict in taken) == 8
