"""What applications with the packed element need: the package, their sources installed, a swap in them."""

import asyncio
from pathlib import Path

import aiohttp

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap_box import connect, routes, send

APPS = Path(__file__).parent / "apps"
QUIETLY = ("--no-audit", "--no-fund", "--ignore-scripts")


async def run(folder: Path, *command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, wrong = await process.communicate()
    assert process.returncode == 0, f"{command}: {said.decode()}{wrong.decode()}"
    return said.decode()


async def swap(page: Page, portal_service: PortalService, session: aiohttp.ClientSession, url: str) -> None:
    await wallet_of(portal_service, session, OWNER + 2).into(page)
    await page.goto(url)
    await page.until("usable('#get-token')")
    await page.fill("#amount", "0.1")
    await routes(page)
    await connect(page)
    await send(page)
    await page.see("USDC arrived")
