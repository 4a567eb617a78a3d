"""The first command: one line, safe in a shell, as the key's terms allow. test_first_quote runs it for real."""

import re
import shlex
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from rhumbline.api.portal.first_command import first_command
from rhumbline.domain.account import UNRESTRICTED, KeyScope, KeyTerms
from tests.api.api_service import OTHER_WALLET
from tests.api.portal.test_keys import KEY
from tests.api.portal.test_views import HOME, owner
from tests.portal_fixture import ServedPortal

COMMAND = re.compile(r'<code id="command">([^<]*)</code>')
TEXT = "rl_live_" + "a" * 32


@pytest.mark.parametrize(
    ("terms", "path", "headers"),
    [
        (UNRESTRICTED, "/v1/quotes", [f"x-api-key: {TEXT}"]),
        (KeyTerms(frozenset({KeyScope.QUOTES})), "/v1/quotes", [f"x-api-key: {TEXT}"]),
        (KeyTerms(frozenset({KeyScope.TRACKING})), "/v1/transactions", [f"x-api-key: {TEXT}"]),
        (
            KeyTerms(frozenset({KeyScope.QUOTES}), ("https://a.example",), (), in_browsers=True),
            "/v1/quotes",
            [f"x-api-key: {TEXT}", "origin: https://a.example"],
        ),
    ],
)
async def test_a_command_asks_what_the_key_is_for(
    portal: ServedPortal, terms: KeyTerms, path: str, headers: list[str]
) -> None:
    program, *words = shlex.split(first_command(portal.services, OTHER_WALLET, TEXT, terms))
    assert (program, words[0]) == ("curl", "-sS")
    assert [words[place + 1] for place, word in enumerate(words) if word == "-H"] == headers
    parts = urlsplit(words[-1])
    assert (f"{parts.scheme}://{parts.netloc}", parts.path) == (portal.url, path)
    if path == "/v1/quotes":
        question = parse_qs(parts.query)
        assert question["senderAddress"] == [OTHER_WALLET]
        assert question["amount"] == ["100000000"]


async def test_the_page_of_a_new_key_has_it_once_and_the_overview_without_a_key(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    made = await visitor.follow_form(f"{HOME}/keys", await visitor.csrf())
    (text,), (command,) = KEY.findall(made.text), COMMAND.findall(made.text)
    assert f"x-api-key: {text}" in unescape(command)
    assert visitor.address in command
    assert COMMAND.findall((await visitor.get(f"{HOME}/keys")).text) == []
    (plain,) = COMMAND.findall((await visitor.get(HOME)).text)
    assert '-H "x-api-key: $RHUMBLINE_KEY"' in unescape(plain)


async def test_a_contract_wallet_asks_with_its_address(portal: ServedPortal) -> None:
    """Its account has a chain before it, which no quote takes."""
    visitor = portal.visitor()
    account = f"eip155:1:{visitor.address}"
    visitor.cookies["portal-session"] = await portal.services.sessions.begin(account)
    await portal.services.members.register(account, "Acme")
    made = await visitor.follow_form(f"{HOME}/keys", await visitor.csrf())
    for page in (made, await visitor.get(HOME)):
        question = parse_qs(urlsplit(shlex.split(unescape(COMMAND.findall(page.text)[0]))[-1]).query)
        assert question["senderAddress"] == [visitor.address]
