"""Paths and the rules for them."""

from typing import NamedTuple

from starlette.types import Scope

from rhumbline.accounts.rate_limits import RateScope
from rhumbline.domain.account import KeyScope

TRACKING = "/v1/transactions"
QUOTES = "/v1/quotes"
STREAM = "/v1/quotes/stream"
WEBHOOKS = "/v1/webhooks"
REQUESTS = "/v1/requests"
HEALTH = "/v1/health"
PAIR = "/v1/prices/pair"
_ADVANCED = "/v1/advanced/"
_STATUSES = "/v1/status/"


class PathRules(NamedTuple):
    """The rules of a path.

    Clients are ``identified``, and counted in a ``scope``, on all of ``/v1`` except its health. Browsers of any origin
    may read it if ``open``; ``tracking`` needs a key, and ``quote`` is answered with one, at once or as a stream.
    ``key_scope`` is the scope that a key must have, None for any key.
    """

    identified: bool
    open: bool
    tracking: bool
    quote: bool
    scope: RateScope
    key_scope: KeyScope | None


def rules_of(path: str) -> PathRules:
    versioned, quote = path == "/v1" or path.startswith("/v1/"), path in (QUOTES, STREAM)
    tracking = any(path == own or path.startswith(own + "/") for own in (TRACKING, WEBHOOKS, REQUESTS))
    scope = RateScope.QUOTES if quote or path.startswith(_ADVANCED) else RateScope.OTHER
    key_scope = KeyScope.TRACKING if tracking else KeyScope.QUOTES if scope is RateScope.QUOTES else None
    return PathRules(versioned and path != HEALTH, versioned and not tracking, tracking, quote, scope, key_scope)


def is_signed(path: str) -> bool:
    """Tell whether answers of a path are signed, if the service has a key: those on which money depends."""
    return path in (QUOTES, PAIR) or path.startswith((_ADVANCED, _STATUSES))


def is_health(path: str) -> bool:
    return path == "/health" or path.startswith("/health/")


def target_of(scope: Scope) -> str:
    path = bytes(scope.get("raw_path") or b"").decode("latin-1") or str(scope["path"])
    query = bytes(scope.get("query_string") or b"").decode("latin-1")
    return f"{path}?{query}" if query else path
