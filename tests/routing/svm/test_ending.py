"""When a transaction ends, by the chain's own pace: slots of 400, 200 and 100 ms."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.running import running_solana
from rhumbline.domain.chain import ChainType
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.block_pace import BlockPace
from rhumbline.gateways.svm.rpc import SvmRpc, SvmRpcError
from rhumbline.routing.svm.composer import SvmComposer
from tests.routing.svm.quote_fixture import KEY, PATIENCE_S, SvmQuotes, quotes_on_solana

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
    async with running_solana(slot_s=None, slot_ms=slot_ms) as running, aiohttp.ClientSession() as session:
        time = Time()
        rpc = SvmRpc(running.server.rpc_url, session, timeout_s=PATIENCE_S, pace=BlockPace(time.passed))
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
