"""An integrator's API keys: made and shown once, replaced with an overlap, ended at once."""

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.keys import LONGEST_NAME
from rhumbline.accounts.sessions import new_token
from rhumbline.api.portal.access import Form, Visitor
from rhumbline.api.portal.display import moment
from rhumbline.api.portal.services import PortalServices, Usage
from rhumbline.api.portal.views import HOME, PortalViews
from rhumbline.domain.account import ApiKey, Integrator
from rhumbline.domain.errors import InvalidRequest, NotFound

MOST_KEYS = 20
OVERLAPS = ((0, "at once"), (3600, "in an hour"), (86_400, "in a day"), (7 * 86_400, "in a week"))


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as the page shows it; ``state`` is live, ending or ended; without a name and unused, they are None."""

    id: int
    name: str | None
    prefix: str
    created: str
    used: str | None
    state: str
    ends: str | None
    usage: tuple[Usage, ...] | None


def key_routes(views: PortalViews) -> list[Route]:
    """Return the routes below an integrator's keys."""
    services = views.services

    async def show(
        visitor: Visitor,
        integrator: Integrator,
        status: int = 200,
        *,
        made: str | None = None,
        twice: bool = False,
        faults: tuple[str, ...] = (),
        entered: str = "",
    ) -> Response:
        keys = await services.accounts.list_keys(integrator.name)
        now = services.clock()
        rows = [await key_row(services, key, now) for key in reversed(keys)]
        return views.page(
            "keys.html",
            visitor,
            status,
            integrator=integrator,
            tab="keys",
            live=[row for row in rows if row.state != "ended"],
            ended=[row for row in rows if row.state == "ended"],
            made=made,
            twice=twice,
            faults=faults,
            entered=entered,
            longest=LONGEST_NAME,
            overlaps=OVERLAPS,
            once=new_token(),
        )

    async def get_keys(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        made = views.gate.shown_once(request, visitor, integrator.name)
        response = await show(visitor, integrator, made=made, twice="twice" in request.query_params)
        views.gate.forget_shown(response)
        return response

    async def post_key(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        name = form.get("name", "")
        if not await is_first(visitor, form):
            return to_keys(integrator, "?twice=1")
        try:
            _, text = await services.accounts.create_key(integrator.name, MOST_KEYS, name or None, visitor.address)
        except InvalidRequest as error:
            return await show(visitor, integrator, 400, faults=error.faults, entered=name[:LONGEST_NAME])
        return show_once(visitor, integrator, text)

    async def post_name(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        key = await own_key(request, integrator)
        try:
            await services.accounts.name_key(key.id, form.get("name", "") or None)
        except InvalidRequest as error:
            return await show(visitor, integrator, 400, faults=error.faults)
        return to_keys(integrator)

    async def post_rotation(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        key = await own_key(request, integrator)
        overlap = form.get("overlap", "")
        if overlap not in {str(seconds) for seconds, _ in OVERLAPS}:
            return await show(visitor, integrator, 400, faults=("overlap: choose when the old key is to end",))
        if not await is_first(visitor, form):
            return to_keys(integrator, "?twice=1")
        try:
            _, text = await services.accounts.rotate_key(key.id, int(overlap), MOST_KEYS)
        except InvalidRequest as error:
            return await show(visitor, integrator, 400, faults=error.faults)
        return show_once(visitor, integrator, text)

    async def post_revocation(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        await services.accounts.revoke_key((await own_key(request, integrator)).id)
        return to_keys(integrator)

    async def is_first(visitor: Visitor, form: Form) -> bool:
        """Tell whether a form is sent for the first time; sent twice, it would make a key that is never shown."""
        once = form.get("once", "")
        return not once or await services.sessions.is_first(once, visitor.token)

    def show_once(visitor: Visitor, integrator: Integrator, text: str) -> Response:
        """Lead to the page that shows a new key, this once."""
        response = to_keys(integrator)
        views.gate.show_once(response, visitor, integrator.name, text)
        return response

    async def own_key(request: Request, integrator: Integrator) -> ApiKey:
        """Return the key that the path names; raise NotFound alike for another integrator's and for none."""
        wanted = str(request.path_params["key"])
        for key in await services.accounts.list_keys(integrator.name):
            if str(key.id) == wanted:
                return key
        raise NotFound(f"{integrator.name} has no such key: see the list of its keys")

    return [
        views.reading("/keys", get_keys),
        views.changing("/keys", post_key),
        views.changing("/keys/{key}/name", post_name),
        views.changing("/keys/{key}/rotate", post_rotation),
        views.changing("/keys/{key}/revoke", post_revocation),
    ]


def to_keys(integrator: Integrator, end: str = "") -> Response:
    return RedirectResponse(f"{HOME}/i/{integrator.name}/keys{end}", 303)


def is_live(key: ApiKey, now: datetime) -> bool:
    return key.revoked_at is None or key.revoked_at > now


async def key_row(services: PortalServices, key: ApiKey, now: datetime) -> KeyRow:
    """Say a key's state and, while it lives, what of its limits is used."""
    live = is_live(key, now)
    return KeyRow(
        id=key.id,
        name=key.name,
        prefix=key.prefix,
        created=moment(key.created_at),
        used=None if key.last_used_at is None else moment(key.last_used_at),
        state="ended" if not live else "live" if key.revoked_at is None else "ending",
        ends=None if key.revoked_at is None else moment(key.revoked_at),
        usage=await services.usage(key) if live else None,
    )
