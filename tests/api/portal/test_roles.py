"""Every address of the portal, with every role: what is not listed here fails, and nobody does more than it may."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pytest
from sqlalchemy import text

from rhumbline.accounts.members import Members
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.routes import page_routes
from rhumbline.domain.account import Role
from tests.api.api_service import OTHER_WALLET
from tests.api.portal.test_views import HOME, NAME
from tests.portal_fixture import Answer, ServedPortal, Visitor

OWNER, DEVELOPER, VIEWER = Role
STRANGER, NOBODY = "stranger", "nobody"
VISITORS = (*Role, STRANGER, NOBODY)
PATH = "/portal/i/{name}"


@dataclass(frozen=True)
class Address:
    """Who may use an address of an integrator, from the least role on; ``fields`` are a form that would be obeyed."""

    needs: Role
    fields: Mapping[str, str] | None = None
    obeyed: int = 303


READ = Address(VIEWER)
ADDRESSES: Mapping[str, Address] = MappingProxyType(
    {
        "GET ": READ,
        "GET /keys": READ,
        "GET /wallets": READ,
        "GET /transactions": READ,
        "GET /transactions.csv": READ,
        "GET /fees": READ,
        "GET /requests": READ,
        "GET /embed": READ,
        "GET /members": READ,
        "GET /log": READ,
        "GET /webhooks": READ,
        "GET /webhooks/{webhook}": READ,
        "GET /wallets/change": Address(OWNER),
        "POST /keys": Address(DEVELOPER, {"name": "New"}),
        "POST /keys/{key}/name": Address(DEVELOPER, {"name": "Other"}),
        "POST /keys/{key}/terms": Address(DEVELOPER, {"origins": "https://evil.example"}),
        "POST /keys/{key}/rotate": Address(DEVELOPER, {"overlap": "3600"}),
        "POST /keys/{key}/revoke": Address(DEVELOPER, {}),
        "POST /wallets/check": Address(OWNER, {"chain_type": "EVM", "address": OTHER_WALLET}),
        # Without a signature even an owner's is refused: test_wallets has the rest.
        "POST /wallets": Address(OWNER, {"chain_type": "EVM", "address": OTHER_WALLET}, 403),
        "POST /members/invitations": Address(OWNER, {"role": "owner", "days": "7"}),
        "POST /members/invitations/{invitation}/withdraw": Address(OWNER, {}),
        "POST /members/{member}/role": Address(OWNER, {"role": "owner"}),
        "POST /members/{member}/remove": Address(OWNER, {}),
        "POST /members/leave": Address(VIEWER, {}),
        "POST /webhooks": Address(DEVELOPER, {"url": "https://evil.example", "transaction.seen": "1"}),
        "POST /webhooks/{webhook}/rotate": Address(DEVELOPER, {"overlap": "0"}),
        "POST /webhooks/{webhook}/test": Address(DEVELOPER, {}),
        "POST /webhooks/{off}/enable": Address(DEVELOPER, {}),
        "POST /webhooks/{webhook}/remove": Address(DEVELOPER, {}),
        "POST /webhooks/{webhook}/deliveries/{delivery}/resend": Address(DEVELOPER, {}),
    }
)
"""Below an integrator."""
OTHERS = frozenset(
    {"GET /portal", "GET /portal/join", "POST /portal/challenge", "POST /portal/sign-in", "POST /portal/sign-out",
     "POST /portal/integrators", "POST /portal/join", "POST /portal/join/accept", "GET /portal/{rest:path}"}
)  # fmt: skip
"""Of no integrator, whatever somebody's role is; test_sign_in, test_join_page and test_access are about them."""


def addresses(portal: ServedPortal) -> set[str]:
    routes = page_routes(portal.services, Pages("Rhumbline", Assets()))
    return {
        f"{method} {route.path}"
        for route in routes
        if route.path.startswith("/portal") and route.methods is not None
        for method in route.methods - {"HEAD"}
    }


async def test_every_address_is_known_here(portal: ServedPortal) -> None:
    below = {re.sub(r"(?<=^GET )|(?<=^POST )", PATH, each, count=1) for each in ADDRESSES}
    assert addresses(portal) == {each.replace("{off}", "{webhook}") for each in below} | OTHERS


@dataclass(frozen=True)
class Team:
    """An integrator with a member of each role, a key, an open invitation, a second viewer, and two webhooks."""

    visitors: Mapping[str, Visitor]
    key: int
    invitation: int
    member: str
    webhook: str
    off: str
    delivery: int

    def path(self, address: str) -> str:
        for name in ("key", "invitation", "member", "webhook", "off", "delivery"):
            address = address.replace(f"{{{name}}}", str(getattr(self, name)))
        return HOME + address


async def team(portal: ServedPortal) -> Team:
    visitors: dict[str, Visitor] = {}
    members = Members(portal.engine, portal.clock)
    for seed, role in enumerate((*Role, STRANGER), 1):
        visitors[role] = visitor = portal.visitor(seed)
        visitor.cookies["portal-session"] = await portal.services.sessions.begin(visitor.address)
        if role is OWNER:
            await members.register(visitor.address, NAME)
        elif role != STRANGER:
            await members.put(visitor.address, NAME, Role(role))
    visitors[NOBODY] = portal.visitor(5)
    other = portal.visitor(6).address
    await members.put(other, NAME, VIEWER)
    await members.put(portal.visitor(7).address, NAME, OWNER)
    key, _ = await portal.services.accounts.create_key(NAME, name="Checkout")
    made, _ = await portal.services.invitations.invite(NAME, VIEWER, 7)
    hooks = portal.services.webhooks
    on, off = [(await hooks.add(NAME, "https://example.com"))[0].id for _ in range(2)]
    sent = await hooks.test(NAME, on)
    async with portal.engine.begin() as connection:
        switch = text("UPDATE webhooks SET off_at = now(), off_reason = 'it answered 410 Gone' WHERE id = :off")
        await connection.execute(switch, {"off": off})
    return Team(visitors, key.id, made.id, other, on, off, sent.id)


