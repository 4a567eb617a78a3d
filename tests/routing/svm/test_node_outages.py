"""The service's own node is away or lies: no adapter is judged by that, and no transaction holds for ever."""

from dataclasses import replace
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
from rhumbline.routing.svm.composer import SvmComposer
from tests.routing.svm.pool_venue import PoolVenue
from tests.routing.svm.quote_fixture import KEY, PATIENCE_S, SvmQuotes
from tests.tracking.node import PASS, running_node

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


USDC = 10**6
FAR = 2**62


@pytest.mark.parametrize("lying", [["getLatestBlockhash"], ["getEpochInfo"], ["getLatestBlockhash", "getEpochInfo"]])
async def test_heights_that_do_not_fit_together(quotes: SvmQuotes, lying: list[str]) -> None:
    blockhash, epoch = [await quotes.rpc.call(method) for method in ("getLatestBlockhash", "getEpochInfo")]
    assert isinstance(blockhash, dict)
    assert isinstance(epoch, dict)
    lies = {
        "getLatestBlockhash": {**blockhash, "value": {**blockhash["value"], "lastValidBlockHeight": FAR}},
        "getEpochInfo": {**epoch, "blockHeight": FAR},
    }

    def answer(method: str, _: list[Any]) -> object:
        return {"result": lies[method]} if method in lying else PASS

    async with running_node(quotes.rpc.url, quotes.rpc.http) as node:
        node.answer = answer
        rpc = replace(quotes.rpc, url=node.rpc.url)
        composers = {quotes.chain.type: SvmComposer((KEY,), {quotes.chain.id: rpc}, PATIENCE_S)}
        service = replace(quotes.service, composers=composers)
        with pytest.raises(AdaptersFailed) as caught:
            await service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert "the node's answers about its height contradict each other" in str(caught.value.details)
