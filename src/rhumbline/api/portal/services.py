"""What the portal needs from the rest of the house, built by the wiring."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.owners import Owners
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.sessions import Sessions
from rhumbline.api.pages.ens_names import NameReader
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import ApiKey
from rhumbline.domain.clock import Clock
from rhumbline.tracking.collected_fees import Collected
from rhumbline.tracking.listing import Listing


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a key's present window is used; ``scope`` as people call it, ``resets_at`` None before its begin."""

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
    address, in canonical form, whose key signed a text, None when there is none. ``names`` looks ENS names up; it is
    None where chain 1 is not served.
    """

    brand: str
    base_url: str
    chains: ChainCatalog
    tokens: TokenCatalog
    accounts: Accounts
    owners: Owners
    sessions: Sessions
    listing: Listing
    collected: Collected
    usage: Callable[[ApiKey], Awaitable[tuple[Usage, ...] | None]]
    evm_code: Callable[[int, str], Awaitable[bytes | None]]
    svm_exists: Callable[[str], Awaitable[bool | None]]
    signer_of: Callable[[str, str], Awaitable[str | None]]
    clock: Clock
    limiter: Limiter
    served: frozenset[int] | None = None
    names: NameReader | None = None
