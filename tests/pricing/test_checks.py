"""Claims of tokens to ask for, by several processes at once on a real PostgreSQL."""

import asyncio
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.price import PriceKey
from rhumbline.pricing.checks import CLAIMED_FOR, PriceCheck, PriceChecks
from tests.pricing.exchange import NOW

TOKENS: tuple[PriceKey, ...] = tuple((1 + number % 2, f"0x{number:040d}") for number in range(200))
SECOND = timedelta(seconds=1)


async def test_each_token_is_claimed_by_one(store_engine: AsyncEngine) -> None:
    checks = PriceChecks(store_engine)
    # Each in another order: whoever is second waits, and no two wait for each other.
    wanted = [dict.fromkeys(TOKENS[place:] + TOKENS[:place]) for place in range(0, 200, 25)]
    claimed = await asyncio.gather(*(checks.claim(each, NOW) for each in wanted))
    assert sorted(token for each in claimed for token in each) == sorted(TOKENS)


async def test_what_was_checked_since_one_looked_is_not_claimed_again(store_engine: AsyncEngine) -> None:
    checks, (token, other, *_) = PriceChecks(store_engine), TOKENS
    assert await checks.claim({token: None, other: None}, NOW) == {token, other}
    await checks.settle({token: PriceCheck(NOW, NOW, is_known=True), other: PriceCheck(NOW + SECOND, None, False)})
    assert await checks.claim({token: None}, NOW + SECOND) == frozenset()
    assert await checks.claim({token: NOW - SECOND}, NOW + SECOND) == frozenset()
    assert await checks.claim({other: None}, NOW) == frozenset(), "nobody has an answer, so all wait alike"
    assert await checks.claim({token: NOW, other: None}, NOW + SECOND) == {token, other}
    found = await checks.found([token, other, TOKENS[2]])
    assert found == {
        token: PriceCheck(NOW + SECOND + CLAIMED_FOR, NOW, is_known=True),
        other: PriceCheck(NOW + SECOND + CLAIMED_FOR, None, is_known=False),
    }


async def test_a_claim_that_is_not_settled_runs_out(store_engine: AsyncEngine) -> None:
    checks, token = PriceChecks(store_engine), TOKENS[0]
    await checks.claim({token: None}, NOW)
    assert not await checks.claim({token: None}, NOW + CLAIMED_FOR - SECOND)
    assert await checks.claim({token: None}, NOW + CLAIMED_FOR) == {token}


async def test_old_checks_are_forgotten(store_engine: AsyncEngine) -> None:
    checks, (old, new, *_) = PriceChecks(store_engine), TOKENS
    await checks.claim({old: None}, NOW)
    await checks.claim({new: None}, NOW + 2 * SECOND)
    await checks.forget(NOW + CLAIMED_FOR + SECOND)
    assert set(await checks.found([old, new])) == {new}
