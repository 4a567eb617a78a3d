"""Builds the counters of requests from the settings."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from rhumbline.accounts.counters import Limiter, LocalCounters, SharedCounters
from rhumbline.accounts.rate_limits import CUSTOM_WINDOW_S, Tiers
from rhumbline.app.sections import LimitSettings
from rhumbline.app.settings import SettingsError
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.rate import Limit

_DAY_S = 86_400

if TYPE_CHECKING:
    from rhumbline.gateways.redis.counters import RedisCounters


@asynccontextmanager
async def open_shared(settings: LimitSettings) -> AsyncIterator["RedisCounters | None"]:
    """Open the store that several processes share, if configured; raise SettingsError for an invalid URL."""
    if settings.redis_url is None:
        yield None
        return
    # The library takes half a second to load; who does not need it starts without.
    from rhumbline.gateways.redis.counters import redis_counters

    async with AsyncExitStack() as stack:
        try:
            shared = await stack.enter_async_context(redis_counters(settings.redis_url.get_secret_value()))
        except ValueError as error:
            raise SettingsError([f"limits.redis_url: {error}"]) from None
        yield shared


def build_limiter(settings: LimitSettings, shared: SharedCounters | None, clock: Clock = system_clock) -> Limiter:
    """Count in the shared store, otherwise in this process."""
    tiers = Tiers(
        Limit(settings.unauthenticated_requests, settings.unauthenticated_window_s),
        Limit(settings.authenticated_requests, CUSTOM_WINDOW_S),
        Limit(settings.registrations_per_address, _DAY_S),
        settings.owners_per_address,
    )
    return Limiter(tiers, LocalCounters(clock), shared)
