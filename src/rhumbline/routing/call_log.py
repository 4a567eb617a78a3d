"""Adapter calls: their requester, their one log line, and their metrics."""

from collections.abc import Hashable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog

from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.trail import CallNote
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import Errand, UpstreamCall


class CallLog(Protocol):
    """Writes the log line: adapter, call, outcome and duration; never the request or the answer."""

    def __call__(self, *, adapter: str, call: str, outcome: str, ms: int, reason: str | None = None) -> None: ...


BOUND: ContextVar[Mapping[str, Any] | None] = ContextVar("bound", default=None)
"""The fields that structlog has bound, for the calls of one quote: reading them for each call takes too long."""


def log_call(*, adapter: str, call: str, outcome: str, ms: int, reason: str | None = None) -> None:
    """Write the line as any other event is written."""
    more = {} if reason is None else {"reason": reason}
    structlog.get_logger().info("adapter_called", adapter=adapter, call=call, outcome=outcome, ms=ms, **more)


@dataclass(frozen=True, slots=True)
class CallNotes:
    """Where the outcomes of adapter calls are recorded, and for which requester.

    ``requester`` is empty for the service itself; ``errand`` identifies the plan for which several requests are made,
    and this one's part of it. ``calls`` gets each call that ends, None where nobody wants to know.
    """

    metrics: Metrics = field(default_factory=NoMetrics)
    log: CallLog = log_call
    requester: str = ""
    errand: tuple[Errand, Hashable] | None = None
    calls: list[CallNote] | None = None

    def call(self, purpose: Purpose, quote_request: QuoteRequest) -> UpstreamCall:
        """Return a new adapter call for this request. Its question is pair and amount, without the requester."""
        ends = (
            quote_request.origin.id,
            quote_request.origin_token.address,
            quote_request.destination.id,
            quote_request.destination_token.address,
        )
        return UpstreamCall(
            purpose, requester=self.requester, question=(*ends, quote_request.amount), errand=self.errand
        )

    def note(self, adapter: str, call: str, outcome: str, seconds: float, reason: str | None = None) -> None:
        """Write one call's line and count it."""
        ms = round(seconds * 1000)
        self.log(adapter=adapter, call=call, outcome=outcome, ms=ms, reason=reason)
        if self.calls is not None:
            self.calls.append(CallNote(adapter, call, outcome, ms))
        self.metrics.called(adapter, call, outcome, seconds)
