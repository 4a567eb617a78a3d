"""Choosing a language below a page, and every page in it."""

import re
from collections.abc import Mapping
from functools import cache
from html import unescape
from html.parser import HTMLParser

import pytest
from babel.messages.pofile import read_po

from rhumbline.api.pages.language import CATALOGUES, COOKIE
from rhumbline.api.portal.services import Usage
from rhumbline.domain.service_status import NodeState
from tests.api.api_service import TX_ID
from tests.api.portal.season import WEBHOOK, spent
from tests.api.portal.test_views import HOME, PAGES
from tests.portal_fixture import BEGIN, Answer, ServedPortal, Visitor

CHANGE = f"{HOME}/wallets/change?chain_type=EVM&address=0x{'5a' * 20}"
ALL = (
    "/", "/status", f"/tx/{TX_ID}", "/tx/none", "/portal/join", *(HOME + page for page in PAGES), CHANGE,
    f"{HOME}/webhooks/{WEBHOOK}", f"{HOME}/transactions?status=x&from=y", f"{HOME}/fees?days=8",
    f"{HOME}/requests?key=x", f"{HOME}/embed?fee=99&from=x&api=y", "/portal/nowhere",
)  # fmt: skip


async def choose(visitor: Visitor, language: str, before: str | None = None) -> Answer:
    """Press the button with the name of a language, on the page before."""
    headers = {"content-type": "application/x-www-form-urlencoded"} | ({"referer": before} if before else {})
    return await visitor.ask("POST", "/language", f"language={language}".encode(), headers)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/status", "/status"),
        ("/", "/"),
        (f"/tx/{TX_ID}?x=1", f"/tx/{TX_ID}?x=1"),
        ("/portal?then=/portal/join", "/portal?then=/portal/join"),
        (f"{HOME}/transactions?chain=1&from=2026-01-01", f"{HOME}/transactions?chain=1&from=2026-01-01"),
        # The answers to forms have no page at their own address.
        ("/portal/integrators", "/portal"),
        (f"{HOME}/keys/7/rotate?x=1", f"{HOME}/keys"),
        (f"{HOME}/wallets/check", f"{HOME}/wallets"),
        ("/nowhere/at/all", "/"),
        ("//evil.example/portal", "/"),
    ],
)
async def test_it_leads_back_to_the_page(portal: ServedPortal, before: str, after: str) -> None:
    answer = await choose(portal.visitor(), "fr", portal.url + before)
    assert (answer.status, answer.headers["location"]) == (303, after)


async def test_it_never_leads_elsewhere(portal: ServedPortal) -> None:
    for before in (
        None,
        "https://evil.example/portal",
        "javascript:alert(1)",
        portal.url + "0/portal",
        "\\\\evil",
        "http://[",
    ):
        assert (await choose(portal.visitor(), "fr", before)).headers["location"] == "/"


