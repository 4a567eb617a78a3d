"""A node that says how high the chain is cannot make a transaction hold for ever."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.domain.errors import AdaptersFailed
from rhumbline.routing.svm.composer import SvmComposer
from tests.routing.svm.quote_fixture import KEY, PATIENCE_S, SvmQuotes
from tests.tracking.node import PASS, running_node

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
    assert "what the node says of its height does not fit together" in str(caught.value.details)
