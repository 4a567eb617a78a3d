"""Ways of several steps: by way of what both chains have, and never more than a few."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.domain.account import ApiClient
from rhumbline.domain.chain import Chain
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.routing.shapes import MOST_ANCHORS, MOST_WAYS, anchors, shapes
from tests.routing.venues import WALLET, toy_chain

HERE, THERE = toy_chain(1), toy_chain(2)


def token(chain: Chain, key: str) -> Token:
    return Token(chain.id, f"0x{chain.id}{key}", key, 6, key, key)


def listed(*keys: str) -> Callable[[Chain, str], Token | None]:
    def find(chain: Chain, key: str) -> Token | None:
        key = "WRAPPED" if key == chain.wrapped_native else key
        return token(chain, key) if key in keys else None

    return find


def ways(sold: str, bought: str, *keys: str, there: Chain = THERE) -> list[list[tuple[int, str, int, str]]]:
    request = RouteRequest(HERE, there, "", "", 1, WALLET, WALLET, ApiClient())
    found = shapes(request, token(HERE, sold), token(there, bought), listed(*keys))
    return [
        [(leg.origin.id, leg.sold.symbol, leg.destination.id, leg.bought.symbol) for leg in way.legs] for way in found
    ]


def test_three_steps_by_way_of_stable_coins_the_native_asset_and_its_wrapped_form() -> None:
    assert ways("DAI", "WBTC", "WRAPPED", "ETH", "USDT", "USDC") == [
        [(1, "DAI", 1, anchor), (1, anchor, 2, anchor), (2, anchor, 2, "WBTC")]
        for anchor in ("USDC", "USDT", "ETH", "WRAPPED")
    ]


def test_a_native_asset_of_its_own_goes_before_ether() -> None:
    native = replace(HERE.native, symbol="OWN", coin_key="OWN")
    here = replace(HERE, native=native, wrapped_native=None)
    assert [near.symbol for near, _ in anchors(here, THERE, listed("USDC", "ETH", "OWN", "WRAPPED"), 9)] == [
        "USDC", "OWN", "ETH",
    ]  # fmt: skip


def test_an_asset_under_another_coin_key_is_no_anchor() -> None:
    def find(chain: Chain, key: str) -> Token | None:
        return replace(token(chain, key), coin_key=f"{key}{chain.id}")

    assert anchors(HERE, THERE, find, 9) == []


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
    native = replace(HERE.native, symbol="OWN", coin_key="OWN")
    everything = listed("USDC", "USDT", "ETH", "OWN", "WRAPPED", "BTC")
    here = replace(HERE, native=native)
    request = RouteRequest(here, THERE, "", "", 1, WALLET, WALLET, ApiClient())
    assert len(shapes(request, token(here, "DAI"), token(THERE, "WBTC"), everything)) == MOST_WAYS == 4
    assert [near.symbol for near, _ in anchors(here, THERE, everything)] == ["USDC", "USDT"]
    assert MOST_ANCHORS == 2
