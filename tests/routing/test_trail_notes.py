"""What is noted of a quote on the sandbox, and how it is explained: who was asked, what it was worth, why it lost."""

from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import SlippageExceeded, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import AdapterFilter, RouteRequest
from rhumbline.domain.trail import Phase, Trail
from rhumbline.routing.explained_trail import AdapterExplanation, Verdict, explained
from rhumbline.routing.planner import Planner
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.test_quote_service import paused
from tests.routing.test_search import dollars, honest, skimmer
from tests.routing.venues import PoolVenue

AMOUNT = 1_500_000_000


class Broken(PoolVenue):
    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        raise UpstreamFailed(f"{request.sender} made it fail")


def trailed(quotes: QuoteFixture, **changes: Any) -> tuple[RouteRequest, Trail]:
    trail = Trail("one", "/v1/quotes", datetime.fromtimestamp(0).astimezone())
    request = quotes.ask("USDC", "WETH", AMOUNT, trail=trail, **changes)
    trail.wallets = frozenset({request.sender, request.receiver})
    return request, trail


def by_adapter(trail: Trail) -> dict[str, AdapterExplanation]:
    trail.make_notes()
    (part,) = trail.parts
    return {each.adapter: each for each in explained(part)}


async def test_every_adapter_has_its_reason(quotes: QuoteFixture) -> None:
    here = quotes.with_(
        honest(quotes),
        honest(quotes, key="DEAR", fee=3000),
        skimmer(quotes, key="WORST", boasted=Fraction(0), told=Fraction(1, 10)),
        skimmer(quotes, key="LIAR", skimmed=Fraction(1, 10)),
        Broken(quotes.described, quotes.rpc, key="BROKEN"),
        honest(quotes, key="UNWANTED"),
        honest(quotes, key="PAUSED"),
        prices=dollars(quotes),
        pauses=paused("PAUSED", None),
    )
    request, trail = trailed(quotes, adapters=AdapterFilter(exclude_exchanges=frozenset({"UNWANTED"})))
    answer = await here.service.answer(request)
    assert trail.parts == [], "notes are made after the answer"
    trail.make_notes()
    (part,) = trail.parts
    assert (answer.adapter, part.chosen, trail.transaction_id) == ("POOL", "POOL", answer.transaction_id)
    assert trail.answers[0].minimum == str(answer.min_output_amount)
    found = by_adapter(trail)
    verdicts = {key: (each.verdict, each.kind) for key, each in found.items()}
    assert verdicts == {
        "POOL": (Verdict.CHOSEN, None),
        "DEAR": (Verdict.OUTRANKED, None),
        "WORST": (Verdict.NOT_BUILT, None),
        "LIAR": (Verdict.DROPPED, "slippage"),
        "BROKEN": (Verdict.REFUSED, "transient"),
        "UNWANTED": (Verdict.NOT_ASKED, "excluded"),
        "PAUSED": (Verdict.NOT_ASKED, "disabled"),
    }
    best, dear = found["POOL"], found["DEAR"]
    assert best.tried is not None
    assert (best.tried.simulated, best.tried.measured) == ("SUCCESS", str(answer.output_amount))
    assert float(best.worth_usd or 0) == pytest.approx(answer.output_amount * 3000 / 1e18, abs=1e-5)
    assert dear.offer is not None
    assert dear.less_usd is not None
    lost = (answer.output_amount - int(dear.offer.output)) * 3000 / 1e18
    assert float(dear.less_usd) == pytest.approx(lost, rel=0.05)
    assert dear.why.startswith("counts with ")
    assert dear.why.endswith("less than POOL")
    assert found["WORST"].why.startswith("promises ")
    assert found["BROKEN"].why == "(a wallet) made it fail"
    assert found["PAUSED"].why == "is paused by the operator"
    assert {each.call for each in part.calls if each.adapter == "POOL"} == {"quote", "build"}
    assert found["UNWANTED"].quote_ms is None


async def test_two_that_were_built_are_compared_as_they_were_measured(quotes: QuoteFixture) -> None:
    """The first breaks its promise by a twentieth of a percent, so that the second is built too, and wins."""
    liar = skimmer(quotes, boasted=Fraction(0), skimmed=Fraction(1, 2000))
    here = quotes.with_(liar, honest(quotes, key="ZPOOL"), prices=dollars(quotes))
    request, trail = trailed(quotes)
    assert (await here.service.answer(request)).adapter == "ZPOOL"
    found = by_adapter(trail)
    assert found["SKIMMER"].verdict is Verdict.OUTRANKED
    assert found["SKIMMER"].why.startswith("counts with ")
    assert found["SKIMMER"].less_share is not None
    assert float(found["SKIMMER"].less_share) == pytest.approx(1 / 2000, rel=0.2)


async def test_without_prices_outputs_are_compared(quotes: QuoteFixture) -> None:
    here = quotes.with_(honest(quotes), honest(quotes, key="DEAR", fee=3000))
    request, trail = trailed(quotes)
    await here.service.answer(request)
    dear = by_adapter(trail)["DEAR"]
    assert (dear.counted is not None, dear.worth_usd, dear.less_usd) == (True, None, None)
    assert "% less than POOL" in dear.why
    assert "USD" not in dear.why


async def test_a_refusal_keeps_every_reason(quotes: QuoteFixture) -> None:
    here = quotes.with_(skimmer(quotes, key="LIAR", skimmed=Fraction(1, 10)))
    request, trail = trailed(quotes)
    with pytest.raises(SlippageExceeded):
        await here.service.answer(request)
    trail.make_notes()
    (part,) = trail.parts
    assert (part.chosen, trail.answers) == (None, [])
    assert [(each.adapter, each.phase) for each in part.left] == [("LIAR", Phase.TRIAL)]


async def test_plans_and_steps_are_noted_too(quotes: QuoteFixture) -> None:
    here = quotes.with_(honest(quotes), honest(quotes, key="DEAR", fee=3000), prices=dollars(quotes))
    request, trail = trailed(quotes)
    plans = await Planner(here.service, (KEY,)).routes(request, 3)
    trail.make_notes()
    assert [each.adapters for each in trail.answers] == [(plan.steps[0].adapter,) for plan in plans]
    assert trail.transaction_id is None
    assert {each.verdict for each in by_adapter(trail).values()} == {Verdict.OFFERED}


async def test_nothing_is_noted_of_a_request_without_a_trail(quotes: QuoteFixture) -> None:
    here = quotes.with_(honest(quotes), clock=system_clock)
    request = quotes.ask("USDC", "WETH", AMOUNT)
    offers = await here.service.gather(await here.service.prepare(request))
    assert offers.calls is None
    assert replace(request, trail=trailed(quotes)[1]) == request, "a trail is no part of what is asked"
