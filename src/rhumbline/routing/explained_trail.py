"""Says of a kept trail, for each adapter, what became of it and why. Pure.

The trail has figures; what they mean by the rule of docs/quotes.md is worked out here, when somebody asks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from rhumbline.domain.route import Order
from rhumbline.domain.trail import Compared, Leaving, OfferNote, Phase, TokenNote, TrailPart, TryNote
from rhumbline.routing.ranking import LONGEST_S, PRICE_DIVISOR, Merits, Score, score

_DIGITS = 8
_SUCCESS = "SUCCESS"


class Verdict(StrEnum):
    """What became of an adapter."""

    CHOSEN = "chosen"
    OUTRANKED = "outranked"
    """It was built and is sound, and another is better."""
    NOT_BUILT = "not_built"
    """It has a quote, and an answer was found before its turn."""
    OFFERED = "offered"
    """It is one of several answers."""
    DROPPED = "dropped"
    """Its quote or transaction has a fault."""
    REFUSED = "refused"
    """It was asked and has no quote."""
    NOT_ASKED = "not_asked"


_OF_PHASE: Mapping[Phase, Verdict] = MappingProxyType(
    {
        Phase.SELECTION: Verdict.NOT_ASKED,
        Phase.QUOTE: Verdict.REFUSED,
        Phase.LIMITS: Verdict.DROPPED,
        Phase.TRIAL: Verdict.DROPPED,
    }
)


@dataclass(frozen=True, slots=True)
class AdapterExplanation:
    """What became of one adapter. ``why`` is a sentence without the adapter's name.

    ``less_usd`` and ``less_share`` are by how much it is worth less than the chosen one, None where that is not known.
    ``quote_ms`` and ``build_ms`` are those of its longest call, None without one. ``kind`` is a refusal's. What it was
    compared by last is ``counted`` of its output, and in USD ``worth_usd`` less ``cost_usd``.
    """

    adapter: str
    verdict: Verdict
    why: str
    kind: str | None = None
    offer: OfferNote | None = None
    tried: TryNote | None = None
    less_usd: Decimal | None = None
    less_share: Fraction | None = None
    quote_ms: int | None = None
    build_ms: int | None = None
    counted: str | None = None
    worth_usd: Decimal | None = None
    cost_usd: Decimal | None = None


def explained(part: TrailPart) -> tuple[AdapterExplanation, ...]:
    """Return what became of each adapter: the chosen one, then the others as they were to be tried, then the rest."""
    return tuple(sorted(_Part(part).each(), key=lambda each: each.verdict is not Verdict.CHOSEN))


def amount_text(raw: str, token: TokenNote) -> str:
    """Return a raw amount in whole tokens with the symbol."""
    whole = Decimal(raw).scaleb(-token.decimals)
    return f"{_short(whole)} {token.symbol}"


def _short(value: Decimal) -> str:
    """Return a number with at most eight digits that count."""
    text = format(Decimal(f"{value:.{_DIGITS}g}"), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


class _Part:
    def __init__(self, part: TrailPart) -> None:
        self._part, self._order = part, Order(part.order)
        self._offers = {each.adapter: each for each in part.offers}
        self._tries = {each.adapter: each for each in part.tries}
        self._left: dict[str, list[Leaving]] = {}
        for leaving in part.left:
            self._left.setdefault(leaving.adapter, []).append(leaving)
        self._crossing = part.origin.chain_id != part.destination.chain_id
        self._chosen = None if part.chosen is None else self._of(part.chosen)

    def each(self) -> Iterator[AdapterExplanation]:
        for offer in sorted(self._part.offers, key=self._rank):
            yield self._explained(offer.adapter)
        for adapter in sorted(self._left.keys() - self._offers.keys(), key=self._place):
            yield self._explained(adapter)

    def _place(self, adapter: str) -> tuple[bool, str]:
        return self._left[adapter][0].phase is Phase.SELECTION, adapter

    def _of(self, adapter: str) -> tuple[OfferNote | None, TryNote | None]:
        return self._offers.get(adapter), self._tries.get(adapter)

    def _explained(self, adapter: str) -> AdapterExplanation:
        offer, tried = self._of(adapter)
        left = self._left.get(adapter, ())
        verdict, why = self._verdict(adapter, offer, tried, left)
        compared = self._compared(offer, tried)
        kind = left[-1].kind if left and verdict in _OF_PHASE.values() else None
        less_usd, less_share = (None, None) if verdict is Verdict.CHOSEN else self._less(compared)
        times = (self._longest(adapter, "quote"), self._longest(adapter, "build"))
        worth = (None, None, None) if compared is None else (compared.counted, *self._in_usd(compared))
        return AdapterExplanation(adapter, verdict, why, kind, offer, tried, less_usd, less_share, *times, *worth)

    def _in_usd(self, compared: Compared) -> tuple[Decimal | None, Decimal | None]:
        """Return worth and costs; None without prices."""
        unit = self._part.unit_usd
        if unit is None:
            return None, None
        return Decimal(compared.gained) * Decimal(unit), Decimal(compared.cost) * Decimal(unit)

    def _score(self, compared: Compared) -> Score:
        charged = Fraction(compared.failed), Fraction(compared.handicap)
        merits = Merits(int(compared.gained), int(compared.cost), compared.seconds, *charged)
        return score(merits, self._order)

    def _rank(self, offer: OfferNote) -> tuple[object, ...]:
        """Return the sort key of `RankingContext.place`."""
        first, second = self._score(offer.compared)
        return -first, -second, -int(offer.output), offer.compared.seconds, offer.adapter

    def _compared(self, offer: OfferNote | None, tried: TryNote | None) -> Compared | None:
        """Return what an answer was compared by: on one chain as measured, across chains as it was offered."""
        if not self._crossing and tried is not None and tried.compared is not None:
            return tried.compared
        return None if offer is None else offer.compared

    def _longest(self, adapter: str, call: str) -> int | None:
        return max((each.ms for each in self._part.calls if (each.adapter, each.call) == (adapter, call)), default=None)

    def _verdict(
        self, adapter: str, offer: OfferNote | None, tried: TryNote | None, left: Sequence[Leaving]
    ) -> tuple[Verdict, str]:
        part = self._part
        if adapter == part.chosen:
            return Verdict.CHOSEN, self._why_chosen(tried)
        if left and (offer is None or left[-1].phase in (Phase.LIMITS, Phase.TRIAL)):
            last = left[-1]
            return _OF_PHASE[last.phase], last.reason
        if offer is None:
            return Verdict.REFUSED, "said nothing that is kept"
        if part.chosen is None:
            built = tried is not None and tried.compared is not None
            return Verdict.OFFERED, "is built and run" if built else "is an estimate"
        if tried is None or tried.compared is None:
            return Verdict.NOT_BUILT, self._why_not_built(offer)
        return Verdict.OUTRANKED, self._why_outranked(tried, tried.compared)

    def _why_chosen(self, tried: TryNote | None) -> str:
        sound = [each for each in self._part.tries if each.compared is not None]
        among = f"of {len(sound)} that were built" if len(sound) > 1 else f"of {len(self._part.offers)} offers"
        run = "" if tried is None or tried.simulated != _SUCCESS else ", and its run succeeded"
        return f"is the best {among} by {self._part.order}{run}"

    def _why_not_built(self, offer: OfferNote) -> str:
        chosen = self._chosen
        if offer.fee_left_out and chosen and chosen[0] is not None and not chosen[0].fee_left_out:
            return "takes no fee that was asked for, so it counts only where no other is sound"
        return self._difference(offer.compared, "promises") or "was not built: an answer was found before its turn"

    def _why_outranked(self, tried: TryNote, compared: Compared) -> str:
        chosen = None if self._chosen is None else self._chosen[1]
        if chosen is not None and chosen.simulated == _SUCCESS and tried.simulated != _SUCCESS:
            return "its run did not show what it gives, and one that was seen comes first"
        return self._difference(compared, "counts with") or f"is worth no more than {self._part.chosen}"

    def _difference(self, compared: Compared, says: str) -> str | None:
        """Return in words by how much an answer is worse than the chosen one; None if it is not, by its figures."""
        best = self._best()
        if best is None:
            return None
        if self._order is Order.FASTEST and compared.seconds > best.seconds:
            return f"takes {compared.seconds} s, and {self._part.chosen} {best.seconds} s"
        less_usd, share = self._less(compared)
        if share is None or share <= 0:
            return None
        amount = amount_text(compared.counted, self._part.destination)
        cost_usd = self._in_usd(compared)[1]
        cost = "" if cost_usd is None else f" less {_short(cost_usd)} USD of costs"
        lost = [] if less_usd is None else [f"{_short(less_usd)} USD"]
        # Of an amount worth less than its gas a share says nothing.
        lost += [f"{float(share * 100):.3g} %"] if share < 1 else []
        return f"{says} {amount}{cost}: {' or '.join(lost)} less than {self._part.chosen}"

    def _best(self) -> Compared | None:
        return None if self._chosen is None else self._compared(*self._chosen)

    def _less(self, compared: Compared | None) -> tuple[Decimal | None, Fraction | None]:
        """Return by how much an answer is worth less than the chosen one, in USD and as a share of that one's worth."""
        best = self._best()
        if best is None or compared is None:
            return None, None
        # What a transfer's time and failures cost is part of the value by which answers are recommended.
        divisor = PRICE_DIVISOR * LONGEST_S if self._order is Order.RECOMMENDED else 1
        place = 1 if self._order is Order.FASTEST else 0
        less = Fraction(self._score(best)[place] - self._score(compared)[place]) / divisor
        worth = int(best.gained)
        unit = self._part.unit_usd
        usd = None if unit is None else Decimal(less.numerator) / less.denominator * Decimal(unit)
        return usd, less / worth if worth else None
