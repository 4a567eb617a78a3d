"""What a question to the real upstreams needs, and what is kept of their answers."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.app.chains import Chains
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.evm.deployment import executor_address
from rhumbline.gateways.svm.address import is_address
from tests.adapters.conformance.case import Ask
from tests.live.answers import ReceivedAnswer
from tests.live.asks import SOLANA_WALLET, WALLET

SLIPPAGE = Fraction(1, 100)
NOTES: pytest.StashKey[list[str]] = pytest.StashKey()


@dataclass(frozen=True, slots=True)
class Live:
    """Everything that is asked; ``heard`` are the answers of one test, ``notes`` are printed at the end."""

    settings: Settings
    chains: Chains
    tokens: TokenCatalog
    adapters: Mapping[str, Adapter[Any]]
    heard: list[ReceivedAnswer]
    notes: list[str]
    asked_at: dict[str, float] = field(default_factory=dict)

    def request(self, ask: Ask) -> QuoteRequest:
        """Make the question of an ask."""
        origin, destination = (self.chains.catalog.find(key) for key in (ask.origin, ask.destination))
        assert origin is not None
        assert destination is not None
        given, wanted = (
            chain.native
            if symbol == chain.native.symbol
            else self.tokens.find(chain, symbol) or unlisted(chain, symbol)
            for chain, symbol in ((origin, ask.origin_token), (destination, ask.destination_token))
        )
        assert given is not None
        assert wanted is not None
        sender, receiver = (WALLET if chain.type is ChainType.EVM else SOLANA_WALLET for chain in (origin, destination))
        caller = sender if ask.direct or origin.type is ChainType.SVM else executor_address()
        recipient = caller if origin == destination else receiver
        deadline = int(time.time()) + self.settings.quotes.transaction_ttl_s
        return QuoteRequest(
            origin, destination, given, wanted, ask.amount, sender, receiver, caller, recipient, SLIPPAGE, deadline
        )

    async def pause(self, key: str) -> None:
        """Keep within what the upstream may be asked: a quote and its build are a few calls."""
        rate = next((each.calls_per_s for each in SPECS if each.key == key), None)
        rest = 0.5 if rate is None else 3 / rate
        await asyncio.sleep(max(0.0, self.asked_at.get(key, 0) + rest - time.monotonic()))
        self.asked_at[key] = time.monotonic()
        self.heard.clear()


def unlisted(chain: Chain, address: str) -> Token | None:
    """Return a token of Solana's that is named by its address, as no list has it."""
    return Token(chain.id, address, "", 9, "") if chain.type is ChainType.SVM and is_address(address) else None
