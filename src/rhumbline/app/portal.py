"""Builds what the portal and the front page need."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import AuditLog
from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.invitations import Invitations
from rhumbline.accounts.members import Members
from rhumbline.accounts.rate_limits import KEYED
from rhumbline.accounts.request_history import RequestHistory
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.sessions import Sessions
from rhumbline.api.pages.front_page import WalletRelay
from rhumbline.api.portal.contract_verdict import ContractVerdict
from rhumbline.api.portal.evm.contract_wallets import contract_verdict
from rhumbline.api.portal.evm.signatures import signer_of
from rhumbline.api.portal.services import PortalServices, ReadStatus, Usage
from rhumbline.app.chains import Chains
from rhumbline.app.settings import Settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import ApiClient, ApiKey
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.evm.ens import MAINNET, EnsNames
from rhumbline.gateways.svm.programs import SYSTEM
from rhumbline.tracking.collected_fees import Collected
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.webhooks.endpoints import Webhooks

_CODE_TIMEOUT_S = 3.0
_NAME_TIMEOUT_S = 5.0
UsageReader = Callable[[ApiKey], Awaitable[tuple[Usage, ...] | None]]


def usage_of(limiter: Limiter) -> UsageReader:
    """Return a reader of how much of a key's windows is used."""

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
    adapters: Sequence[Adapter[Any]],
    status: ReadStatus,
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

    async def verdict(chain_id: int, address: str, text: str, signature: str) -> ContractVerdict:
        rpc = rpcs.get(chain_id)
        if rpc is None:
            return ContractVerdict.UNKNOWN
        return await contract_verdict(replace(rpc, timeout_s=_CODE_TIMEOUT_S), address, text, signature)

    async def svm_exists(address: str) -> bool | None:
        """Look on one chain, a mainnet if there is one: an account owned by another program is no wallet."""
        served = min(chains.svm, key=lambda each: not each.chain.mainnet, default=None)
        if served is None:
            return None
        try:
            account = await replace(served.rpc, timeout_s=_CODE_TIMEOUT_S).account(address)
        except (NodeRefused, NodeUnavailable):
            return None
        return account is not None and account.owner == SYSTEM

    named, project = rpcs.get(MAINNET), settings.walletconnect.project_id
    return PortalServices(
        brand=settings.brand,
        base_url=settings.base_url.rstrip("/"),
        chains=chains.catalog,
        tokens=tokens,
        accounts=accounts,
        members=Members(engine, clock),
        invitations=Invitations(engine, clock),
        audit=AuditLog(engine),
        history=RequestHistory(engine, clock),
        sessions=Sessions(engine, clock),
        listing=listing,
        collected=Collected(engine, tokens.listed_at),
        webhooks=Webhooks(engine, clock, settings.webhooks.allow_private),
        usage=usage_of(limiter),
        limiter=limiter,
        evm_code=evm_code,
        svm_exists=svm_exists,
        signer_of=signer_of,
        contract_verdict=verdict,
        served=chains.served_ids,
        names=None if named is None else EnsNames(replace(named, timeout_s=_NAME_TIMEOUT_S)).address,
        tool_names={each.info.key: each.info.name for each in adapters},
        clock=clock,
        relay=None if project is None else WalletRelay(settings.walletconnect.relay_url, project),
        status=status,
    )
