"""What is asked for: path and query, escaped where they must be (RFC 3986), as they leave."""

import re
from collections.abc import Sequence
from functools import lru_cache

from yarl import URL

# What stands in a path, and in a query between its signs, as it is.
_SAFE_PATH = re.compile(r"(/[A-Za-z0-9_-]+)+\Z", re.ASCII)
_SAFE = re.compile(r"[A-Za-z0-9._~-]*\Z", re.ASCII)


def target_of(base: str, path: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return path and query of what is at ``path`` below a URL, in the order of the pairs."""
    if _SAFE_PATH.match(path) and _SAFE.match("".join([text for pair in pairs for text in pair])):
        # Nothing is to be escaped: to have that found out by URL takes longer than all the rest of a request.
        query = "&".join([f"{name}={value}" for name, value in pairs])
        return f"{_prefix(base)}{path}?{query}" if query else _prefix(base) + path
    return URL(base.rstrip("/") + path).extend_query(pairs).raw_path_qs


@lru_cache(maxsize=256)
def _prefix(base: str) -> str:
    return URL(base).raw_path.rstrip("/")
