"""A wallet behind WalletConnect's relay: its protocol is spoken by remote_wallet.mjs, its keys are here."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.node_program import bundled
from tests.portal.chromium import PATIENCE_S
from tests.portal.wallet import TestWallet, WalletRefusal
from tests.portal.wallet_relay import PROJECT, WalletRelay

SCRIPT = Path(__file__).with_suffix(".mjs")
METHODS = ("eth_sendTransaction",)


@dataclass
class RemoteWallet:
    """``said`` is what it told, a line each."""

    wallet: TestWallet
    process: asyncio.subprocess.Process
    said: list[dict[str, Any]] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def tell(self, **said: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(said).encode() + b"\n")
        await self.process.stdin.drain()

    async def listen(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            said = json.loads(line)
            self.said.append(said)
            self._news.set()
            if "asked" in said:
                await self._answer(said["asked"])

    async def _answer(self, asked: dict[str, Any]) -> None:
        self.wallet.chain_id = int(asked["chainId"].removeprefix("eip155:"))
        given: dict[str, object] = {"id": asked["id"], "topic": asked["topic"]}
        try:
            given["result"] = await self.wallet.request(asked["request"]["method"], asked["request"]["params"])
        except WalletRefusal as refusal:
            given["error"] = {"code": refusal.code, "message": str(refusal)}
        await self.tell(answer=given)

    async def heard(self, name: str) -> Any:
        """Wait until it has told something of this name."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for said in self.said:
                    if name in said:
                        return said[name]
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def running_remote_wallet(
    relay: WalletRelay,
    wallet: TestWallet,
    chains: Sequence[int],
    *,
    refuses: bool = False,
    accounts: Sequence[str] | None = None,
) -> AsyncIterator[RemoteWallet]:
    """Run one with an account on these chains, until the block ends."""
    own = [f"eip155:{chain}:{wallet.address}" for chain in chains]
    given = {"relay": relay.url, "project": PROJECT, "methods": METHODS, "refuses": refuses}
    process = await asyncio.create_subprocess_exec(
        "node",
        str(bundled(SCRIPT)),
        json.dumps({**given, "accounts": own if accounts is None else accounts}),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    remote = RemoteWallet(wallet, process)
    listening = asyncio.create_task(remote.listen())
    try:
        yield remote
    finally:
        listening.cancel()
        process.kill()
        await process.wait()
        await asyncio.gather(listening, return_exceptions=True)
