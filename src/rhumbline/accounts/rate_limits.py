"""Rate limits: tiers, scopes, and who counts as one requester. Pure.

A window is fixed and begins with the requester's first request; a request that is refused counts but moves nothing.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from rhumbline.domain.account import ApiClient
from rhumbline.domain.rate import Limit, WindowCount
from rhumbline.domain.sentence import Sentence

LARGEST_CUSTOM_LIMIT = 1_000_000
CUSTOM_WINDOW_S = 60
VISITORS_PART = 4
"""Of the limit of a key for browsers, one address has this part of a whole: a visitor cannot use it up for all."""
_NETWORK_BITS = 64
_LONGEST_HOST = 64


class RateScope(StrEnum):
    """What is counted separately."""

    QUOTES = "quotes"
    OTHER = "other"
    PORTAL = "portal"
    REGISTRATIONS = "registrations"
    STATUS = "status"


KEYED = (RateScope.QUOTES, RateScope.OTHER)
"""Scopes in which requests can have a key; the portal's have none."""


@dataclass(frozen=True, slots=True)
class Tiers:
    """The limits of each scope without a valid key, and with a key without a limit of its own.

    ``registrations`` is how many integrators are registered from one address, None for as many as it sends posts. Of
    keys that owners have made in the portal one address uses as many as ``owners_per_address`` of their limits allow.
    """

    unauthenticated: Limit
    authenticated: Limit
    registrations: Limit | None = None
    owners_per_address: int = 3

    def limit_for(self, caller: ApiClient, scope: RateScope) -> Limit:
        if scope is RateScope.REGISTRATIONS:
            return self.registrations or self.unauthenticated
        if caller.key_id is None:
            return self.unauthenticated
        own = caller.quote_limit if scope is RateScope.QUOTES else caller.other_limit
        return self.authenticated if own is None else Limit(own, CUSTOM_WINDOW_S)

    def limit_for_visitor(self, caller: ApiClient, scope: RateScope) -> Limit:
        """Return what one address has of the limit of a key for browsers."""
        whole = self.limit_for(caller, scope)
        return Limit(max(1, whole.requests // VISITORS_PART), whole.window_s)

    def limit_beside(self) -> Limit:
        """Return the common limit of all keys that owners made themselves and that one address uses."""
        return Limit(self.authenticated.requests * self.owners_per_address, self.authenticated.window_s)


class Verdict(NamedTuple):
    """Whether a request may pass, and its window; ``retry_after_s`` is rounded up. A tuple: every request makes one."""

    limit: Limit
    allowed: bool
    remaining: int
    ends_at: datetime
    retry_after_s: int


def judge(limit: Limit, window: WindowCount) -> Verdict:
    left = limit.requests - window.count
    return Verdict(limit, left >= 0, max(0, left), window.ends_at, max(1, -(-window.left_ms // 1000)))


def shown(end: datetime) -> datetime:
    """Round up to a whole millisecond, the finest that is shown: who comes at that time shall not be too early."""
    return end + timedelta(microseconds=-end.microsecond % 1000)


def is_free(caller: ApiClient) -> bool:
    """Return whether a key was made by its owner and has no limit from the operator."""
    return caller.owner is not None and caller.quote_limit is None and caller.other_limit is None


def is_in_browsers(caller: ApiClient) -> bool:
    """Return whether a key is one that everybody may see."""
    return caller.terms is not None and caller.terms.in_browsers


def requester_of(caller: ApiClient, host: str | None) -> str:
    """Name who is counted: a key, else the address of ``host`` (of IPv6 its /64, one customer's), else one for all.

    Keys that an owner has made count together, whatever integrators they are for.
    """
    if is_free(caller):
        return f"owner:{caller.owner}"
    if caller.key_id is not None:
        return f"key:{caller.counted_as or caller.key_id}"
    return address_of(host)


def address_of(host: str | None) -> str:
    if not host:
        return "address:none"
    # An IPv4 address as it comes from a socket needs no reading, and is what nearly everybody has.
    return f"address:{network_of(host)}"


def in_words(limit: Limit) -> Sentence:
    """Say a limit in words: `200 requests in 2 hours`."""
    requests = Sentence.counted("%(count)s request", "%(count)s requests", limit.requests)
    if limit.window_s % 3600 == 0:
        window = Sentence.counted("%(count)s hour", "%(count)s hours", limit.window_s // 3600)
    elif limit.window_s % 60 == 0:
        window = Sentence.counted("%(count)s minute", "%(count)s minutes", limit.window_s // 60)
    else:
        window = Sentence.counted("%(count)s second", "%(count)s seconds", limit.window_s)
    return Sentence("%(requests)s in %(window)s", requests=requests, window=window)


def limit_faults(quote_limit: int | None, other_limit: int | None) -> tuple[str, ...]:
    """Say what is wrong with a key's own limits, in requests a minute; None leaves the tier's."""
    return tuple(
        f"{name}: must be between 1 and {LARGEST_CUSTOM_LIMIT} requests a minute"
        for name, value in (("quote_limit", quote_limit), ("other_limit", other_limit))
        if value is not None and not 1 <= value <= LARGEST_CUSTOM_LIMIT
    )


def network_of(host: str) -> str:
    """Return the /64 of an IPv6 address; the IPv4 address that is written as one; any other text as it is, cut."""
    if ":" not in host:
        return host[:_LONGEST_HOST]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:_LONGEST_HOST]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    kept = int(address) >> _NETWORK_BITS << _NETWORK_BITS
    return f"{IPv6Address(kept)}/{_NETWORK_BITS}"
