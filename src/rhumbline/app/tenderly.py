"""Opens Tenderly, where the settings have an account there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rhumbline.app.sections import TenderlySettings
from rhumbline.gateways.upstreams.guard.guard import UpstreamGuards
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from rhumbline.simulation.evm import tenderly

NAME = "tenderly"


@asynccontextmanager
async def opened_tenderly(settings: TenderlySettings, guards: UpstreamGuards) -> AsyncIterator[Upstream | None]:
    """Offer the upstream, behind its host's guard; None without an account."""
    if settings.access_key is None:
        yield None
        return
    url = settings.url or tenderly.URL
    headers = {tenderly.KEY_HEADER: settings.access_key.get_secret_value()}
    async with open_upstream(NAME, url, headers=headers, guard=guards.of(url, NAME)) as upstream:
        yield upstream
