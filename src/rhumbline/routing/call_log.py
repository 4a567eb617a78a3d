"""Calls of adapters: on whose behalf they are made, the one line that the log has of each, and its metrics."""

from collections.abc import Hashable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog

from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import Errand, UpstreamCall


class CallLog(Protocol):
    """Writes the line. It has the adapter, the call, how it ended and its time; never what was asked or answered."""

    def __call__(self, *, adapter: str, call: str, outcome: str, ms: int, reason: str | None = None) -> None: ...


BOUND: ContextVar[Mapping[str, Any] | None] = ContextVar("bound", default=None)
"""What structlog has bound, for the calls of one quote: to ask for it for each of them takes as long as the line."""


def log_call(*, adapter: str, call: str, outcome: str, ms: int, reason: str | None = None) -> None:
    """Write the line as any other event is written."""
    more = {} if reason is None else {"reason": reason}
    structlog.get_logger().info("adapter_called", adapter=adapter, call=call, outcome=outcome, ms=ms, **more)


@dataclass(frozen=True, slots=True)
class CallNotes:
    """Where it is noted how adapters' calls end, and for whom they are made.

    ``requester`` is who asks, empty for the service itself; ``errand`` is what several questions are asked for
    together, and for which part of that this one is.
    """

    metrics: Metrics = field(default_factory=NoMetrics)
    log: CallLog = log_call
    requester: str = ""
    errand: tuple[Errand, Hashable] | None = None

    def call(self, purpose: Purpose, asked: QuoteRequest) -> UpstreamCall:
        """Return a new call of an adapter that is asked so. What is asked is the pair and the amount, whoever asks."""
        ends = asked.origin.id, asked.origin_token.address, asked.destination.id, asked.destination_token.address
        return UpstreamCall(purpose, requester=self.requester, question=(*ends, asked.amount), errand=self.errand)

    def note(self, adapter: str, call: str, outcome: str, seconds: float, reason: str | None = None) -> None:
        """Count one call and write its line."""
        self.metrics.called(adapter, call, outcome, seconds)
        self.log(adapter=adapter, call=call, outcome=outcome, ms=round(seconds * 1000), reason=reason)
