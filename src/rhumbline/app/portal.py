"""Builds what the portal and the front page need of the house."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.owners import Owners
from rhumbline.accounts.rate_limits import KEYED
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.sessions import Sessions
from rhumbline.api.portal.evm.signatures import signer_of
from rhumbline.api.portal.services import PortalServices, Usage
from rhumbline.app.chains import Chains
from rhumbline.app.settings import Settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import ApiClient, ApiKey
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.evm.ens import MAINNET, EnsNames
from rhumbline.gateways.svm.programs import SYSTEM
from rhumbline.tracking.collected_fees import Collected
from rhumbline.tracking.listing import Listing

_CODE_TIMEOUT_S = 3.0
_NAME_TIMEOUT_S = 5.0
UsageReader = Callable[[ApiKey], Awaitable[tuple[Usage, ...] | None]]


def usage_of(limiter: Limiter) -> UsageReader:
    """Return what tells how much of a key's windows is used."""

    async def usage(key: ApiKey) -> tuple[Usage, ...] | None:
        counted = key.quote_limit, key.other_limit, key.owner, key.counted_as
        caller = ApiClient(None, key.id, False, None, *counted)
        looks = [(scope, *await limiter.look(caller, scope)) for scope in KEYED]
        return tuple(
            Usage(
                scope.value,
                0 if window is None else window.count,
                limit.requests,
                None if window is None else window.ends_at,
            )
            for scope, limit, window in looks
        )

    return usage


def build_portal(
    settings: Settings,
    engine: AsyncEngine,
    chains: Chains,
    tokens: TokenCatalog,
    accounts: Accounts,
    listing: Listing,
    limiter: Limiter,
    clock: Clock = system_clock,
) -> PortalServices:
    """Join the portal to the store and the nodes."""
    rpcs = chains.rpcs

    async def evm_code(chain_id: int, address: str) -> bytes | None:
        rpc = rpcs.get(chain_id)
        if rpc is None:
            return None
        try:
            return await replace(rpc, timeout_s=_CODE_TIMEOUT_S).code(address)
        except (NodeRefused, NodeUnavailable):
            return None

    async def svm_exists(address: str) -> bool | None:
        """Look on one chain, a mainnet where there is one: an account of another program's is no wallet."""
        served = min(chains.svm, key=lambda each: not each.chain.mainnet, default=None)
        if served is None:
            return None
        try:
            account = await replace(served.rpc, timeout_s=_CODE_TIMEOUT_S).account(address)
        except (NodeRefused, NodeUnavailable):
            return None
        return account is not None and account.owner == SYSTEM

    named = rpcs.get(MAINNET)
    return PortalServices(
        brand=settings.brand,
        base_url=settings.base_url.rstrip("/"),
        chains=chains.catalog,
        tokens=tokens,
        accounts=accounts,
        owners=Owners(engine, clock),
        sessions=Sessions(engine, clock),
        listing=listing,
        collected=Collected(engine, tokens.listed_at),
        usage=usage_of(limiter),
        limiter=limiter,
        evm_code=evm_code,
        svm_exists=svm_exists,
        signer_of=signer_of,
        served=chains.served_ids,
        names=None if named is None else EnsNames(replace(named, timeout_s=_NAME_TIMEOUT_S)).address,
        clock=clock,
    )
