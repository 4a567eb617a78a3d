"""Recorded bridges: chains and tokens without names, a question between two of them, and the transfer of its answer."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transfer import Transfer

TX = "0xc0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffee0001"


def token(chain_id: int, address: str, symbol: str, decimals: int) -> Token:
    return Token(chain_id, address, symbol, decimals, symbol)


def chain(chain_id: int, kind: ChainType = ChainType.EVM) -> Chain:
    native = token(chain_id, NATIVE_EVM if kind is ChainType.EVM else NATIVE_SVM, "NAT", 18)
    return Chain(chain_id, f"chain-{chain_id}", f"Chain {chain_id}", kind, native, mainnet=True)


def asked(between: tuple[Chain, Chain], tokens: tuple[Token, Token], amount: int, /, **rest: Any) -> QuoteRequest:
    """A question with half a percent of slippage; ``rest`` are its other fields, and what differs."""
    given: dict[str, Any] = {
        "origin": between[0],
        "destination": between[1],
        "origin_token": tokens[0],
        "destination_token": tokens[1],
        "amount": amount,
        "payout_address": rest["receiver"],
        "slippage": Fraction(1, 200),
    }
    return QuoteRequest(**given | rest)


def begun(adapter: str, request: QuoteRequest, min_output: int, /, **rest: Any) -> Transfer:
    """The transfer that a question came to, of noon on 2026-11-21; ``rest`` is what differs."""
    given: dict[str, Any] = {
        "adapter": adapter,
        "origin_chain_id": request.origin.id,
        "destination_chain_id": request.destination.id,
        "tx_hash": TX,
        "log_index": 3,
        "sender": request.sender,
        "receiver": request.receiver,
        "refund_to": request.sender,
        "sent_token": request.origin_token.address,
        "sent_amount": request.amount,
        "output_token": request.destination_token.address,
        "min_output": min_output,
        "reference": None,
        "started_at": datetime(2026, 11, 21, 12, 1, tzinfo=UTC),
    }
    return Transfer(**given | rest)


@asynccontextmanager
async def answering(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    """A server that answers every request so; its URL."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with hosted(app) as url:
        yield url


async def refused(
    opened: AbstractAsyncContextManager[Any],
    error: type[AdapterError],
    ask: Callable[[Any], Awaitable[object]],
    match: str | None = None,
) -> None:
    """Ask the adapter that is opened; it must refuse with this error, whose words match."""
    async with opened as adapter:
        with pytest.raises(error, match=match):
            await ask(adapter)
