"""The whole service on the sandbox, and a browser."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams import EMULATORS
from rhumbline.devnet.upstreams import world as upstreams
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.postgres.engine import create_engine
from tests.portal.chromium import ROOT, Browser, Page, running_chromium
from tests.portal.element_apps import run
from tests.portal.stack import PortalService, running_service
from tests.postgres_fixture import Databases
from tests.sandbox_fixture import LoopThread, restoring


@pytest.fixture(scope="package")
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture(scope="package")
async def http() -> AsyncIterator[HttpClient]:
    async with HttpClient() as opened:
        yield opened


@pytest.fixture(scope="package")
async def portal_service(
    sandbox: Sandbox,
    sandbox_loop: LoopThread,
    world: upstreams.World,
    running_defillama: DefiLlama,
    postgres_databases: Databases,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[PortalService]:
    """The whole service; the chains are put back afterwards."""
    folder = Path(tmp_path_factory.mktemp("portal_service"))
    running = sandbox_loop.entered(running_emulators(world, EMULATORS))
    async with restoring(sandbox):
        dsn = postgres_databases.create()
        engine = create_engine(dsn)
        with running as emulators:
            async with running_service(sandbox, engine, folder, [*emulators.values(), running_defillama]) as raised:
                yield raised
        await engine.dispose()
        postgres_databases.drop(dsn)


@pytest.fixture(scope="package")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    async with running_chromium(Path(tmp_path_factory.mktemp("browser"))) as running:
        yield running


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    opened = await browser.page()
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
async def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packed npm package."""
    folder = Path(tmp_path_factory.mktemp("packed"))
    await run(ROOT, "node", "web/package.mjs", str(folder))
    (packed,) = folder.glob("*.tgz")
    return packed


@pytest.fixture
def wanted(portal_service: PortalService) -> dict[str, str]:
    """The attributes of an element in an application."""
    here = portal_service.sandbox.evm_chains[0].id
    return {"api": portal_service.base_url, "from": f"{here}:ETH", "to": f"{here}:USDC"}
