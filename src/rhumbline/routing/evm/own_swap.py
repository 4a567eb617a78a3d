"""An exchange whose calls are of our own making, asked for a part of a composed quote."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.route import AdapterFilter
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fan_out import guarded
from rhumbline.routing.selection import select


def own_exchange(adapters: Sequence[Adapter[Any]], request: QuoteRequest, choice: AdapterFilter) -> Adapter[Any] | None:
    """Return the exchange that may be asked for a swap inside one of our transactions; None without one."""
    asks = select(adapters, [request], choice).asks
    return next((ask.adapter for ask in asks if ask.adapter.info.own_calls), None)


async def answered(exchange: Adapter[Any], request: QuoteRequest, notes: CallNotes) -> Quote[Any]:
    """Return the exchange's quote; raise NoRoute or UpstreamFailed without one that takes nothing but the amount."""
    answer = await guarded(exchange.info.key, UpstreamCall(Purpose.QUOTE), notes, partial(exchange.quote, request))
    return _sound(exchange.info.key, answer)


@dataclass(slots=True)
class SwapBeforehand:
    """What an exchange gives for the input in an anchor: asked once, for all bridges that may go on from there."""

    adapter: Adapter[Any]
    request: QuoteRequest
    notes: CallNotes
    _asked: "asyncio.Task[Quote[Any] | Refusal] | None" = field(default=None)
    _waiting: int = 0

    async def quote(self) -> Quote[Any]:
        """Return the exchange's quote; raise NoRoute or UpstreamFailed without one."""
        if self._asked is None:
            work = partial(self.adapter.quote, self.request)
            call = UpstreamCall(Purpose.QUOTE)
            self._asked = asyncio.create_task(guarded(self.adapter.info.key, call, self.notes, work))
        self._waiting += 1
        try:
            # A bridge that is given up must not take the answer from the others; with the last one it is of no use.
            answer = await asyncio.shield(self._asked)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._asked.cancel()
        return _sound(self.adapter.info.key, answer)


def _sound(key: str, answer: Quote[Any] | Refusal) -> Quote[Any]:
    if isinstance(answer, Quote) and not answer.native_fee:
        return answer
    reason = answer.reason if isinstance(answer, Refusal) else "takes a fee beside the amount"
    passing = isinstance(answer, Refusal) and answer.kind == UpstreamFailed.kind
    raise (UpstreamFailed if passing else NoRoute)(f"{key}: {reason}")
