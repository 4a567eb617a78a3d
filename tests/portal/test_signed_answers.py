"""A page that has the service's key and is behind a proxy: it takes what the service signed, and nothing else."""

import aiohttp
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap_box import faults, quoted_here, send
from tests.portal.test_element_elsewhere import page_of

PASSED = ("content-type", "content-digest", "signature-input", "signature")


class Proxy:
    """Passes on what it is asked below /rhumbline; while it ``lies``, with more zeros than there were."""

    def __init__(self, service: str, session: aiohttp.ClientSession) -> None:
        self.service, self.session = service, session
        self.lies = False
        self.streams = 0

    async def pass_on(self, request: web.Request) -> web.Response:
        url = self.service + request.path_qs.removeprefix("/rhumbline")
        self.streams += url.endswith("/stream")
        given = {"content-type": request.headers.get("content-type", "")}
        async with self.session.request(request.method, url, data=await request.read(), headers=given) as answer:
            body = await answer.read()
            if self.lies:
                body = body.replace(b'"minOutputAmount":"', b'"minOutputAmount":"9')
            kept = {name: answer.headers[name] for name in PASSED if name in answer.headers}
            return web.Response(body=body, status=answer.status, headers=kept)


async def test_a_proxy_cannot_change_an_answer(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    async with session.get(f"{portal_service.base_url}/.well-known/jwks.json") as response:
        keys = " ".join(key["x"] for key in (await response.json())["keys"])
    here = portal_service.sandbox.evm_chains[0].id
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    proxy = Proxy(portal_service.base_url, session)
    element = (
        f'<script type="module" src="{portal_service.base_url}/rhumbline-swap.js"></script>'
        f'<rhumbline-swap api="/rhumbline" signing-keys="{keys}" from="{here}:USDC" to="{here}:WETH" amount="14.5">'
        "</rhumbline-swap>"
    )
    app = web.Application()
    app.router.add_get("/", page_of(element, ""))
    app.router.add_route("*", "/rhumbline/{rest:.*}", proxy.pass_on)
    async with hosted(app) as url:
        await page.goto(url)
        await quoted_here(page)
        assert "Its answers are checked by their signature." in await page.evaluate("deep('.foot').textContent")
        await send(page)
        await page.see("WETH arrived")
        assert proxy.streams == 0, "what comes by a stream is not signed"
        assert faults(page) == []
        proxy.lies = True
        await page.fill("#amount", "15.5")
        await page.see("Not the service’s answer")
        assert not await page.evaluate("!!deep('#routes')")
    assert len(wallet.transactions()) == 2
