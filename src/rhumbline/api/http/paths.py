"""Paths, and which rules hold for them."""

from starlette.types import Scope

TRACKING = "/v1/transactions"
QUOTES = "/v1/quotes"
STREAM = "/v1/quotes/stream"
HEALTH = "/v1/health"


def is_versioned(path: str) -> bool:
    """Tell whether the contract's rules for ``/v1`` responses hold."""
    return path == "/v1" or path.startswith("/v1/")


def is_health(path: str) -> bool:
    return path == "/health" or path.startswith("/health/")


def is_quote(path: str) -> bool:
    """Tell whether the path answers a quote, at once or as a stream."""
    return path in (QUOTES, STREAM)


def is_tracking(path: str) -> bool:
    """Tell whether the path needs a key and is closed to browsers."""
    return path == TRACKING or path.startswith(TRACKING + "/")


def is_open(path: str) -> bool:
    """Tell whether browsers of any origin may read the path."""
    return is_versioned(path) and not is_tracking(path)


def target_of(scope: Scope) -> str:
    path = bytes(scope.get("raw_path") or b"").decode("latin-1") or str(scope["path"])
    query = bytes(scope.get("query_string") or b"").decode("latin-1")
    return f"{path}?{query}" if query else path
