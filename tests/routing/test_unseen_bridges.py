"""Across chains a transfer that was not seen to be taken over comes after one that was, whatever it stands for."""

from dataclasses import dataclass, replace

import pytest

from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.routing.search import MOST_UNSEEN
from tests.routing.quote_fixture import QuoteFixture
from tests.routing.test_bridging import Crossing, PayBridge, both, crossing
from tests.routing.test_search import odd

__all__ = ["crossing"]
AMOUNT = 10**9


@dataclass(frozen=True)
class Better(PayBridge):
    """Stands for more than the plain one, by so many thousandths."""

    by: int = 1

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        quote = await super().quote(request)
        return replace(quote, output_amount=quote.output_amount * (1000 + self.by) // 1000)


def late(crossing: Crossing, *keys: str) -> QuoteFixture:
    """The service with both bridges, whose runs come too late for some."""
    better = (Better(both(crossing), key=key, by=9 - n) for n, key in enumerate(("FIRST", "SECOND", "THIRD")))
    return odd(crossing.with_(PayBridge(both(crossing), key="SEEN"), *better), *keys)


@pytest.mark.parametrize("unseen", [("FIRST",), ("FIRST", "SECOND")])
async def test_one_that_was_seen_comes_first(crossing: Crossing, unseen: tuple[str, ...]) -> None:
    answer = await late(crossing, *unseen).service.answer(crossing.ask("USDC", "USDC", AMOUNT))
    assert answer.adapter == ("SECOND" if len(unseen) == 1 else "THIRD")
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS


async def test_of_a_few_that_were_not_the_first_is_answered(crossing: Crossing) -> None:
    """It is not hidden, and not everybody is asked to build for it."""
    assert MOST_UNSEEN == 3
    answer = await late(crossing, "FIRST", "SECOND", "THIRD").service.answer(crossing.ask("USDC", "USDC", AMOUNT))
    assert answer.adapter == "FIRST"
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.TIMEOUT
