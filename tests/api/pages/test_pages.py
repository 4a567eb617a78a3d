"""The security policy of a page."""

import re
from dataclasses import replace

import pytest

from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.front_page import WalletRelay
from rhumbline.api.pages.pages import Pages, origins
from rhumbline.api.portal.routes import page_routes
from rhumbline.api.server.application import create_app
from tests.api.api_service import BASE, ETH, ApiService
from tests.api.api_service import services as api_services
from tests.api.conftest import served
from tests.api.portal.test_views import HOME, PAGES, owner
from tests.portal_fixture import ServedPortal, Visitor


def test_a_policy_names_origins_and_nothing_else() -> None:
    urls = (
        "https://a.example/v2/public",
        "https://a.example",
        "http://127.0.0.1:8545",
        "https://b.example:8443?x=1",
        "https://c.example;script-src *",
        "https://d.example,e.example/",
        "https://f.example'unsafe'/",
        "https://[::1]:8545/",
        "wss://g.example/",
        "https://h.example:123456/",
    )
    assert origins(urls) == ("https://a.example", "http://127.0.0.1:8545", "https://b.example:8443")


POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


NODES = tuple(dict.fromkeys("/".join(url.split("/")[:3]) for chain in (ETH, BASE) for url in chain.rpc_urls))


@pytest.mark.parametrize(
    "path", ["/", "/status", "/portal", *(HOME + page for page in PAGES), "/portal/nowhere", "/tx/nowhere"]
)
async def test_a_page_is_sealed(portal: ServedPortal, path: str) -> None:
    """The policy is strict, and the page needs nothing that it forbids."""
    visitor = await owner(portal)
    page = await visitor.get(path)
    assert page.status == (404 if path.endswith("nowhere") else 200)
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    # The front page may ask the public nodes, to see what became of a transfer; no page of the portal may.
    nodes = "".join(f" {origin}" for origin in NODES) if path == "/" else ""
    assert policy == POLICY | {"connect-src": "'self'" + nodes}
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "same-origin"
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert page.headers["cache-control"] == ("no-cache" if path == "/" else "no-store")
    assert "access-control-allow-origin" not in page.headers
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page.text)
    assert re.findall(r"<script[^>]*>", page.text) == re.findall(
        r'<script type="module" src="/assets/[^"]+">', page.text
    )
    assert not re.findall(r'(?:src|href|action)="(?!/|#)[^"]*"', page.text)
    assert page.text.count("<h1>") == 1
    assert '<html lang="en">' in page.text
    for asset in re.findall(r'"(/assets/[^"]+)"', page.text):
        file = await visitor.get(asset)
        assert (file.status, file.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
        assert file.headers["content-type"].partition(";")[0] in {
            "text/css",
            "text/javascript",
            "image/svg+xml",
            "font/woff2",
        }
    assert (await visitor.ask("HEAD", path)).status == page.status


async def test_no_page_is_part_of_the_api(portal: ServedPortal) -> None:
    paths = set((await portal.visitor().get("/openapi.json")).json["paths"])
    assert not {path for path in paths if path == "/" or path.startswith(("/portal", "/assets", "/tx", "/status"))}


async def test_the_relay_of_wallets_is_opened_where_a_project_is_set(portal: ServedPortal) -> None:
    """On the front page alone, and for nothing but the relay."""
    app = create_app(api_services(ApiService(), {}))
    relay = WalletRelay("wss://relay.example", "0123456789abcdef0123456789abcdef")
    async with served(app) as (url, _):
        services = replace(portal.services, base_url=url, relay=relay)
        app.routes.extend(page_routes(services, Pages("Rhumbline", Assets())))
        visitor = Visitor(url, portal.session)
        front, other = await visitor.get("/"), await visitor.get("/portal")
    assert f"connect-src 'self' {' '.join(NODES)} wss://relay.example; " in front.headers["content-security-policy"]
    assert f'walletconnect="{relay.project_id}" walletconnect-relay="wss://relay.example"' in front.text
    assert "over its relay" in front.text
    assert "relay" not in other.headers["content-security-policy"]
