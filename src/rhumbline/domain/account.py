"""Integrators, their members and keys, and the caller of a request."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network

from rhumbline.domain.chain import ChainType
from rhumbline.domain.fee import ChainWallets, FeeRule


class Role(StrEnum):
    """What a member may do in the portal: each role also has what those after it have."""

    OWNER = "owner"
    """Fee wallets, members, invitations."""
    DEVELOPER = "developer"
    """Keys."""
    VIEWER = "viewer"
    """Reads everything that is shown."""

    def includes(self, needed: "Role") -> bool:
        order = tuple(Role)
        return order.index(self) <= order.index(needed)


class KeyScope(StrEnum):
    """What a key may be used for. Metadata needs none: it is open to everybody."""

    QUOTES = "quotes"
    """Quotes, routes and their steps."""
    TRACKING = "tracking"
    """The integrator's records."""


EVERY_SCOPE = frozenset(KeyScope)


@dataclass(frozen=True, slots=True)
class KeyTerms:
    """What a key may be used for, and from where: no ``origins`` or no ``networks`` means from any.

    ``origins`` are compared with the header ``Origin`` of a request, ``networks`` with the address it comes from.
    ``in_browsers`` marks a key that everybody may see: it has origins, and never the scope tracking.
    """

    scopes: frozenset[KeyScope] = EVERY_SCOPE
    origins: tuple[str, ...] = ()
    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    in_browsers: bool = False


UNRESTRICTED = KeyTerms()


@dataclass(frozen=True, slots=True)
class Integrator:
    """A party that earns fees and owns records. ``name`` is unique without case and goes on chain as bytes32 ASCII."""

    name: str
    evm_wallet: str | None
    svm_wallet: str | None
    created_at: datetime

    def wallet(self, chain_type: ChainType) -> str | None:
        return ChainWallets(self.evm_wallet, self.svm_wallet).of(chain_type)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A stored key: never its text, only the prefix that distinguishes keys (``rl_live_abcd``).

    ``quote_limit`` and ``other_limit`` are its own limits in requests a minute, None where the tier's hold; ``rule`` is
    its own fee rule, None where its integrator's holds. ``name`` is what people call it; ``last_used_at`` is the last
    request that came with it, to the minute, None before the first. ``owner`` is the wallet that made it in the portal,
    None where the operator did; ``counted_as`` the key that it stands for since a rotation, None for itself.
    ``expires_at`` is the end that it was made with, ``revoked_at`` the one that a revocation or rotation has set.
    """

    id: int
    integrator: str
    prefix: str
    created_at: datetime
    revoked_at: datetime | None
    quote_limit: int | None = None
    other_limit: int | None = None
    rule: FeeRule | None = None
    name: str | None = None
    last_used_at: datetime | None = None
    owner: str | None = None
    counted_as: int | None = None
    terms: KeyTerms = UNRESTRICTED
    expires_at: datetime | None = None

    @property
    def ends_at(self) -> datetime | None:
        """Return when the key ends, or has ended; None where no end is set."""
        return min((end for end in (self.revoked_at, self.expires_at) if end is not None), default=None)

    def is_live(self, now: datetime) -> bool:
        return self.ends_at is None or self.ends_at > now


@dataclass(frozen=True, slots=True)
class ApiClient:
    """The client of a request. ``integrator`` is None without a valid key; ``key_invalid`` marks an invalid key.

    ``rule`` is the key's own fee rule, else its integrator's, None when the service's default holds. ``owner``,
    ``counted_as`` and ``terms`` are the key's; ``terms`` is None for one without restrictions. ``requester`` names who
    is counted: an owner, a key, or an address; empty for the service itself.
    """

    integrator: Integrator | None = None
    key_id: int | None = None
    key_invalid: bool = False
    rule: FeeRule | None = None
    quote_limit: int | None = None
    other_limit: int | None = None
    owner: str | None = None
    counted_as: int | None = None
    terms: KeyTerms | None = None
    requester: str = field(default="", compare=False)
