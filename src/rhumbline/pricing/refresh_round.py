"""One round of questions: two sources for every token, more where these do not settle it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rhumbline.domain.clock import Clock
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.pricing.plausibility import Believed, Doubted, Heard, LastPrice, Rules, confirmed, judge
from rhumbline.pricing.throttled_source import ThrottledSource

WITNESSES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheard:
    """No source has a price for the token. ``definite`` when one at least said so, and was not only silent."""

    definite: bool


Outcome = Believed | Doubted | Unheard


@dataclass(slots=True)
class _Case:
    """What is known of one token during a round."""

    throttled_sources: Sequence[ThrottledSource]
    asked: int = 0
    answered: bool = False
    heard: dict[int, PriceQuote] = field(default_factory=dict)

    def next_sources(self, rules: Rules) -> Sequence[ThrottledSource]:
        """Return whom to ask next; nobody once the case is settled or everybody was asked."""
        is_settled = confirmed(self.evidence(), rules) is not None
        wanted = WITNESSES if self.asked == 0 else 0 if is_settled else 1
        chosen = self.throttled_sources[self.asked : self.asked + wanted]
        self.asked += len(chosen)
        return chosen

    def evidence(self) -> list[Heard]:
        """Return what was heard, in the order of the throttled_sources."""
        return [Heard(self.throttled_sources[place].source.name, self.heard[place]) for place in sorted(self.heard)]


async def refresh(
    throttled_sources: Sequence[ThrottledSource],
    tokens: Mapping[PriceKey, LastPrice | None],
    clock: Clock,
    rules: Rules,
) -> Mapping[PriceKey, Outcome]:
    """Ask the throttled_sources, in their order of trust, until every token's case is settled or nobody is left to ask.

    ``tokens`` has the last believed price of each. Sources are asked side by side, each within its own patience.
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
        answers = await asyncio.gather(*(throttled_sources[place].ask(asked) for place, asked in questions.items()))
        for (place, asked), answer in zip(questions.items(), answers, strict=True):
            for token in asked:
                case, quote = cases[token], answer.get(token)
                if quote is not None:
                    case.heard[case.throttled_sources.index(throttled_sources[place])] = quote
                case.answered = case.answered or token in answer
    now = clock()
    return {
        token: judge(case.evidence(), tokens[token], now, rules, len(case.throttled_sources))
        or Unheard(definite=case.answered)
        for token, case in cases.items()
    }
