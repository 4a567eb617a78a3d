"""The service's own node is away while a quote is built or run: no adapter is judged by that."""

from typing import Any

import pytest
from solders.account import Account
from solders.pubkey import Pubkey

from rhumbline.domain.errors import AdaptersFailed, NodeUnavailable, UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.programs import SYSTEM
from tests.routing.svm.pool_venue import PoolVenue
from tests.routing.svm.quote_fixture import SvmQuotes

AMOUNT = 1000 * 10**6


async def away(*_: Any) -> Any:
    raise NodeUnavailable("away")


class Blind(PoolVenue):
    """Cannot check what it would hand out, as the node is away, or as its upstream is."""

    async def build(self, quote: Quote[bool]) -> UpstreamTransaction:
        if self.boast:
            raise UpstreamFailed("does not answer")
        raise UpstreamFailed("cannot be checked: the node does not answer") from NodeUnavailable("away")


@pytest.mark.parametrize("method", ["simulate", "latest_blockhash"])
async def test_an_outage_of_the_node_counts_against_no_adapter(
    quotes: SvmQuotes, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Nothing is asserted, so that only the run could show what it does."""
    chain = quotes.running.server.chain
    chain.set_account(Pubkey.from_string(LIGHTHOUSE), Account(10**9, b"", Pubkey.from_string(SYSTEM)))
    monkeypatch.setattr(SvmRpc, method, away)
    service = quotes.with_(PoolVenue(chain, enforces=False, bounds=False)).service
    with pytest.raises(AdaptersFailed, match="node d"):
        await service.answer(quotes.ask("USDC", "USDT", AMOUNT))
    assert service.failures.share("POOL") == 0


async def test_what_an_adapter_cannot_check_without_the_node_is_no_failure_of_its_upstream(quotes: SvmQuotes) -> None:
    for boast, fails in ((0, False), (1, True)):
        service = quotes.with_(Blind(quotes.running.server.chain, boast=boast)).service
        with pytest.raises(AdaptersFailed):
            await service.answer(quotes.ask("USDC", "USDT", AMOUNT))
        assert (service.failures.share("POOL") > 0) is fails
