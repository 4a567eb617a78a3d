"""Rise's endpoints and the meaning of its failures."""

from dataclasses import dataclass
from typing import TypeVar

from rhumbline.adapters.rise.wire import Market, MarketAnswer, Offer, OfferAnswer, TransactionAnswer
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

LARGEST = 2**53 - 1
"""The largest amount that Rise can read: its numbers are doubles."""

ERRORS = ErrorTable({404: (NoRoute, "has no market of these tokens")}, lambda status, _: (status,))
"""No code is documented: texts are for people."""

A = TypeVar("A", OfferAnswer, MarketAnswer, TransactionAnswer)


@dataclass(frozen=True, slots=True)
class Trade:
    """A market by its token, whether that is bought or sold, and the input in raw units."""

    market: str
    buys: bool
    amount: int


async def find_offer(http: Upstream, trade: Trade) -> tuple[Market, Offer]:
    """Ask for a market and its output; raise an AdapterError, NoRoute if there is no such market."""
    path = f"/markets/{trade.market}"
    body: Json = {"amount": trade.amount, "direction": "buy" if trade.buys else "sell"}
    market = (await _request(http, MarketAnswer, path)).market
    return market, (await _request(http, OfferAnswer, f"{path}/quote", body)).quote


async def find_transaction(http: Upstream, trade: Trade, wallet: str, minimum: int) -> bytes:
    """Ask for the transaction of a trade that guarantees ``minimum``; raise an AdapterError."""
    input_name, minimum_name = ("cashIn", "minTokenOut") if trade.buys else ("tokenIn", "minCashOut")
    body: Json = {"wallet": wallet, "market": trade.market, input_name: trade.amount, minimum_name: minimum}
    path = "/program/buyToken" if trade.buys else "/program/sellToken"
    return (await _request(http, TransactionAnswer, path, body)).transaction


async def _request(http: Upstream, model: type[A], path: str, body: Json = None) -> A:
    found = read_answer(model, await ERRORS.answer(http.get(path) if body is None else http.post(path, body)))
    if not found.ok:
        raise UpstreamFailed("answered that it has no answer")
    return found
