"""Who uses the swap box, and what can be done to the chain and the bridge meanwhile."""

from collections.abc import AsyncIterator
from functools import partial

import aiohttp
import pytest

from rhumbline.gateways.http.client import HttpClient
from tests.portal.chromium import Page
from tests.portal.stack import PortalService, Tell
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap.blocks import Mining
from tests.portal.swap.solana_wallet import SolanaTestWallet, solana_wallet
from tests.portal.wallet import TestWallet


@pytest.fixture
def other_wallet(portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    """A wallet with funds that is in no page."""
    return wallet_of(portal_service, session, OWNER + 3)


@pytest.fixture
async def wallet(page: Page, portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    """A wallet with funds, in the page."""
    found = wallet_of(portal_service, session, OWNER + 2)
    await found.into(page)
    return found


@pytest.fixture
async def solana(page: Page, portal_service: PortalService, http: HttpClient) -> SolanaTestWallet:
    """A Solana wallet with funds, in the page."""
    found = solana_wallet(portal_service, http)
    await found.into(page)
    return found


@pytest.fixture
async def mining(portal_service: PortalService, http: HttpClient) -> AsyncIterator[Mining]:
    """The first chain mines when the test says so."""
    async with Mining.held(portal_service.sandbox.evm_chains[0].rpc_url, http) as held:
        yield held


@pytest.fixture
async def relay(portal_service: PortalService, session: aiohttp.ClientSession) -> AsyncIterator[Tell]:
    """Tells the bridge how to behave; told nothing, and after the test, it behaves."""
    tell = partial(portal_service.tell, session, "RELAY")
    yield tell
    await tell()
