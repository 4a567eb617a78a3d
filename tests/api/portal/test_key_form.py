"""The form for a key with terms, and the page that shows what it is for."""

from datetime import UTC, datetime

import pytest

from rhumbline.api.portal.key_form import read_key_form
from rhumbline.domain.account import EVERY_SCOPE, UNRESTRICTED, KeyScope, KeyTerms
from tests.api.portal.test_keys import KEY as SECRET_KEY
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import BEGIN, ServedPortal

PAGE = "https://app.example"
CHOSEN = {"scopes": "chosen"}


def test_a_name_alone_makes_a_key_for_everything() -> None:
    read = read_key_form({"name": "Checkout"}, BEGIN)
    assert (read.name, read.terms, read.expires_at, read.faults) == ("Checkout", UNRESTRICTED, None, ())


def test_lists_are_separated_by_what_people_write() -> None:
    form = {"origins": f"{PAGE}\r\nhttps://b.example, https://c.example;", "networks": " 10.0.0.1 10.0.0.2\n"}
    read = read_key_form({**form, **CHOSEN, "quotes": "1", "expires": "2026-12-31"}, BEGIN)
    assert read.faults == ()
    assert read.terms.scopes == {KeyScope.QUOTES}
    assert read.terms.origins == (PAGE, "https://b.example", "https://c.example")
    assert [str(each) for each in read.terms.networks] == ["10.0.0.1/32", "10.0.0.2/32"]
    assert read.expires_at == datetime(2027, 1, 1, tzinfo=UTC)


def test_a_key_for_browsers_takes_no_scope_from_a_form() -> None:
    read = read_key_form({**CHOSEN, "kind": "browser", "tracking": "1", "quotes": "1", "origins": PAGE}, BEGIN)
    assert (read.terms, read.faults) == (KeyTerms(frozenset({KeyScope.QUOTES}), (PAGE,), (), in_browsers=True), ())


@pytest.mark.parametrize(
    ("form", "says"),
    [
        (CHOSEN, "scope: choose what the key is for"),
        ({"kind": "admin"}, "kind: choose a secret key or one for browsers"),
        ({"kind": "browser"}, "origin: a key for browsers needs the origins of its pages"),
        ({"kind": "browser", "origins": "*"}, "origin: must be that of a page"),
        ({"origins": "app.example"}, "origin: must be that of a page"),
        ({"networks": "10.0.0.0/40"}, "network: must be an address or a network"),
        ({"expires": "2026-11-20"}, "expires: must not be a day that is over"),
        ({"expires": "soon"}, "expires: must be a day of the calendar"),
    ],
)
async def test_a_fault_is_named_and_what_was_entered_stays(
    portal: ServedPortal, form: dict[str, str], says: str
) -> None:
    visitor = await owner(portal)
    answer = await visitor.send_form(f"{HOME}/keys", await visitor.csrf(), name="Checkout", **form)
    assert (answer.status, says in answer.text) == (400, True)
    assert 'value="Checkout"' in answer.text
    assert '<details class="terms" open>' in answer.text
    assert form.get("origins", "") in answer.text
    assert await portal.services.accounts.list_keys(NAME) == ()
    key, _ = await portal.services.accounts.create_key(NAME)
    if form not in (CHOSEN,) and "kind" not in form:
        kept = await visitor.send_form(f"{HOME}/keys/{key.id}/terms", await visitor.csrf(), **form)
        assert (kept.status, says in kept.text) == (400, True)
        assert (await portal.services.accounts.list_keys(NAME))[0].terms.scopes == EVERY_SCOPE


async def test_a_key_for_browsers_is_made_shown_and_changed(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    accounts = portal.services.accounts
    form = {"kind": "browser", "origins": PAGE, "expires": "2026-12-31"}
    made = await visitor.follow_form(f"{HOME}/keys", await visitor.csrf(), **form)
    text = made.text.partition('<code id="key">')[2].partition("<")[0]
    assert text.startswith("rl_pub_")
    assert not SECRET_KEY.findall(made.text)
    assert f"It may stand in pages of {PAGE}" in made.text
    listed = (await visitor.get(f"{HOME}/keys")).text
    assert f"for quotes · from {PAGE} · until the end of 2026-12-31 (UTC)" in listed
    assert "for browsers</span>" in listed
    (key,) = await accounts.list_keys(NAME)
    assert "last used" not in listed, "to show a new key is not to use it"
    path = f"{HOME}/keys/{key.id}/terms"
    assert (await visitor.send_form(path, await visitor.csrf(), origins=f"{PAGE} https://b.example")).status == 303
    (changed,) = await accounts.list_keys(NAME)
    assert changed.terms == KeyTerms(frozenset({KeyScope.QUOTES}), (PAGE, "https://b.example"), (), in_browsers=True)
    assert changed.expires_at is None
    secret = await visitor.send_form(path, await visitor.csrf(), kind="secret", tracking="1", origins="")
    assert (secret.status, "origin: a key for browsers needs" in secret.text) == (400, True)
    assert (await accounts.list_keys(NAME)) == (changed,)


async def test_a_key_that_has_expired_is_among_the_ended(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    await portal.services.accounts.create_key(NAME, name="Short", expires_at=datetime(2026, 11, 22, tzinfo=UTC))
    assert "No key is live" not in (await visitor.get(f"{HOME}/keys")).text
    portal.clock.move(hours=11, minutes=59)
    await visitor.sign_in()
    assert "No key is live" not in (await visitor.get(f"{HOME}/keys")).text
    portal.clock.move(minutes=1)
    assert "No key is live" in (await visitor.get(f"{HOME}/keys")).text
