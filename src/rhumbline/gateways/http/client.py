"""HTTP to any host, for nodes and token lists: each origin has a pool of connections, made on first use."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from yarl import URL

from rhumbline.gateways.http.connection import AcceptedAnswer, Reply
from rhumbline.gateways.http.pool import Pool

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AnyAnswer:
    """Wants answers of every content type, up to ``largest_bytes``, unpacked."""

    largest_bytes: int

    def accepts(self, content_type: str) -> bool:
        return True


class HttpClient:
    """Requests to any host, over at most ``connections`` per origin; unused ones close after ``idle_s`` seconds.

    User and password of a URL are sent as basic authentication. No redirect is followed, no cookie kept, no proxy used.
    """

    def __init__(self, connections: int = 100, idle_s: float = 15.0) -> None:
        self._connections = connections
        self._idle_s = idle_s
        self._pools: dict[URL, Pool] = {}

    async def __aenter__(self) -> "HttpClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._pools:
            await self._pools.popitem()[1].close()

    async def ask(
        self,
        method: str,
        url: str,
        accepted: AcceptedAnswer,
        deadline: float,
        *,
        headers: Mapping[str, str] = _NO_HEADERS,
        body: bytes | None = None,
    ) -> Reply:
        """Return what is answered at a URL, at the ``deadline`` of the event loop's time at the latest.

        A body is sent as JSON. Raise ValueError for a URL or a header that cannot be asked with; TimeoutError,
        ConnectionFailed or OSError without an answer (``in_words`` says why).
        """
        origin, target = _split(url)
        pool = self._pools.get(origin)
        if pool is None:
            pool = self._pools[origin] = Pool(origin, self._connections, self._idle_s)
        return await pool.ask(method, target, headers, body, accepted, deadline)


@lru_cache(maxsize=256)
def _split(url: str) -> tuple[URL, str]:
    """Split a URL into whom to ask, with user and password, and for what; raise ValueError for no HTTP URL."""
    whole = URL(url)
    if whole.scheme not in ("http", "https") or not whole.raw_host:
        raise ValueError("not an HTTP URL")
    return whole.with_path("/"), whole.raw_path_qs
