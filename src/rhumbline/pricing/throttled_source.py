"""A source for the refresh loop, with a deadline and a pause after a failure. Its host's guard keeps the pace."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import structlog

from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.loop_watch import was_held_up
from rhumbline.gateways.upstreams.guard.budget import Purpose, Spared
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.pricing.source import PriceSource, SourceUnavailable

Seconds = Callable[[], float]
"""A clock that only goes forward."""
_MOST_CALLS = 100


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds one call and all calls of a round may take, and how long a source rests after failures."""

    call_s: float = 5.0
    round_s: float = 8.0
    first_rest_s: float = 5.0
    longest_rest_s: float = 300.0


@dataclass(slots=True, eq=False)
class ThrottledSource:
    """Asks one source, a batch after the other; a failure ends the round and rests the source, ever longer."""

    source: PriceSource
    patience: Patience = Patience()
    seconds: Seconds = time.monotonic
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _failures: int = field(default=0, init=False)
    _rest_until: float = field(default=float("-inf"), init=False)

    @property
    def resting(self) -> bool:
        return self.seconds() < self._rest_until

    @property
    def capacity(self) -> int:
        """Count the tokens that one round may ask for, by the source's pace."""
        interval = self.source.interval_s
        calls = _MOST_CALLS if not interval else min(int(self.patience.round_s / interval), _MOST_CALLS)
        return self.source.batch_size * max(1, calls)

    async def ask(self, tokens: Sequence[PriceKey]) -> Mapping[PriceKey, PriceQuote | None]:
        """Return the source's prices, None for unknown tokens; tokens that it was not asked for are absent."""
        found: dict[PriceKey, PriceQuote | None] = {}
        ends_at = self.seconds() + self.patience.round_s
        async with self._one_at_a_time:
            for batch in self._batches(tokens[: self.capacity]):
                if self.resting or self.seconds() > ends_at:
                    break
                answer = await self._call(batch)
                if answer is None:
                    break
                found |= {token: answer.get(token) for token in batch}
        return found

    def _batches(self, tokens: Sequence[PriceKey]) -> list[list[PriceKey]]:
        by_chain: dict[int, list[PriceKey]] = {}
        for token in tokens:
            by_chain.setdefault(token[0], []).append(token)
        size = self.source.batch_size
        return [group[start : start + size] for group in by_chain.values() for start in range(0, len(group), size)]

    async def _call(self, batch: list[PriceKey]) -> Mapping[PriceKey, PriceQuote] | None:
        interval, patience = self.source.interval_s, self.patience
        since = time.monotonic()
        call = UpstreamCall(Purpose.PRICE, patience.round_s, 1 / interval if interval else None)
        try:
            answer = await call.run(partial(self.source.prices, batch), patience.call_s)
        except TimeoutError:
            if not was_held_up(since):
                self._rest(f"did not answer within {patience.call_s:g} s", None)
            return None
        except SourceUnavailable as error:
            if call.spared is Spared.USED_UP or (error.retry_after_s is None and was_held_up(since)):
                # Others have its turns, or we were late ourselves; that is no failure, and this round ends.
                return None
            self._rest(str(error), error.retry_after_s)
            return None
        except Exception:
            # An unforeseen error of one source must not end the loop for all.
            structlog.get_logger().exception("price_source_broke", source=self.source.name)
            self._rest("broke", None)
            return None
        self._failures = 0
        return answer

    def _rest(self, why: str, asked_for_s: float | None) -> None:
        patience = self.patience
        usual = min(patience.first_rest_s * 2.0 ** min(self._failures, 20), patience.longest_rest_s)
        rest = max(usual, asked_for_s or 0.0)
        self._failures += 1
        self._rest_until = self.seconds() + rest
        structlog.get_logger().warning("price_source_rests", source=self.source.name, reason=why, seconds=round(rest))
