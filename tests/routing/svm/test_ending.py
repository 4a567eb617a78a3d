"""When a transaction ends, by the chain's own pace: slots of 400, 200 and 100 ms."""

import asyncio
import json
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chains import running_solana
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import AdaptersFailed
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.block_pace import BlockPace
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.routing.svm.composer import SvmComposer
from tests.routing.svm.quote_fixture import KEY, PATIENCE_S, SENDER, SvmQuotes, quotes_on_solana
from tests.routing.svm.sealing_venue import SealingVenue

USDC = 10**6
STARTED = 1_900_000_000


@dataclass
class Time:
    """The service's clocks, which go on with the chain's slots alone."""

    seconds: float = 0.0

    def passed(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime.fromtimestamp(STARTED, UTC) + timedelta(seconds=self.seconds)


@dataclass
class Pair:
    """Time, and a chain and its service in it."""

    quotes: SvmQuotes
    time: Time
    slot_ms: int

    def wait(self, seconds: float) -> None:
        self.quotes.running.server.chain.advance(round(seconds * 1000 / self.slot_ms))
        self.time.seconds += seconds

    async def answer(self) -> RouteAnswer:
        return await self.quotes.service.answer(self.quotes.ask("USDC", "USDT", 1000 * USDC))

    async def send(self, answer: RouteAnswer) -> None:
        assert isinstance(answer.transaction, SvmTransaction)
        message = VersionedTransaction.from_bytes(answer.transaction.data).message
        await self.quotes.rpc.send(bytes(VersionedTransaction(message, [keypair(0)])))


@pytest.mark.parametrize("slot_ms", [400, 200, 100])
async def test_it_ends_when_it_says(slot_ms: int) -> None:
    async with running_solana(slot_s=None, slot_ms=slot_ms) as running, HttpClient() as http:
        time = Time()
        rpc = SvmRpc(
            running.server.rpc_url, http, timeout_s=PATIENCE_S, pace=BlockPace(time.passed), moment=Moment(time.passed)
        )
        quotes = quotes_on_solana(running, rpc)
        composers = {ChainType.SVM: SvmComposer((KEY,), {quotes.chain.id: rpc}, PATIENCE_S, clock=time.now)}
        pair = Pair(quotes.with_(*quotes.service.adapters, composers=composers, clock=time.now), time, slot_ms)
        await rpc.block_height()
        pair.wait(6)
        first, second = await pair.answer(), await pair.answer()
        assert first.expires_at is not None
        life = first.expires_at - STARTED - 6
        assert life == 150 * slot_ms // 1000
        pair.wait(life - 1)
        await pair.send(first)
        assert isinstance(second.transaction, SvmTransaction)
        assert await rpc.block_height() <= second.transaction.last_valid_block_height
        pair.wait(1.2)
        assert await rpc.block_height() > second.transaction.last_valid_block_height
        with pytest.raises(SvmRpcError, match="Blockhash not found"):
            await pair.send(second)


@pytest.mark.parametrize(("slot_ms", "age"), [(400, 44), (200, 14), (100, 6)])
async def test_a_sealed_message_leaves_time_to_sign(slot_ms: int, age: int) -> None:
    """What was sealed so many seconds ago is handed out, and three seconds later it is not, at any pace."""
    async with running_solana(slot_s=None, slot_ms=slot_ms) as running, HttpClient() as http:
        time = Time()
        rpc = SvmRpc(
            running.server.rpc_url, http, timeout_s=PATIENCE_S, pace=BlockPace(time.passed), moment=Moment(time.passed)
        )
        quotes = quotes_on_solana(running, rpc)
        chain = running.server.chain
        pair = Pair(quotes, time, slot_ms)
        await rpc.block_height()
        pair.wait(6)
        sealed, ends = chain.blockhash(), (await rpc.latest_blockhash()).last_valid_block_height
        composers = {ChainType.SVM: SvmComposer((KEY,), {quotes.chain.id: rpc}, PATIENCE_S, clock=time.now)}
        venue = SealingVenue(chain, blockhash=sealed, ends=ends)
        pair = Pair(quotes.with_(venue, composers=composers, clock=time.now), time, slot_ms)
        pair.wait(age)
        answer = await pair.answer()
        assert answer.expires_at is not None
        assert 0 <= STARTED + 6 + 150 * slot_ms / 1000 - answer.expires_at <= 1
        pair.wait(3)
        with pytest.raises(AdaptersFailed) as caught:
            await pair.answer()
        assert "expires before it could be sent" in str(caught.value.details)


SCRIPT = Path(__file__).with_name("wait_it_out.mjs")


async def waited_out(quotes: SvmQuotes, answer: RouteAnswer) -> dict[str, Any]:
    """Have the client send an answer, and wait until it says how that ended."""
    assert isinstance(answer.transaction, SvmTransaction)
    want = {
        "rpc": quotes.running.server.rpc_url, "ws": quotes.running.server.ws_url, "secret": str(keypair(0)),
        "data": b64encode(answer.transaction.data).decode(),
        "lastValidBlockHeight": answer.transaction.last_valid_block_height,
    }  # fmt: skip
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec("node", str(SCRIPT), json.dumps(want), stdout=pipe, stderr=pipe)
    out, words = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, words.decode()
    found: dict[str, Any] = json.loads(out)
    return found


async def test_who_waits_for_the_last_height_trades_once() -> None:
    async with running_solana(slot_s=0.2, slot_ms=200) as running, HttpClient() as http:
        quotes = quotes_on_solana(running, SvmRpc(running.server.rpc_url, http, timeout_s=PATIENCE_S))
        asked = quotes.ask("USDC", "USDT", 1000 * USDC)
        had = await quotes.balance(SENDER, "USDT")
        lost = await quotes.service.answer(asked)
        # As if the wallet had been shut for half a minute: no block takes it any more.
        running.server.chain.advance(152)
        first = await waited_out(quotes, lost)
        assert first["ended"] is True
        assert await quotes.rpc.statuses([first["signature"]]) == (None,)
        again = await quotes.service.answer(asked)
        second = await waited_out(quotes, again)
        assert second["ended"] is False
        assert await quotes.balance(SENDER, "USDT") - had == again.output_amount
