"""A client that waits for the last height of an answer before it tries again trades once, and never twice."""

import asyncio
import json
from base64 import b64encode
from pathlib import Path
from typing import Any

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chains import running_solana
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.routing.svm.quote_fixture import PATIENCE_S, SENDER, SvmQuotes, quotes_on_solana

USDC = 10**6
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
