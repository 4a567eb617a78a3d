"""Counts what a service asks of nodes, and how many of those calls had to wait for others."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

import msgspec

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import AcceptedAnswer, Reply


@dataclass
class Request:
    """One request, by the methods in it; ``began`` and ``ended`` are places in the order of all such events."""

    methods: tuple[str, ...]
    began: int
    ended: int = -1


class CountingClient(HttpClient):
    """Notes each request of JSON-RPC."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[Request] = []
        self._events = count()

    async def ask(
        self,
        method: str,
        url: str,
        accepted: AcceptedAnswer,
        deadline: float,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        body: bytes | None = None,
    ) -> Reply:
        asked = msgspec.json.decode(body or b"[]")
        calls = asked if isinstance(asked, list) else [asked]
        noted = Request(tuple(each["method"] for each in calls), next(self._events))
        self.requests.append(noted)
        try:
            return await super().ask(method, url, accepted, deadline, headers=headers, body=body)
        finally:
            noted.ended = next(self._events)

    @property
    def methods(self) -> list[str]:
        return sorted(method for each in self.requests for method in each.methods)

    @property
    def round_trips(self) -> int:
        """The longest chain of requests of which each began when the one before had its answer."""
        longest: dict[int, int] = {}
        for each in sorted(self.requests, key=lambda each: each.began):
            before = [trips for ended, trips in longest.items() if ended < each.began]
            longest[each.ended] = 1 + max(before, default=0)
        return max(longest.values(), default=0)