async def test_it_is_kept_until_another_is_chosen(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    answer = await choose(visitor, "fr", f"{portal.url}/status")
    assert answer.cookies[COOKIE] == f"{COOKIE}=fr; Max-Age=31536000; Path=/; SameSite=lax"
    page = await visitor.get("/status")
    assert "<h1>État du service</h1>" in page.text
    assert re.search(r'value="fr" lang="fr" aria-current="true">Français</button>', page.text)
    assert page.text.count('aria-current="true"') == 1
    await choose(visitor, "auto")
    assert "<h1>Service status</h1>" in (await visitor.get("/status")).text
    assert visitor.cookies[COOKIE] == "auto"


@pytest.mark.parametrize("chosen", ["", "tlh", "de;Path=/x", "en%0d%0aSet-Cookie:%20a=b"])
async def test_what_no_page_speaks_is_not_kept(portal: ServedPortal, chosen: str) -> None:
    visitor = portal.visitor()
    assert (await choose(visitor, chosen)).status == 303
    assert COOKIE not in visitor.cookies


async def test_no_form_is_a_page_that_says_so(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    visitor.cookies[COOKIE] = "de"
    answer = await visitor.ask("POST", "/language", b"{}", {"content-type": "application/json"})
    assert (answer.status, "<h1>Kein Formular</h1>" in answer.text) == (415, True)


class Read(HTMLParser):
    """Collects what people read or hear of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.within: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: Mapping[str, str | None] = dict(attrs)
        if tag not in {"input", "meta", "link", "br", "img"}:
            self.within.append(
                (tag, tag in {"code", "script"} or given.get("lang") == "en" or "mono" in (given.get("class") or ""))
            )
        self.texts += [given.get(name) or "" for name in ("title", "alt", "placeholder", "aria-label", "data-label")]

    def handle_endtag(self, tag: str) -> None:
        while self.within and self.within.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(apart for _, apart in self.within):
            self.texts.append(data.strip())


@cache
def english_of(tag: str) -> tuple[set[str], re.Pattern[str]]:
    """Return the English sentences that a language says otherwise: those without holes, and a pattern of the others."""
    with (CATALOGUES / f"{tag}.po").open("rb") as file:
        known = read_po(file, tag)
    english = {
        form
        for message in known if message.id
        for form in ([message.id] if isinstance(message.id, str) else message.id)
        if form not in {message.string, *(message.string if isinstance(message.string, tuple) else ())}
    }  # fmt: skip
    plain = {form for form in english if "%(" not in form and "<" not in form}
    patterns = [re.escape(form) for form in english if "%(" in form and "<" not in form]
    holes = re.compile("|".join(re.sub(r"%\\\((\w+)\\\)[sr]", ".+", form) for form in patterns if len(form) > 25))
    return plain, holes


def english_in(page: str, tag: str) -> set[str]:
    """Return the English sentences that stand in a page of another language."""
    reader, (plain, holes) = Read(), english_of(tag)
    reader.feed(page.partition("<footer>")[0])
    shown = {unescape(text) for text in reader.texts if text}
    return {text for text in shown if text in plain or holes.fullmatch(text)}


async def test_every_page_is_in_it_throughout(portal: ServedPortal) -> None:
    visitor = await spent(portal)
    portal.world.used = (Usage("quotes", 1500, 2000, BEGIN), Usage("other", 12, 600, None))
    english = {path: await visitor.get(path) for path in ALL}
    for tag in ("de", "ja"):
        # The test would find nothing without sentences to find.
        assert sum(len(english_in(page.text, tag)) for page in english.values()) > 100
        visitor.cookies[COOKIE] = tag
        for path in ALL:
            page = await visitor.get(path)
            assert (page.status, f'<html lang="{tag}">' in page.text) == (english[path].status, True), path
            assert english_in(page.text, tag) == set(), path
            # The same page, with as many elements.
            assert page.text.count("<") == english[path].text.count("<"), path


async def test_refusals_are_in_it_too(portal: ServedPortal) -> None:
    """Those of forms, of the pages' scripts, and of who may not see a page."""
    visitor = await spent(portal)
    csrf = await visitor.csrf()
    visitor.cookies[COOKIE] = "de"
    refused = await visitor.send_form(f"{HOME}/keys", csrf, kind="browser", origins="http://x.example/a b", expires="x")
    for words in ("Origin: muss die einer Seite sein", "Ende: muss ein Tag des Kalenders sein"):
        assert words in unescape(refused.text), words
    named = await visitor.send_form("/portal/integrators", csrf, name="ä")
    assert "Integrator: muss 1 bis 31 Zeichen haben" in unescape(named.text)
    wallet = await visitor.check_wallet("Acme", csrf, chain_type="EVM", address="0x1")
    assert "evm_wallet: muss eine EVM-Adresse sein, 0x und 40 hexadezimale Ziffern" in unescape(wallet.text)
    hook = await visitor.send_form(f"{HOME}/webhooks", csrf, url="ftp://x")
    assert "URL: muss mit https:// beginnen" in unescape(hook.text)
    assert "Ereignisse: müssen einige von transaction.seen" in unescape(hook.text)
    foreign = await visitor.send_form(f"{HOME}/keys", "0" * 64)
    assert (foreign.status, "Das Formular gehört nicht zu dieser Sitzung" in foreign.text) == (403, True)
    script = await visitor.send_json("/portal/challenge", {"address": "x"})
    assert script.json == {"error": "Adresse: muss die EVM-Adresse der Wallet sein"}
    signed_out = portal.visitor(9)
    signed_out.cookies[COOKIE] = "de"
    ended = await signed_out.send_form(f"{HOME}/keys", csrf)
    assert "Ihre Sitzung ist beendet" in ended.text


async def test_the_status_of_nodes_is_in_it(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    visitor.cookies[COOKIE] = "es"
    assert NodeState.ANSWERING in {chain.node for chain in portal.world.service.chains}
    page = await visitor.get("/status")
    for words in ("responde", "3 bloques de retraso", "21.000.000", "A fecha de 27/11/2026 10:00:05 UTC."):
        assert words in page.text, words
