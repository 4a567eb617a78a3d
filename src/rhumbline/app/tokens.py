"""Builds the tokens: the operator's and the package's, and what fills the catalogue from token lists."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.chains import Chains
from rhumbline.app.settings import Settings
from rhumbline.catalog.snapshot import shipped_tokens
from rhumbline.catalog.token_sync import SyncSettings, TokenSync
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.list_download import Bounds


def token_sync(
    settings: Settings,
    chains: Chains,
    tokens: TokenCatalog,
    fixed: tuple[Token, ...],
    http: HttpClient,
    engine: AsyncEngine,
    clock: Clock = system_clock,
) -> TokenSync:
    """Build what fills ``tokens`` from the configured lists."""
    catalog = settings.catalog
    bounds = Bounds(catalog.largest_list_mb * 2**20, catalog.list_timeout_s)
    sync_settings = SyncSettings(catalog.token_lists, bounds, refresh_s=catalog.refresh_s)
    return TokenSync(tokens, chains.catalog, fixed, http, engine, clock, sync_settings)


def fixed_tokens(settings: Settings, chains: Chains) -> tuple[Token, ...]:
    """Return the operator's tokens, then the shipped ones."""
    own = (Token(**token.model_dump()) for token in settings.tokens)
    return (*own, *(shipped_tokens(chains.catalog) if settings.catalog.shipped else ()))
