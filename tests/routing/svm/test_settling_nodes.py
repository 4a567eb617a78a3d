"""A Solana node that answers half of what it is asked, where a request is settled."""

from dataclasses import replace

import pytest
from solders.account import Account
from solders.pubkey import Pubkey

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest
from rhumbline.gateways.svm.programs import SYSTEM
from tests.routing.svm.quote_fixture import SvmQuotes

USDC = 10**6


async def test_a_listed_token_that_the_node_does_not_know_is_the_nodes_fault(quotes: SvmQuotes) -> None:
    """It is far behind, on another cluster, or answers half; one that is on no list may be the caller's mistake."""
    mint = Pubkey.from_string(quotes.token("USDT"))
    quotes.running.server.chain.set_account(mint, Account(10**9, b"", Pubkey.from_string(SYSTEM)))
    with pytest.raises(AdaptersFailed, match="node does not answer, so accounts are not known now"):
        await quotes.service.answer(quotes.ask("USDC", "USDT", 100 * USDC))
    tokens = [replace(each, listed=False) for each in quotes.service.tokens.listed(quotes.chain.id)]
    read_before = replace(quotes.service, tokens=TokenCatalog([quotes.chain], tokens, {}))
    with pytest.raises(InvalidRequest) as caught:
        await read_before.answer(quotes.ask("USDC", "USDT", 100 * USDC))
    assert caught.value.faults == ("destinationCurrency: there is no token at this address on Sandbox Solana",)
