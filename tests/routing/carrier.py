"""A bridge that carries some tokens only, with an exchange beside it whose calls are our own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.routing.evm.verification import decode_bridge
from tests.adapters.onchain.adapter_fixture import open_adapter
from tests.routing.evm.test_composer import DEPOSIT, Crossing, PayBridge, sent
from tests.routing.quote_fixture import QuoteFixture

DAI = 10**18


@dataclass(frozen=True)
class Carrier(PayBridge):
    """A bridge that carries some tokens only; ``error`` is what it says instead of a quote for the others."""

    key: str = "CARRIER"
    carries: frozenset[str] = frozenset({"USDC"})
    error: Exception | None = None

    def supports(self, request: QuoteRequest, /) -> bool:
        return super().supports(request) and request.origin_token.symbol in self.carries

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        if self.error is not None:
            self.asked.append(request)
            raise self.error
        return await super().quote(request)


def onchain(crossing: Crossing) -> Any:
    quotes = crossing.quotes
    return open_adapter(quotes.described, quotes.rpc, quotes.sender).adapter


def calls_of(answer: RouteAnswer) -> tuple[dict[str, Any], Sequence[dict[str, Any]]]:
    assert isinstance(answer.transaction, EvmTransaction)
    decoded: Any = decode_bridge(answer.transaction.data)
    return decoded["order"], decoded["operations"]


async def sent_of(quotes: QuoteFixture, answer: RouteAnswer, token: str) -> int:
    """Execute; return what the deposit address got of a token that is not the input."""
    before = await balance_of(quotes.rpc, token, DEPOSIT)
    await sent(quotes, answer, NATIVE_EVM)
    return await balance_of(quotes.rpc, token, DEPOSIT) - before
