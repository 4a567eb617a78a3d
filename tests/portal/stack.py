"""The whole service on the sandbox, with the portal and the front page, in this process."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.http.message_signatures import base64url
from rhumbline.api.server.listener import reserve, serve
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.app.wiring import wired
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.ed25519 import SEED_BYTES
from tests.portal.chromium import PATIENCE_S

SERVICE_WALLET = 61
Tell = Callable[..., Awaitable[None]]


@dataclass(frozen=True)
class PortalService:
    base_url: str
    sandbox: Sandbox
    engine: AsyncEngine
    emulators: Mapping[str, str]

    async def tell(self, session: aiohttp.ClientSession, key: str, **behaviour: str) -> None:
        """Switch the behaviour of an upstream's emulator; without any it behaves."""
        async with session.post(self.emulators[key] + "/_control", json=behaviour) as response:
            assert response.status == 200, await response.text()


@asynccontextmanager
async def running_service(
    sandbox: Sandbox, engine: AsyncEngine, folder: Path, emulators: Collection[Emulator], more: str = ""
) -> AsyncIterator[PortalService]:
    """Serve until the block ends; the store is the caller's, and empty; `more` settings follow the sandbox's."""
    listener = reserve("127.0.0.1", 0)
    base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    written = folder / "sandbox.toml"
    own = sandbox_settings(sandbox, folder, base_url, sandbox_account(SERVICE_WALLET).address, emulators)
    written.write_text(f"{own}\n{more}")
    # A machine that is busy with other tests is no overload. The example of the public keys needs one.
    key = base64url(secrets.token_bytes(SEED_BYTES))
    settings = load_settings(written, {"RHUMBLINE_SERVER__QUOTES_AT_ONCE": "1000", "RHUMBLINE_SIGNING__KEY": key})
    async with wired(settings, engine) as wiring:
        started = asyncio.Event()
        tasks = [
            asyncio.create_task(serve(wiring.app, listener, started=lambda _: started.set())),
            asyncio.create_task(wiring.refresh()),
            asyncio.create_task(wiring.follow()),
            asyncio.create_task(wiring.events.run(asyncio.Event())),
        ]
        try:
            await started.wait()
            service = PortalService(base_url, sandbox, engine, {emulator.key: emulator.url for emulator in emulators})
            await _priced(service)
            yield service
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _priced(service: PortalService) -> None:
    """Wait until the service knows what USDC and the native asset of the first chain are worth."""
    chain = service.sandbox.evm_chains[0]
    asked = ",".join(f"{chain.id}:{token}" for token in (NATIVE_EVM, chain.tokens["USDC"].address))
    async with asyncio.timeout(PATIENCE_S), aiohttp.ClientSession() as session:
        while True:
            async with session.get(f"{service.base_url}/v1/prices", params={"tokens": asked}) as response:
                found = await response.json()
            if len(found["prices"]) == 2 and all("priceUSD" in each for each in found["prices"]):
                return
            await asyncio.sleep(0.05)
