"""The npm package, packed and installed into empty applications: they are built, opened, and swap on the sandbox."""

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from tests.portal.chromium import ROOT, Page
from tests.portal.element_apps import APPS, QUIETLY, run, swap
from tests.portal.stack import PortalService
from tests.portal.swap_box import faults

PACKAGES = ROOT / "node_modules"
VITE = str(PACKAGES / "vite" / "bin" / "vite.js")
TSC = str(PACKAGES / "typescript" / "bin" / "tsc")
RENDER = """
import { render } from './server/server.js';
import { readFileSync } from 'node:fs';
const html = readFileSync('dist/index.html', 'utf8');
process.stdout.write(html.replace('<!--app-->', render(JSON.parse(process.argv[1]))));
"""


async def installed(name: str, folder: Path, tarball: Path, *linked: str) -> Path:
    """Copy an application's sources into an empty folder, and install the package into it as npm does.

    What else it needs is pinned in the project's own lock, and linked: no network is asked.
    """
    shutil.copytree(APPS / name, folder, dirs_exist_ok=True)
    shutil.copy(APPS / "tsconfig.json", folder)
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    await run(folder, "npm", "install", "--offline", *QUIETLY, str(tarball))
    for package in linked:
        (folder / "node_modules" / package).parent.mkdir(exist_ok=True)
        (folder / "node_modules" / package).symlink_to(PACKAGES / package)
    await run(folder, "node", TSC, "-p", ".")
    return folder


@asynccontextmanager
async def serving(folder: Path, index: str | None = None) -> AsyncIterator[str]:
    async def page(request: web.Request) -> web.Response:
        return web.Response(text=index or (folder / "index.html").read_text(), content_type="text/html")

    app = web.Application()
    app.router.add_get("/", page)
    app.router.add_static("/", folder)
    async with hosted(app) as url:
        yield url


async def test_the_package_says_what_it_is(tarball: Path) -> None:
    described = json.loads((tarball.parent / "package" / "package.json").read_text())
    (version,) = [
        line.split('"')[1] for line in (ROOT / "pyproject.toml").read_text().splitlines() if "version =" in line
    ][:1]
    assert described["version"] == version
    held = {path.name for path in (tarball.parent / "package").iterdir()}
    assert {"README.md", "LICENSE", "THIRD-PARTY.txt", "index.d.ts", "react.d.ts", "rhumbline-swap.js"} <= held
    assert "lit-html" in (tarball.parent / "package" / "THIRD-PARTY.txt").read_text()


async def test_an_empty_vite_app_swaps(
    page: Page,
    portal_service: PortalService,
    session: aiohttp.ClientSession,
    tarball: Path,
    tmp_path: Path,
    wanted: dict[str, str],
) -> None:
    folder = await installed("vite", tmp_path, tarball)
    await run(folder, "node", VITE, "build", "--logLevel", "warn")
    async with serving(folder / "dist") as url:
        await swap(page, portal_service, session, f"{url}/?{urlencode(wanted)}")
        assert await page.until("told.includes('done done') && told[0]") == "choice ETH"
        # Nobody said where the service is: the element does.
        await page.goto(url)
        await page.see("names no address of a service")
    assert faults(page) == []


async def test_a_react_app_that_is_rendered_on_a_server_swaps(
    page: Page,
    portal_service: PortalService,
    session: aiohttp.ClientSession,
    tarball: Path,
    tmp_path: Path,
    wanted: dict[str, str],
) -> None:
    react = ("react", "react-dom", "scheduler", "@types/react", "@types/react-dom", "csstype")
    folder = await installed("react", tmp_path, tarball, *react)
    await run(folder, "node", VITE, "build", "--logLevel", "warn")
    await run(folder, "node", VITE, "build", "--ssr", "server.tsx", "--outDir", "server", "--logLevel", "warn")
    html = await run(folder, "node", "--input-type=module", "-e", RENDER, json.dumps(wanted))
    assert f'<rhumbline-swap api="{wanted["api"]}" from="{wanted["from"]}"' in html
    assert 'class="swap"' in html
    async with serving(folder / "dist", html) as url:
        await page.begin_with("window.errors = []; console.error = (...words) => errors.push(words.join(' '));")
        await swap(page, portal_service, session, f"{url}/?{urlencode(wanted)}")
        await page.until("document.querySelector('#said').textContent === 'done done'")
        assert await page.evaluate("errors") == []
    assert faults(page) == []
