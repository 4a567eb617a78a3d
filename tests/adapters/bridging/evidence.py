"""Whether a run shows the deposit that an adapter says it shows."""

from dataclasses import replace
from typing import Any

from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.bridging.adapter_fixture import AdapterFixture


async def expect_deposit_seen(adapter_fixture: AdapterFixture, request: QuoteRequest) -> BridgeDeposit:
    """Quote, build and execute; the holders gain exactly the amount, and the log is there once, and says it."""
    quote, built = await adapter_fixture.quoted(request)
    deposit = built.deposit
    assert deposit is not None
    assert (deposit.least, deposit.swapped) == (request.amount, False)
    gained = replace(request.origin_token, address=deposit.token)
    before = [await adapter_fixture.balance(gained, holder) for holder in deposit.holders]
    transfer = await adapter_fixture.execute(quote, built)
    after = [await adapter_fixture.balance(gained, holder) for holder in deposit.holders]
    assert sum(after) - sum(before) == request.amount
    receipt: Any = await adapter_fixture.rpcs[request.origin.key].call("eth_getTransactionReceipt", [transfer.tx_hash])
    if deposit.log is not None:
        assert amounts(deposit.log, receipt["logs"]) == [request.amount]
    return deposit


def amounts(pattern: LogPattern, logs: Any) -> list[int]:
    """What the logs of the pattern's emitter with its event tell; AssertionError for one that is not of the pattern."""
    assert pattern.amount_at is not None
    found: list[int] = []
    for log in logs:
        topics = [bytes.fromhex(each[2:]) for each in log["topics"]]
        if log["address"].lower() != pattern.emitter.lower() or topics[0] != pattern.topics[0]:
            continue
        data = bytes.fromhex(log["data"][2:])
        words = {number: data[32 * number : 32 * number + 32] for number in range(len(data) // 32)}
        assert len(topics) == len(pattern.topics)
        assert all(wanted in (None, told) for wanted, told in zip(pattern.topics, topics, strict=True))
        assert {number: words[number] for number in pattern.words} == dict(pattern.words)
        found.append(int.from_bytes(words[pattern.amount_at]))
    return found