async def state(portal: ServedPortal) -> object:
    """Everything that an address could change."""
    services = portal.services
    return (
        await services.accounts.list_keys(NAME),
        await services.accounts.integrator(NAME),
        await services.members.members_of(NAME),
        await services.invitations.open_of(NAME),
        await services.audit.entries(NAME, 1000),
        await services.webhooks.all(NAME),
    )


def may(visitor: str, address: str) -> bool:
    return visitor in set(Role) and Role(visitor).includes(ADDRESSES[address].needs)


async def answered(everybody: Team, visitor: str, address: str) -> Answer:
    """Ask for a page, or send a form that would be obeyed from somebody who may."""
    who, rule = everybody.visitors[visitor], ADDRESSES[address]
    method, _, end = address.partition(" ")
    path = everybody.path(end)
    if method == "GET":
        return await who.get(path + (f"?chain_type=EVM&address={OTHER_WALLET}" if end == "/wallets/change" else ""))
    csrf = "0" * 64 if visitor == NOBODY else await who.csrf()
    return await who.send_form(path, csrf, **dict(rule.fields or {}))


@pytest.mark.parametrize("visitor", VISITORS)
async def test_nobody_does_more_than_it_may(portal: ServedPortal, visitor: str) -> None:
    everybody = await team(portal)
    before = await state(portal)
    for address in (each for each in ADDRESSES if not may(visitor, each)):
        answer = await answered(everybody, visitor, address)
        if visitor == NOBODY:
            assert answer.status == (303 if address.startswith("GET") else 403), address
            assert answer.headers.get("location", "/portal?").startswith("/portal?"), address
        elif visitor == STRANGER:
            assert (answer.status, "You have no integrator of that name" in answer.text) == (404, True), address
        else:
            assert (answer.status, "Not in your role" in answer.text) == (403, True), address
            assert f"You are a {visitor} of {NAME}; this needs" in answer.text
        assert await state(portal) == before, address


@pytest.mark.parametrize("role", list(Role))
async def test_a_member_reads_what_it_may(portal: ServedPortal, role: Role) -> None:
    everybody = await team(portal)
    before = await state(portal)
    for address in (each for each in ADDRESSES if each.startswith("GET") and may(role, each)):
        assert (await answered(everybody, role, address)).status == 200, address
    assert await state(portal) == before


CHANGES = [(role, each) for role in Role for each in ADDRESSES if each.startswith("POST") and may(role, each)]


@pytest.mark.parametrize(("role", "address"), CHANGES)
async def test_a_member_changes_what_it_may(portal: ServedPortal, role: Role, address: str) -> None:
    everybody = await team(portal)
    before = await state(portal)
    answer = await answered(everybody, role, address)
    assert answer.status == ADDRESSES[address].obeyed, answer.text
    if "/wallets" not in address:
        services = portal.services
        assert await state(portal) != before
        assert (await services.audit.entries(NAME, 1))[0].actor == everybody.visitors[role].address


@pytest.mark.parametrize("role", list(Role))
async def test_a_page_shows_what_its_visitor_may_do(portal: ServedPortal, role: Role) -> None:
    """No form that would be refused, and every one that would not."""
    everybody = await team(portal)
    shown = set()
    for address in (*ADDRESSES, "GET /webhooks/{off}"):
        method, _, end = address.partition(" ")
        if method == "GET" and end not in ("/wallets/change", "/transactions.csv"):
            page = (await everybody.visitors[role].get(everybody.path(end))).text
            shown |= set(re.findall(rf'method="post" action="{HOME}([^"]*)"', page))
    open_to = {
        everybody.path(address.partition(" ")[2]).removeprefix(HOME)
        for address, rule in ADDRESSES.items()
        if rule.fields is not None and role.includes(rule.needs)
    }
    # What a change of a wallet is signed on is a page of its own.
    assert {each for each in shown if each in open_to} == open_to - {"/wallets"}
    beyond = {
        everybody.path(address.partition(" ")[2]).removeprefix(HOME)
        for address, rule in ADDRESSES.items()
        if rule.fields is not None and not role.includes(rule.needs)
    }
    assert not shown & beyond


async def test_a_role_that_is_taken_away_ends_at_once(portal: ServedPortal) -> None:
    everybody = await team(portal)
    developer = everybody.visitors[DEVELOPER]
    csrf = await developer.csrf()
    assert (await developer.send_form(f"{HOME}/keys", csrf)).status == 303
    boss = everybody.visitors[OWNER]
    path = f"{HOME}/members/{developer.address}"
    assert (await boss.send_form(f"{path}/role", await boss.csrf(), role="viewer")).status == 303
    assert (await developer.send_form(f"{HOME}/keys", csrf)).status == 403
    assert (await developer.get(HOME)).status == 200
    assert (await boss.send_form(f"{path}/remove", await boss.csrf())).status == 303
    assert (await developer.get(HOME)).status == 404
