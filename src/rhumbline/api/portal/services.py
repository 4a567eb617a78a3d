"""What the portal needs from other floors, built by the wiring."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from rhumbline.accounts.audit_log import AuditLog
from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.invitations import Invitations
from rhumbline.accounts.members import Members
from rhumbline.accounts.request_history import RequestHistory
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.sessions import Sessions
from rhumbline.api.pages.ens_names import NameReader
from rhumbline.api.pages.front_page import WalletRelay
from rhumbline.api.portal.contract_verdict import ContractVerdict
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import ApiKey
from rhumbline.domain.clock import Clock
from rhumbline.domain.service_status import ServiceStatus
from rhumbline.tracking.collected_fees import Collected
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.webhooks.endpoints import Webhooks

ReadStatus = Callable[[], Awaitable[ServiceStatus]]


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a key's present window is used; ``scope`` as shown, ``resets_at`` None before its start."""

    scope: str
    used: int
    limit: int
    resets_at: datetime | None


@dataclass(frozen=True, slots=True)
class PortalServices:
    """Everything a page may call.

    ``base_url`` is the service's public address: the origin that forms must come from and the domain that sign-in
    messages must name. ``usage`` answers None where counts cannot be had. ``evm_code`` reads what is at an address of a
    chain (b"" for a plain account), ``svm_exists`` whether Solana knows an account; both answer None when no node could
    be asked, and never raise. ``limiter`` counts what visitors send, whoever they are. ``served`` are the chains that
    have a node, from which alone can be paid; None says nothing of that. ``signer_of`` tells the
    address, in canonical form, whose key signed a text, None when there is none. ``contract_verdict`` asks a chain
    what the contract wallet at an address says of its signature of a text, and never raises. ``names`` looks ENS names
    up; it is None where chain 1 is not served. ``tool_names`` are what people call adapters, by their keys. ``relay``
    is how the front page reaches wallets elsewhere, if it does. ``status`` is what the status page tells, read anew
    every few seconds at most; without it there is no such page.
    """

    brand: str
    base_url: str
    chains: ChainCatalog
    tokens: TokenCatalog
    accounts: Accounts
    members: Members
    invitations: Invitations
    audit: AuditLog
    history: RequestHistory
    sessions: Sessions
    listing: Listing
    collected: Collected
    webhooks: Webhooks
    usage: Callable[[ApiKey], Awaitable[tuple[Usage, ...] | None]]
    evm_code: Callable[[int, str], Awaitable[bytes | None]]
    svm_exists: Callable[[str], Awaitable[bool | None]]
    signer_of: Callable[[str, str], Awaitable[str | None]]
    contract_verdict: Callable[[int, str, str, str], Awaitable[ContractVerdict]]
    clock: Clock
    limiter: Limiter
    served: frozenset[int] | None = None
    names: NameReader | None = None
    tool_names: Mapping[str, str] = field(default_factory=dict)
    relay: WalletRelay | None = None
    status: ReadStatus | None = None
