"""An integrator's members, their roles, and invitations; and the log of who changed what."""

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.account_ids import typed_account
from rhumbline.accounts.invitations import LONGEST_DAYS, link_of
from rhumbline.accounts.sessions import new_token
from rhumbline.api.portal.access import Form, Refused, Visitor
from rhumbline.api.portal.actions import ACTIONS
from rhumbline.api.portal.views import HOME, ROLE_NAMES, PortalViews
from rhumbline.domain.account import Integrator, Role
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.sentence import Sentence

LIVES = (1, 7, LONGEST_DAYS)
LOGGED = 50
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def member_routes(views: PortalViews) -> list[Route]:
    """Return the routes below an integrator's members, and of its log."""
    services = views.services

    async def show(
        visitor: Visitor,
        integrator: Integrator,
        status: int = 200,
        *,
        link: str | None = None,
        faults: tuple[str, ...] = (),
        entered: str = "",
    ) -> Response:
        members = await services.members.members_of(integrator.name)
        keys = await services.accounts.list_keys(integrator.name)
        live = [key.owner for key in keys if key.is_live(services.clock())]
        return views.page(
            "members.html",
            visitor,
            status,
            integrator=integrator,
            tab="members",
            members=[(member, visitor.language.moment(member.since), live.count(member.address)) for member in members],
            invitations=[
                (each, visitor.language.moment(each.created_at), visitor.language.moment(each.expires_at))
                for each in await services.invitations.open_of(integrator.name)
            ],
            owners=sum(member.role is Role.OWNER for member in members),
            roles=tuple(Role),
            role_names=ROLE_NAMES,
            lives=LIVES,
            once=new_token(),
            link=link,
            faults=faults,
            entered=entered,
        )

    async def get_members(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        code = views.gate.shown_once(request, visitor, _shown_as(integrator))
        response = await show(visitor, integrator, link=None if code is None else link_of(services.base_url, code))
        views.gate.forget_shown(response)
        return response

    async def post_invitation(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        text, days = form.get("wallet", ""), form.get("days", "")
        wallet, sound = typed_account(text) if text else (None, True)
        faults = []
        if text and (wallet is None or not sound):
            faults.append(
                Sentence(
                    "wallet: must be an EVM address with its checksum, for a contract eip155:8453:0x…, or be left out"
                )
            )
        if days not in map(str, LIVES):
            faults.append(Sentence("days: choose how long the invitation is valid"))
        if faults:
            return await show(visitor, integrator, 400, faults=tuple(faults), entered=text[:64])
        role, once = read_role(form), form.get("once", "")
        if once and not await services.sessions.is_first(once, visitor.token):
            return to_members(integrator)
        try:
            _, code = await services.invitations.invite(integrator.name, role, int(days), wallet, visitor.address)
        except InvalidRequest as error:
            return await show(visitor, integrator, 400, faults=error.faults, entered=text[:64])
        response = to_members(integrator)
        views.gate.show_once(response, visitor, _shown_as(integrator), code)
        return response

    async def post_withdrawal(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        wanted = str(request.path_params["invitation"])
        if not _NUMBER.fullmatch(wanted):
            raise NotFound(Sentence("invitation: there is no such open one; see the list"))
        await services.invitations.withdraw(integrator.name, int(wanted), visitor.address)
        return to_members(integrator)

    async def post_role(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        await services.members.put(own_member(request), integrator.name, read_role(form), visitor.address)
        return to_members(integrator)

    async def post_removal(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        address = own_member(request)
        await services.members.remove(address, integrator.name, visitor.address)
        return RedirectResponse(HOME, 303) if address == visitor.address else to_members(integrator)

    async def post_leave(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        await services.members.remove(visitor.address, integrator.name, visitor.address)
        return RedirectResponse(HOME, 303)

    async def get_log(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        before = request.query_params.get("before", "")
        if before and not _NUMBER.fullmatch(before):
            raise Refused(
                400, Sentence("Not possible"), Sentence("before: is none of this list: begin with the newest")
            )
        bound = (int(before),) if before else ()
        found = await services.audit.entries(integrator.name, LOGGED + 1, *bound)
        return views.page(
            "log.html",
            visitor,
            integrator=integrator,
            tab="log",
            entries=[
                (
                    entry,
                    visitor.language.moment(entry.at),
                    visitor.language.translated(ACTIONS.get(entry.action, entry.action)),
                )
                for entry in found[:LOGGED]
            ],
            older=found[LOGGED - 1].id if len(found) > LOGGED else None,
            before=before,
        )

    return [
        views.reading("/members", get_members),
        views.reading("/log", get_log),
        views.changing("/members/invitations", post_invitation, Role.OWNER),
        views.changing("/members/invitations/{invitation}/withdraw", post_withdrawal, Role.OWNER),
        views.changing("/members/leave", post_leave, Role.VIEWER),
        views.changing("/members/{member}/role", post_role, Role.OWNER),
        views.changing("/members/{member}/remove", post_removal, Role.OWNER),
    ]


def to_members(integrator: Integrator) -> Response:
    return RedirectResponse(f"{HOME}/i/{integrator.name}/members", 303)


def _shown_as(integrator: Integrator) -> str:
    """Name what is shown once, so that no other page shows it."""
    return f"{integrator.name} members"


def own_member(request: Request) -> str:
    """Return the wallet that the path names, in EIP-55 form; raise NotFound for what is none."""
    wallet, sound = typed_account(str(request.path_params["member"]))
    if wallet is None or not sound:
        raise NotFound(Sentence("member: there is no such one; see the list"))
    return wallet


def read_role(form: Form) -> Role:
    """Return the role that a form names; raise InvalidRequest for none."""
    try:
        return Role(form.get("role", ""))
    except ValueError:
        raise InvalidRequest([Sentence("role: must be one of %(roles)s", roles=", ".join(Role))]) from None
