"""Whatever the search answers is explained such that it recomputes."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from rhumbline.liquidity.block_reads import Head
from rhumbline.liquidity.explanation import explanation
from rhumbline.liquidity.explanation_check import check
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.plan import Terms, find_plan
from tests.liquidity.made_market import made_market, token
from tests.liquidity.mixed_market import NATIVE, SHARE, STAKE, mixed_market
from tests.liquidity.test_plan import CASES, PATHS

HEAD = Head(25_000_000, "0x" + "ab" * 32, 7, 1_790_000_000)


def explained(seed: int, worth: float, gas_usd: float, *, forks: bool = True) -> dict[str, Any]:
    """Sell the first token for the sixth, and return the explanation as it is after a way through JSON."""
    market, usd = made_market(seed)
    price = int(gas_usd / 70_000 / usd[1])
    terms = Terms(token(0), token(5), int(worth / usd[0]), token(1), price, forks)
    document = explained_market(market, terms)
    assert document is not None
    return document


def explained_market(market: Market, terms: Terms, paths: Sequence[Sequence[str]] = PATHS) -> dict[str, Any] | None:
    plan = find_plan(market, terms, paths).plan
    if plan is None:
        return None
    head = Head(HEAD.number, HEAD.hash, terms.gas_price, HEAD.timestamp)
    document: dict[str, Any] = json.loads(json.dumps(explanation(1, head, terms, market, plan)))
    return document


@pytest.mark.parametrize(("seed", "worth", "gas_usd"), CASES)
@pytest.mark.parametrize("forks", [True, False])
def test_an_explained_answer_recomputes(seed: int, worth: float, gas_usd: float, forks: bool) -> None:
    document = explained(seed, worth, gas_usd, forks=forks)
    assert check(document) == []
    assert len(document["pools"]) == 30
    assert sum(int(hop["amountIn"]) for hop in document["plan"] if hop["tokenIn"] == token(0)) == int(
        document["input"]["amount"]
    )


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ends", [(NATIVE, 2), (2, 4), (STAKE, SHARE)])
def test_an_answer_over_every_kind_recomputes(seed: int, ends: tuple[int, int]) -> None:
    market, usd = mixed_market(seed)
    terms = Terms(token(ends[0]), token(ends[1]), int(1e5 / usd[ends[0]]), token(NATIVE), 10**9, forks=True)
    document = explained_market(market, terms, [(terms.origin, terms.destination)])
    assert document is not None
    assert check(document) == []
    assert {each["kind"] for each in document["pools"]} == set(PoolKind)


def test_it_says_of_which_block_and_what_simpler_searches_net() -> None:
    document = explained(0, 1e4, 2.0)
    assert document["block"] | {"baseFee": ""} == {
        "number": "25000000", "hash": "0x" + "ab" * 32, "timestamp": "1790000000", "baseFee": "",
    }  # fmt: skip
    assert set(document["floors"]) <= {"single path", "grid"}
    assert all(float(net) <= float(document["gas"]["net"]) for net in document["floors"].values())
