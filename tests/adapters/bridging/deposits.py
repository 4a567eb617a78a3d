"""What a transaction's logs say of a deposit, read as ``LogPattern`` words it; and whether a run shows it."""

from dataclasses import replace
from typing import Any

from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.adapter_fixture import AdapterFixture


async def deposited(adapter_fixture: AdapterFixture, chain: str, tx_hash: str, deposit: BridgeDeposit) -> int | None:
    """The amount that the deposit's one log tells, None where its event tells none; it must be there exactly once."""
    pattern = deposit.log
    assert pattern is not None
    receipt: Any = await adapter_fixture.rpcs[chain].call("eth_getTransactionReceipt", [tx_hash])
    emitter, event = pattern.emitter.lower(), "0x" + (pattern.topics[0] or b"").hex()
    alike = [log for log in receipt["logs"] if (log["address"].lower(), log["topics"][0]) == (emitter, event)]
    assert len(alike) == 1
    return told(pattern, alike[0])


def told(pattern: LogPattern, log: Any) -> int | None:
    topics = [bytes.fromhex(each[2:]) for each in log["topics"]]
    data = bytes.fromhex(log["data"][2:])
    assert len(topics) == len(pattern.topics)
    assert all(wanted in (None, found) for wanted, found in zip(pattern.topics, topics, strict=True))
    for place, word in pattern.words.items():
        assert len(word) == 32
        assert data[32 * place : 32 * place + 32] == word
    at = pattern.amount_at
    return None if at is None else int.from_bytes(data[32 * at : 32 * at + 32])


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
    if deposit.log is not None:
        assert await deposited(adapter_fixture, request.origin.key, transfer.tx_hash, deposit) == request.amount
    return deposit
