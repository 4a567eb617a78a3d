"""An integrator's webhooks: added with a secret that is shown once, watched, tested, switched on again, removed."""

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.sessions import new_token
from rhumbline.api.portal.access import Form, Refused, Visitor
from rhumbline.api.portal.keys import OVERLAPS
from rhumbline.api.portal.views import HOME, PortalViews
from rhumbline.api.portal.webhook_rows import EVENTS, delivery_row, endpoint_row
from rhumbline.domain.account import Integrator, Role
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.sentence import Sentence
from rhumbline.domain.webhook import DEFAULT_TYPES, TYPES

LOGGED = 15
_ID = re.compile(r"wh_[0-9a-f]{16}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def webhook_routes(views: PortalViews) -> list[Route]:
    """Return the routes below an integrator's webhooks."""
    services = views.services

    async def show_all(
        visitor: Visitor,
        integrator: Integrator,
        status: int = 200,
        *,
        faults: tuple[str, ...] = (),
        url: str = "",
        chosen: tuple[str, ...] = DEFAULT_TYPES,
    ) -> Response:
        return views.page(
            "webhooks.html",
            visitor,
            status,
            integrator=integrator,
            tab="webhooks",
            endpoints=[endpoint_row(visitor.language, each) for each in await services.webhooks.all(integrator.name)],
            events=EVENTS,
            faults=faults,
            url=url,
            chosen=chosen,
            once=new_token(),
        )

    async def show_one(
        visitor: Visitor,
        integrator: Integrator,
        webhook: str,
        status: int = 200,
        *,
        before: int | None = None,
        secret: str | None = None,
        twice: bool = False,
        faults: tuple[str, ...] = (),
    ) -> Response:
        found = await services.webhooks.find(integrator.name, webhook)
        deliveries = await services.webhooks.deliveries(integrator.name, webhook, LOGGED + 1, before)
        return views.page(
            "webhook.html",
            visitor,
            status,
            integrator=integrator,
            tab="webhooks",
            endpoint=endpoint_row(visitor.language, found),
            deliveries=[delivery_row(visitor.language, each) for each in deliveries[:LOGGED]],
            older=deliveries[LOGGED - 1].id if len(deliveries) > LOGGED else None,
            before=before,
            secret=secret,
            twice=twice,
            faults=faults,
            overlaps=OVERLAPS,
            once=new_token(),
        )

    async def get_all(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        return await show_all(visitor, integrator)

    async def get_one(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        webhook, before = _webhook(request), request.query_params.get("before", "")
        if before and not _NUMBER.fullmatch(before):
            raise Refused(
                400, Sentence("Not possible"), Sentence("before: is none of this list: begin with the newest")
            )
        secret = views.gate.shown_once(request, visitor, _shown_as(integrator, webhook))
        response = await show_one(
            visitor,
            integrator,
            webhook,
            before=int(before) if before else None,
            secret=secret,
            twice="twice" in request.query_params,
        )
        views.gate.forget_shown(response)
        return response

    async def post_one(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        url, chosen = form.get("url", ""), tuple(each for each in TYPES if form.get(each))
        if not await is_first(visitor, form):
            return RedirectResponse(_path(integrator), 303)
        try:
            made, secret = await services.webhooks.add(integrator.name, url, chosen, visitor.address)
        except InvalidRequest as error:
            return await show_all(visitor, integrator, 400, faults=error.faults, url=url[:2048], chosen=chosen)
        return show_once(visitor, integrator, made.id, secret)

    async def post_rotation(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        webhook, overlap = _webhook(request), form.get("overlap", "")
        if overlap not in {f"{seconds}" for seconds, _ in OVERLAPS}:
            faults = (Sentence("overlap: choose when the old secret is to end"),)
            return await show_one(visitor, integrator, webhook, 400, faults=faults)
        await services.webhooks.find(integrator.name, webhook)
        if not await is_first(visitor, form):
            return RedirectResponse(f"{_path(integrator, webhook)}?twice=1", 303)
        secret = await services.webhooks.rotate(integrator.name, webhook, int(overlap), visitor.address)
        return show_once(visitor, integrator, webhook, secret)

    async def post_test(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        webhook = _webhook(request)
        try:
            await services.webhooks.test(integrator.name, webhook, visitor.address)
        except InvalidRequest as error:
            return await show_one(visitor, integrator, webhook, 400, faults=error.faults)
        return to_log(integrator, webhook)

    async def post_resend(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        webhook, delivery = _webhook(request), str(request.path_params["delivery"])
        if not _NUMBER.fullmatch(delivery):
            raise NotFound(Sentence("delivery: there is no such one; see the list"))
        try:
            await services.webhooks.send_again(integrator.name, webhook, int(delivery), visitor.address)
        except InvalidRequest as error:
            return await show_one(visitor, integrator, webhook, 400, faults=error.faults)
        return to_log(integrator, webhook)

    async def post_on(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        webhook = _webhook(request)
        await services.webhooks.switch_on(integrator.name, webhook, visitor.address)
        return RedirectResponse(_path(integrator, webhook), 303)

    async def post_removal(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        await services.webhooks.remove(integrator.name, _webhook(request), visitor.address)
        return RedirectResponse(_path(integrator), 303)

    async def is_first(visitor: Visitor, form: Form) -> bool:
        """Return whether a form is sent for the first time; a second time would make a secret that is never shown."""
        once = form.get("once", "")
        return not once or await services.sessions.is_first(once, visitor.token)

    def show_once(visitor: Visitor, integrator: Integrator, webhook: str, secret: str) -> Response:
        response = RedirectResponse(_path(integrator, webhook), 303)
        views.gate.show_once(response, visitor, _shown_as(integrator, webhook), secret)
        return response

    def to_log(integrator: Integrator, webhook: str) -> Response:
        return RedirectResponse(f"{_path(integrator, webhook)}#log", 303)

    one = "/webhooks/{webhook}"
    return [
        views.reading("/webhooks", get_all),
        views.reading(one, get_one),
        views.changing("/webhooks", post_one, Role.DEVELOPER),
        views.changing(f"{one}/rotate", post_rotation, Role.DEVELOPER),
        views.changing(f"{one}/test", post_test, Role.DEVELOPER),
        views.changing(f"{one}/enable", post_on, Role.DEVELOPER),
        views.changing(f"{one}/remove", post_removal, Role.DEVELOPER),
        views.changing(one + "/deliveries/{delivery}/resend", post_resend, Role.DEVELOPER),
    ]


def _path(integrator: Integrator, webhook: str | None = None) -> str:
    return f"{HOME}/i/{integrator.name}/webhooks" + ("" if webhook is None else f"/{webhook}")


def _shown_as(integrator: Integrator, webhook: str) -> str:
    """Name what is shown once, so that no other page shows it."""
    return f"{integrator.name} {webhook}"


def _webhook(request: Request) -> str:
    webhook = str(request.path_params["webhook"])
    if not _ID.fullmatch(webhook):
        raise NotFound(Sentence("webhook: there is no such one; see the list"))
    return webhook
