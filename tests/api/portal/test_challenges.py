"""Whatever a stranger can have written to the store is counted, and what is written is bounded."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from rhumbline.accounts import sessions as kept
from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.sessions import nonces
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.routes import page_routes
from rhumbline.api.server.application import create_app
from rhumbline.domain.rate import Limit
from tests.api.api_service import ApiService
from tests.api.api_service import services as api_services
from tests.api.conftest import served
from tests.portal_fixture import ServedPortal, Visitor

MOST = 4


@pytest.fixture
async def visitor(portal: ServedPortal) -> AsyncIterator[Visitor]:
    """Someone at a portal that takes four posts in two hours."""
    limiter = Limiter(Tiers(Limit(MOST, 7200), Limit(MOST, 60)), LocalCounters(portal.clock))
    app = create_app(api_services(ApiService(), {}))
    async with served(app) as (url, _):
        app.routes.extend(
            page_routes(replace(portal.services, base_url=url, limiter=limiter), Pages("Rhumbline", Assets()))
        )
        yield Visitor(url, portal.session)


async def rows(portal: ServedPortal) -> int:
    async with portal.engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(nonces))).scalar_one())


async def test_challenges_are_counted_by_address(portal: ServedPortal, visitor: Visitor) -> None:
    asked = {"address": visitor.address, "chainId": "0x1"}
    for _ in range(MOST):
        assert (await visitor.send_json("/portal/challenge", asked)).status == 200
    for seed in ("22", "33"):
        # Another wallet, another browser: the same address.
        other = Visitor(visitor.url, visitor.session, "0x" + seed * 32)
        refused = await other.send_json("/portal/challenge", {**asked, "address": other.address})
        assert refused.status == 429
        assert refused.headers["retry-after"] == "7200"
        assert "4 requests in 2 hours" in refused.json["error"]
    assert await rows(portal) == MOST
    portal.clock.move(seconds=7200)
    assert (await visitor.send_json("/portal/challenge", asked)).status == 200


async def test_forms_and_sign_ins_count_as_well(portal: ServedPortal, visitor: Visitor) -> None:
    await visitor.sign_in()
    csrf = await visitor.csrf()
    for name, status in (("Ahoi", 303), ("Brig", 303), ("Cog", 429)):
        answer = await visitor.send_form("/portal/integrators", csrf, name=name)
        assert answer.status == status, answer.text
    assert "Too much at once" in answer.text
    assert (await visitor.get("/portal")).status == 200


async def test_integrators_that_one_address_registers_are_counted(portal: ServedPortal) -> None:
    """Wallets cost nothing, and each has limits of its own."""
    tiers = Tiers(Limit(100, 7200), Limit(100, 60), Limit(2, 86_400))
    limiter = Limiter(tiers, LocalCounters(portal.clock))
    app = create_app(api_services(ApiService(), {}))
    async with served(app) as (url, _):
        services = replace(portal.services, base_url=url, limiter=limiter)
        app.routes.extend(page_routes(services, Pages("Rhumbline", Assets())))
        answers = []
        for seed, name in (("22", "Ahoi"), ("33", "Brig"), ("44", "Cog")):
            visitor = Visitor(url, portal.session, "0x" + seed * 32)
            await visitor.sign_in()
            answers.append(await visitor.send_form("/portal/integrators", await visitor.csrf(), name=name))
    assert [answer.status for answer in answers] == [303, 303, 429]
    assert "2 requests in 24 hours" in answers[-1].text


async def test_the_table_is_bounded_and_what_has_expired_goes(
    portal: ServedPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_NONCES", 3)
    found = []
    for _ in range(6):
        portal.clock.move(seconds=1)
        found.append(await portal.services.sessions.new_nonce("sign-in", "me"))
        assert await rows(portal) <= 3
    known = [await portal.services.sessions.has_nonce(nonce, "sign-in", "me") for nonce in found]
    assert known == [False, False, False, True, True, True]
    portal.clock.move(hours=1)
    await portal.services.sessions.new_nonce("sign-in", "me")
    assert await rows(portal) == 1
