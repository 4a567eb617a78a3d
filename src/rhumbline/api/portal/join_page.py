"""``/portal/join``: whoever is invited sees to what, and joins.

The code of an invitation stands behind the ``#`` of its link, which browsers send to nobody; the page's script puts it
into the form, and without a script it is pasted there.
"""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.invitation_store import Invitation
from rhumbline.accounts.invitations import JOIN
from rhumbline.api.portal.access import Form, Visitor
from rhumbline.api.portal.views import A_ROLE, HOME, PortalViews
from rhumbline.domain.errors import InvalidRequest


def join_routes(views: PortalViews) -> list[Route]:
    services = views.services

    def show(
        visitor: Visitor,
        status: int = 200,
        invitation: Invitation | None = None,
        code: str = "",
        faults: tuple[str, ...] = (),
    ) -> Response:
        expires = None if invitation is None else visitor.language.moment(invitation.expires_at)
        return views.page(
            "join.html",
            visitor,
            status,
            a_role=A_ROLE,
            invitation=invitation,
            expires=expires,
            code=code,
            faults=faults,
        )

    async def get_join(request: Request) -> Response:
        visitor = await views.gate.visitor(request)
        return views.to_sign_in(request) if visitor is None else show(visitor)

    async def post_look(request: Request, visitor: Visitor, form: Form) -> Response:
        code = form.get("invitation", "")
        try:
            return show(visitor, 200, await services.invitations.look(code, visitor.address), code)
        except InvalidRequest as error:
            return show(visitor, 400, faults=error.faults)

    async def post_accept(request: Request, visitor: Visitor, form: Form) -> Response:
        try:
            joined = await services.invitations.accept(form.get("invitation", ""), visitor.address)
        except InvalidRequest as error:
            return show(visitor, 400, faults=error.faults)
        return RedirectResponse(f"{HOME}/i/{joined.integrator}", 303)

    return [
        views.anybody(JOIN, get_join),
        views.acting(JOIN, post_look),
        views.acting(JOIN + "/accept", post_accept),
    ]
