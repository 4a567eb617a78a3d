"""Rise's endpoints, and what its failures mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from rhumbline.adapters.rise.wire import Market, MarketAnswer, Offer, OfferAnswer, TransactionAnswer
from rhumbline.domain.errors import AdapterError, NoRoute, UpstreamFailed
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, read_answer

LARGEST = 2**53 - 1
"""The largest amount that Rise can read: its numbers are doubles."""

A = TypeVar("A", OfferAnswer, MarketAnswer, TransactionAnswer)


@dataclass(frozen=True, slots=True)
class Trade:
    """A market by its token, whether that is bought or sold, and how much goes in, in raw units."""

    market: str
    buys: bool
    amount: int


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return what goes with every call."""
    return {"x-api-key": credentials["api_key"]}


async def find_offer(http: Upstream, trade: Trade) -> tuple[Market, Offer]:
    """Ask what a market is and what it gives; raise an AdapterError, NoRoute where there is no such market."""
    path = f"/markets/{trade.market}"
    body: Json = {"amount": trade.amount, "direction": "buy" if trade.buys else "sell"}
    market = (await _asked(http, MarketAnswer, path)).market
    return market, (await _asked(http, OfferAnswer, f"{path}/quote", body)).quote


async def find_transaction(http: Upstream, trade: Trade, wallet: str, minimum: int) -> bytes:
    """Ask for the transaction of a trade that guarantees ``minimum``; raise an AdapterError."""
    given, least = ("cashIn", "minTokenOut") if trade.buys else ("tokenIn", "minCashOut")
    body: Json = {"wallet": wallet, "market": trade.market, given: trade.amount, least: minimum}
    path = "/program/buyToken" if trade.buys else "/program/sellToken"
    return (await _asked(http, TransactionAnswer, path, body)).transaction


async def _asked(http: Upstream, model: type[A], path: str, body: Json = None) -> A:
    try:
        found = read_answer(model, await (http.get(path) if body is None else http.post(path, body)))
    except UpstreamError as error:
        raise _failure(error) from error
    if not found.ok:
        raise UpstreamFailed("answered that it has no answer")
    return found


def _failure(error: UpstreamError) -> AdapterError:
    # No code is documented: texts are for people.
    if isinstance(error, UpstreamRefused) and error.status == 404:
        return NoRoute("has no market of these tokens")
    return failure_of(error)
