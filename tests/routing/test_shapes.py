"""Ways of several steps: by way of what both chains have, and never more than a few."""

from collections.abc import Callable
from typing import Any

import pytest

from rhumbline.domain.account import ApiClient
from rhumbline.domain.chain import Chain
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.routing.shapes import MOST_ANCHORS, shapes
from tests.routing.venues import WALLET, toy_chain

HERE, THERE = toy_chain(1), toy_chain(2)


def token(chain: Chain, key: str) -> Token:
    return Token(chain.id, f"0x{chain.id}{key}", key, 6, key, key)


def listed(*keys: str) -> Callable[[Chain, str], Token | None]:
    def find(chain: Chain, key: str) -> Token | None:
        return token(chain, key) if key in keys else None

    return find


def ways(sold: str, bought: str, *keys: str, there: Chain = THERE) -> list[list[tuple[int, str, int, str]]]:
    request = RouteRequest(HERE, there, "", "", 1, WALLET, WALLET, ApiClient())
    found = shapes(request, token(HERE, sold), token(there, bought), listed(*keys))
    return [
        [(leg.origin.id, leg.sold.symbol, leg.destination.id, leg.bought.symbol) for leg in way.legs] for way in found
    ]


def test_three_steps_by_way_of_the_stable_coin_and_then_another() -> None:
    assert ways("DAI", "WBTC", "USDC", "USDT", "ETH") == [
        [(1, "DAI", 1, "USDC"), (1, "USDC", 2, "USDC"), (2, "USDC", 2, "WBTC")],
        [(1, "DAI", 1, "USDT"), (1, "USDT", 2, "USDT"), (2, "USDT", 2, "WBTC")],
    ]


@pytest.mark.parametrize(
    ("sold", "bought", "way"),
    [
        ("USDC", "WBTC", [(1, "USDC", 2, "USDC"), (2, "USDC", 2, "WBTC")]),
        ("DAI", "USDC", [(1, "DAI", 1, "USDC"), (1, "USDC", 2, "USDC")]),
    ],
)
def test_what_is_an_anchor_already_needs_no_trade(sold: str, bought: str, way: list[Any]) -> None:
    assert ways(sold, bought, "USDC") == [way]


def test_one_step_is_no_way_of_several() -> None:
    assert ways("USDC", "USDC", "USDC") == []
    assert ways("DAI", "WBTC", "USDC", there=HERE) == []
    assert ways("DAI", "WBTC") == []


def test_the_work_is_bounded() -> None:
    assert len(ways("DAI", "WBTC", "USDC", "USDT", "ETH", "BTC")) == MOST_ANCHORS
