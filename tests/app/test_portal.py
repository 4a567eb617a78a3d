"""What the portal is told of wallets by nodes."""

from unittest.mock import AsyncMock

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.service import Accounts
from rhumbline.api.portal.services import PortalServices
from rhumbline.app.chains import Chains, build_chains
from rhumbline.app.portal import build_portal
from rhumbline.app.settings import Settings
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.svm.accounts import EMPTY, FUNDED, keypair
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import Limit
from rhumbline.gateways.http.client import HttpClient
from rhumbline.tracking.listing import Listing
from tests.app.conftest import MAINNET, NOWHERE, WALLET, settings


def limiter() -> Limiter:
    return Limiter(Tiers(Limit(9, 60), Limit(9, 60)), LocalCounters(system_clock))


@pytest.mark.parametrize(("index", "exists"), [(FUNDED[0], True), (EMPTY[0], False)])
async def test_the_portal_looks_at_wallets(chains: Chains, store_engine: AsyncEngine, index: int, exists: bool) -> None:
    assert await portal(chains, store_engine).svm_exists(str(keypair(index).pubkey())) is exists


async def test_a_token_account_is_no_wallet(chains: Chains, solana: RunningSolana, store_engine: AsyncEngine) -> None:
    mint = solana.furnished.tokens["USDC"].address
    assert await portal(chains, store_engine).svm_exists(mint) is False


async def test_without_a_node_nothing_is_known_of_wallets(http: HttpClient, store_engine: AsyncEngine) -> None:
    for entries in ((), ({"id": MAINNET, "rpc": NOWHERE},)):
        chains = build_chains(settings(*entries), http)
        assert await portal(chains, store_engine).svm_exists(WALLET) is None


def portal(chains: Chains, engine: AsyncEngine) -> PortalServices:
    tokens = TokenCatalog(chains.catalog, [], {})
    listing = Listing(engine, ChainCatalog([]), (b"k" * 32,), tokens.listed_at)
    accounts, status = Accounts(engine, system_clock), AsyncMock(side_effect=AssertionError("nothing here asks for it"))
    return build_portal(Settings(), engine, chains, tokens, accounts, listing, limiter(), (), status)
