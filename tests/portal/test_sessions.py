"""Nonces count once and for one thing; sessions end when they should; the store has neither in clear."""

from urllib.parse import urlencode

import pytest

from tests.portal.conftest import ServedPortal


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
    assert await portal.services.accounts.list_keys("Acme") == ()
    await visitor.sign_in()
    back = await visitor.get(sign_in)
    assert (back.status, back.headers["location"]) == (303, page)


@pytest.mark.parametrize(
    "then",
    ["//evil.example", "https://evil.example/portal/i/x", "/portal/i/", "/portal/i/x\\evil", "/portal/i/x#<", "/docs"],
)
async def test_a_sign_in_leads_nowhere_but_into_the_portal(portal: ServedPortal, then: str) -> None:
    visitor = portal.visitor()
    asked = f"/portal?{urlencode({'then': then})}"
    assert 'data-then="/portal"' in (await visitor.get(asked)).text
    await visitor.sign_in()
    assert (await visitor.get(asked)).status == 200


async def test_a_name_that_is_registered_twice_by_its_owner_is_theirs(portal: ServedPortal) -> None:
    visitor, stranger = portal.visitor(), portal.visitor(2)
    await visitor.sign_in()
    await stranger.sign_in()
    for _ in range(2):
        answer = await visitor.send_form("/portal/integrators", await visitor.csrf(), name="Acme")
        assert (answer.status, answer.headers["location"]) == (303, "/portal/i/Acme")
    taken = await stranger.send_form("/portal/integrators", await stranger.csrf(), name="Acme")
    assert (taken.status, "is taken" in taken.text) == (400, True)
