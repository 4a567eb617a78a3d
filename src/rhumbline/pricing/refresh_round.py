"""One refresh round: two sources for every token, and more if these do not settle it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rhumbline.domain.clock import Clock
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.pricing.plausibility import AcceptedPrice, Doubted, LastPrice, Rules, SourcePrice, confirmed, judge
from rhumbline.pricing.throttled_source import ThrottledSource

WITNESSES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheard:
    """No source has a price for the token. ``definite`` when one at least said so, and was not only silent."""

    definite: bool


Outcome = AcceptedPrice | Doubted | Unheard


@dataclass(slots=True)
class _Case:
    """The state of one token during a round."""

    throttled_sources: Sequence[ThrottledSource]
    asked_count: int = 0
    answered: bool = False
    quotes: dict[int, PriceQuote] = field(default_factory=dict)

    def next_sources(self, rules: Rules) -> Sequence[ThrottledSource]:
        """Return the sources to ask next; none once the price is settled or all were asked."""
        is_settled = confirmed(self.evidence(), rules) is not None
        count = WITNESSES if self.asked_count == 0 else 0 if is_settled else 1
        chosen = self.throttled_sources[self.asked_count : self.asked_count + count]
        self.asked_count += len(chosen)
        return chosen

    def evidence(self) -> list[SourcePrice]:
        """Return the quotes received, in the order of the throttled_sources."""
        return [
            SourcePrice(self.throttled_sources[place].source.name, self.quotes[place]) for place in sorted(self.quotes)
        ]


async def refresh(
    throttled_sources: Sequence[ThrottledSource],
    tokens: Mapping[PriceKey, LastPrice | None],
    clock: Clock,
    rules: Rules,
) -> Mapping[PriceKey, Outcome]:
    """Ask the sources, in order of trust, until every token's price is settled or all sources were asked.

    ``tokens`` has the last accepted price of each. Sources are asked concurrently, each within its own time limit.
    """
    cases = {
        token: _Case([throttled for throttled in throttled_sources if throttled.source.covers(token[0])])
        for token in tokens
    }
    pending = list(cases)
    while pending:
        questions: dict[int, list[PriceKey]] = {}
        unsettled = []
        for token in pending:
            chosen = cases[token].next_sources(rules)
            if chosen:
                unsettled.append(token)
            for throttled in chosen:
                questions.setdefault(throttled_sources.index(throttled), []).append(token)
        pending = unsettled
        answers = await asyncio.gather(*(throttled_sources[place].ask(keys) for place, keys in questions.items()))
        for (place, keys), answer in zip(questions.items(), answers, strict=True):
            for token in keys:
                case, quote = cases[token], answer.get(token)
                if quote is not None:
                    case.quotes[case.throttled_sources.index(throttled_sources[place])] = quote
                case.answered = case.answered or token in answer
    now = clock()
    return {
        token: judge(case.evidence(), tokens[token], now, rules, len(case.throttled_sources))
        or Unheard(definite=case.answered)
        for token, case in cases.items()
    }
