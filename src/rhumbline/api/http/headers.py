"""Response headers that are set in more than one place."""

from collections.abc import Mapping
from types import MappingProxyType

HSTS = "max-age=31536000"
EXPOSED = (
    "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id", "X-Api-Key-Status",
    "Retry-After", "ETag",
)  # fmt: skip
"""Headers that scripts of other origins may read."""
NO_STORE: Mapping[str, str] = MappingProxyType({"cache-control": "no-store"})
FOR_A_MINUTE: Mapping[str, str] = MappingProxyType({"cache-control": "private, max-age=60"})
IS_HEAD = "rhumbline.head"
"""The key of a scope whose GET is run for a HEAD: an answer without an end should end at once."""
