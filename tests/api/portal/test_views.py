"""What a signed-in wallet may do, and what nobody may do in its name."""

import re
from html import escape
from urllib.parse import urlencode

import asyncpg
import pytest

from tests.api.api_service import OTHER_WALLET
from tests.portal_fixture import ServedPortal, Visitor

NAME = "Acme"
HOME = f"/portal/i/{NAME}"
PAGES = ("", "/keys", "/wallets", "/transactions", "/fees", "/requests", "/embed", "/members", "/log", "/webhooks")
DEEDS: tuple[tuple[str, dict[str, str]], ...] = (
    ("/portal/sign-out", {}),
    ("/portal/integrators", {"name": "Other"}),
    (f"{HOME}/keys", {}),
    (f"{HOME}/keys/1/rotate", {"overlap": "0"}),
    (f"{HOME}/keys/1/revoke", {}),
    (f"{HOME}/keys/1/terms", {"origins": "https://evil.example"}),
    (f"{HOME}/members/invitations", {"role": "owner", "days": "7"}),
    (f"{HOME}/members/{OTHER_WALLET}/role", {"role": "owner"}),
    (f"{HOME}/members/{OTHER_WALLET}/remove", {}),
    (f"{HOME}/members/leave", {}),
    (f"{HOME}/webhooks", {"url": "https://evil.example", "transaction.seen": "1"}),
    (f"{HOME}/webhooks/wh_0123456789abcdef/remove", {}),
    (f"{HOME}/wallets/check", {"chain_type": "EVM", "address": OTHER_WALLET}),
    (f"{HOME}/wallets", {"chain_type": "EVM", "address": OTHER_WALLET}),
)


async def owner(portal: ServedPortal, seed: int = 1, name: str = NAME) -> Visitor:
    visitor = portal.visitor(seed)
    await visitor.sign_in()
    await visitor.register(name)
    return visitor


async def untouched(portal: ServedPortal) -> None:
    """Nothing was registered, made, ended or set beside what `owner` did."""
    integrators = await portal.services.accounts.list_integrators()
    assert [(one.name, one.evm_wallet, one.svm_wallet) for one in integrators] == [(NAME, None, None)]
    assert [key.revoked_at for key in await portal.services.accounts.list_keys()] == [None]


async def test_a_form_needs_its_token_its_origin_and_a_session(portal: ServedPortal) -> None:
    visitor, other = await owner(portal), portal.visitor(2)
    await portal.services.accounts.create_key(NAME)
    await other.sign_in()
    csrf, cookies = await visitor.csrf(), visitor.cookies
    tokens = (None, "", "0" * 64, csrf[:-1], csrf.upper(), await other.csrf(), cookies["portal-session"])
    for path, fields in DEEDS:
        for token in tokens:
            answer = await visitor.send_form(path, token, **fields)
            assert (answer.status, "not of this session" in answer.text) == (403, True), path
        for origin in ("https://evil.example", "null", "", portal.url + "0", "http://localhost"):
            visitor.origin = origin
            answer = await visitor.send_form(path, csrf, **fields)
            assert (answer.status, "Not from here" in answer.text) == (403, True), path
        visitor.origin, visitor.cookies = None, {}
        answer = await visitor.send_form(path, csrf, **fields)
        if path.endswith("/sign-out"):
            # Sent twice, it finds no session, and that is what it was for.
            assert (answer.status, answer.headers["location"]) == (303, "/portal")
        else:
            assert (answer.status, "Signed out" in answer.text) == (403, True), path
        visitor.cookies = dict(cookies)
        assert "Your integrators" in (await visitor.get("/portal")).text, path
        await untouched(portal)


@pytest.mark.parametrize("page", PAGES)
async def test_pages_are_their_owners_alone(portal: ServedPortal, page: str) -> None:
    visitor, stranger = await owner(portal), portal.visitor(2)
    assert (await visitor.get(HOME + page)).status == 200
    anonymous = await stranger.get(HOME + page)
    assert (anonymous.status, anonymous.headers["location"]) == (303, f"/portal?{urlencode({'then': HOME + page})}")
    await stranger.sign_in()
    assert (await stranger.get(HOME + page)).status == 404
    assert (await stranger.get(HOME + page)).text == (await stranger.get(f"/portal/i/nobody{page}")).text
    portal.clock.move(minutes=61)
    assert (await visitor.get(HOME + page)).status == 303


