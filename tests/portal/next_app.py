"""The packed element in a Next application, which is fetched and built in two minutes: a part of `make campaign`."""

import asyncio
import shutil
from pathlib import Path
from urllib.parse import urlencode

import aiohttp

from rhumbline.api.server.listener import reserve
from tests.portal.chromium import PATIENCE_S, Page
from tests.portal.element_apps import APPS, QUIETLY, run, swap
from tests.portal.stack import PortalService


async def test_a_next_app_swaps(
    page: Page,
    portal_service: PortalService,
    session: aiohttp.ClientSession,
    tarball: Path,
    tmp_path: Path,
    wanted: dict[str, str],
) -> None:
    shutil.copytree(APPS / "next", tmp_path, dirs_exist_ok=True)
    await run(tmp_path, "npm", "ci", *QUIETLY)
    await run(tmp_path, "npm", "install", "--offline", "--no-save", *QUIETLY, str(tarball))
    next_js = ("node", "node_modules/next/dist/bin/next")
    await run(tmp_path, "env", "NEXT_TELEMETRY_DISABLED=1", *next_js, "build")
    listener = reserve("127.0.0.1", 0)
    port = listener.getsockname()[1]
    listener.close()
    server = await asyncio.create_subprocess_exec(
        *next_js, "start", "-H", "127.0.0.1", "-p", str(port), cwd=tmp_path, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        while b"Ready" not in (line := await asyncio.wait_for(server.stdout.readline(), PATIENCE_S)):
            assert line, "Next ended at once"
        url = f"http://127.0.0.1:{port}/?{urlencode(wanted)}"
        async with session.get(url) as response:
            assert f'<rhumbline-swap api="{wanted["api"]}"' in await response.text()
        await swap(page, portal_service, session, url)
    finally:
        server.terminate()
        await server.wait()
