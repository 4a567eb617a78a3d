"""Joins what counts requests, from the settings."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from rhumbline.accounts.counting import Limiter, LocalCounters
from rhumbline.accounts.limits import CUSTOM_WINDOW_S, Tiers
from rhumbline.app.sections import LimitSettings
from rhumbline.app.settings import SettingsError
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import Limit


@asynccontextmanager
async def build_limiter(settings: LimitSettings) -> AsyncIterator[Limiter]:
    """Count in Redis where one is configured, else in this process; raise SettingsError for a URL that cannot be."""
    tiers = Tiers(
        Limit(settings.unauthenticated_requests, settings.unauthenticated_window_s),
        Limit(settings.authenticated_requests, CUSTOM_WINDOW_S),
    )
    async with AsyncExitStack() as stack:
        shared = None
        if settings.redis_url is not None:
            # The library takes half a second to load; who does not need it starts without.
            from rhumbline.gateways.redis import redis_counters

            try:
                shared = await stack.enter_async_context(redis_counters(settings.redis_url.get_secret_value()))
            except ValueError as error:
                raise SettingsError([f"limits.redis_url: {error}"]) from None
        yield Limiter(tiers, LocalCounters(system_clock), shared)