@pytest.mark.parametrize(("path", "fields"), [deed for deed in DEEDS if deed[0].startswith(HOME)])
async def test_deeds_are_their_owners_alone(portal: ServedPortal, path: str, fields: dict[str, str]) -> None:
    await owner(portal)
    key, _ = await portal.services.accounts.create_key(NAME)
    stranger = await owner(portal, 2, "Stranger")
    path = path.replace("/1/", f"/{key.id}/")
    answer = await stranger.send_form(path, await stranger.csrf(), **fields)
    assert answer.status == 404
    mine = await stranger.send_form(path.replace(NAME, "Stranger"), await stranger.csrf(), **fields)
    if "/keys/" in path:
        assert mine.status == 404
        assert [one.revoked_at for one in await portal.services.accounts.list_keys(NAME)] == [None]


async def test_names_are_refused_with_a_reason(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for name, says in (
        ("acme", "is taken"),
        ("Rhumbline", "is reserved"),
        ("a b", "1 to 31 characters"),
        ("", "1 to 31 characters"),
        ("x" * 32, "1 to 31 characters"),
    ):
        answer = await visitor.send_form("/portal/integrators", await visitor.csrf(), name=name)
        assert (answer.status, says in answer.text) == (400, True)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "'-->"])
async def test_what_a_visitor_writes_is_text(portal: ServedPortal, text: str) -> None:
    visitor = await owner(portal)
    csrf = await visitor.csrf()
    register = await visitor.send_form("/portal/integrators", csrf, name=text)
    wallet = await visitor.follow_form(f"{HOME}/wallets/check", csrf, chain_type="EVM", address=text)
    kind = await visitor.follow_form(f"{HOME}/wallets/check", csrf, chain_type=text, address="")
    pages = [register, wallet, kind, await visitor.get(f"{HOME}/transactions?status={text}&cursor={text}")]
    pages.append(await visitor.get(f"/portal/i/{text.replace('/', '')}"))
    assert [page.status for page in pages] == [400, 400, 400, 400, 404]
    for page in pages:
        assert text not in page.text or escape(text) == text
        assert "49" not in re.sub(r"[0-9a-f]{16,}", "", page.text)
    assert escape(text).replace("&quot;", "&#34;").replace("&#x27;", "&#39;") in register.text


async def test_a_session_that_ends_in_the_middle_goes_on_where_it_was(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    await visitor.sign_in()
    await visitor.register("Acme")
    csrf = await visitor.csrf()
    portal.clock.move(hours=2)
    page = "/portal/i/Acme/transactions?status=success&chain=base"
    away = await visitor.get(page)
    sign_in = f"/portal?{urlencode({'then': page})}"
    assert (away.status, away.headers["location"]) == (303, sign_in)
    shown = await visitor.get(sign_in)
    assert f'data-then="{page.replace("&", "&amp;")}"' in shown.text
    referer = {"referer": f"{portal.url}/portal/i/Acme/keys", "content-type": "application/x-www-form-urlencoded"}
    lost = await visitor.ask("POST", "/portal/i/Acme/keys", f"csrf={csrf}".encode(), referer)
    assert (lost.status, "nothing was changed" in lost.text) == (403, True)
    assert 'href="/portal?then=%2Fportal%2Fi%2FAcme%2Fkeys"' in lost.text
    odd = await visitor.ask("POST", "/portal/i/Acme/keys", f"csrf={csrf}".encode(), referer | {"referer": "http://["})
    assert (odd.status, 'href="/portal"' in odd.text) == (403, True)
    assert await portal.services.accounts.list_keys("Acme") == ()
    await visitor.sign_in()
    back = await visitor.get(sign_in)
    assert (back.status, back.headers["location"]) == (303, page)


async def test_while_the_store_is_down_pages_say_so(portal: ServedPortal, postgres_dsn: str) -> None:
    visitor, name = await owner(portal), portal.engine.url.database
    server = await asyncpg.connect(postgres_dsn)
    await portal.engine.dispose()
    others = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1"
    await server.execute(others, name)
    await server.execute(f"ALTER DATABASE {name} RENAME TO away")
    try:
        for path in ("/portal", f"{HOME}/keys"):
            page = await visitor.get(path)
            assert (page.status, page.headers["retry-after"], "Not now" in page.text) == (503, "5", True)
        answer = await visitor.send_json("/portal/challenge", {"address": visitor.address})
        assert (answer.status, "try again shortly" in answer.json["error"]) == (503, True)
        assert (await visitor.get("/")).status == 200
    finally:
        await server.execute(f"ALTER DATABASE away RENAME TO {name}")
        await server.close()
    assert "Your integrators" in (await visitor.get("/portal")).text
