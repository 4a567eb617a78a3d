"""An integrator's API keys: created and shown once, restricted, replaced with an overlap, revoked at once."""

from dataclasses import dataclass
from datetime import date, datetime

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.key_terms import last_day
from rhumbline.accounts.keys import LONGEST_NAME, prefix
from rhumbline.accounts.sessions import new_token
from rhumbline.api.pages.language import Language
from rhumbline.api.portal.access import Form, Visitor
from rhumbline.api.portal.first_command import first_command
from rhumbline.api.portal.key_form import EMPTY, KeyForm, read_key_form
from rhumbline.api.portal.services import PortalServices, Usage
from rhumbline.api.portal.views import HOME, PortalViews
from rhumbline.domain.account import UNRESTRICTED, ApiKey, Integrator, KeyTerms, Role
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.sentence import Sentence

MOST_KEYS = 20
OVERLAPS = (
    (0, Sentence("at once")),
    (3600, Sentence("in an hour")),
    (86_400, Sentence("in a day")),
    (7 * 86_400, Sentence("in a week")),
)
_NO_OVERLAP = Sentence("overlap: choose when the old key is to end")


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as the page shows it; ``state`` is live, ending or ended; name, maker and last use may be None.

    ``last_day`` is the last one of UTC on which it is valid by its own terms, as a form has it, empty for no end;
    ``last_day_shown`` is the same as people write it.
    """

    id: int
    name: str | None
    prefix: str
    created: str
    used: str | None
    state: str
    ends: str | None
    usage: tuple[Usage, ...] | None
    terms: KeyTerms
    last_day: str
    last_day_shown: str
    maker: str | None


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
        entered: KeyForm = EMPTY,
    ) -> Response:
        keys = await services.accounts.list_keys(integrator.name)
        now = services.clock()
        rows = [await key_row(visitor.language, services, key, now) for key in reversed(keys)]
        new = next((key for key in reversed(keys) if made is not None and key.prefix == prefix(made)), None)
        terms = UNRESTRICTED if new is None else new.terms
        return views.page(
            "keys.html",
            visitor,
            status,
            integrator=integrator,
            tab="keys",
            live=[row for row in rows if row.state != "ended"],
            ended=[row for row in rows if row.state == "ended"],
            made=made,
            made_terms=terms,
            command=None if made is None else first_command(services, visitor.wallet, made, terms),
            twice=twice,
            faults=faults,
            entered=entered,
            longest=LONGEST_NAME,
            overlaps=OVERLAPS,
            today=now.date().isoformat(),
            once=new_token(),
        )

    async def get_keys(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        made = views.gate.shown_once(request, visitor, integrator.name)
        response = await show(visitor, integrator, made=made, twice="twice" in request.query_params)
        views.gate.forget_shown(response)
        return response

    async def post_key(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        entered = read_key_form(form, services.clock())
        if entered.faults:
            return await show(visitor, integrator, 400, faults=entered.faults, entered=entered)
        if not await is_first(visitor, form):
            return to_keys(integrator, "?twice=1")
        try:
            _, text = await services.accounts.create_key(
                integrator.name, MOST_KEYS, entered.name or None, visitor.address, entered.terms, entered.expires_at
            )
        except InvalidRequest as error:
            return await show(visitor, integrator, 400, faults=error.faults, entered=entered)
        return show_once(visitor, integrator, text)

    async def post_name(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        key = await own_key(request, integrator)
        try:
            await services.accounts.name_key(key.id, form.get("name", "") or None, visitor.address)
        except InvalidRequest as error:
            return await show(visitor, integrator, 400, faults=error.faults)
        return to_keys(integrator)

    async def post_terms(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        key = await own_key(request, integrator)
        kind = "browser" if key.terms.in_browsers else "secret"
        entered = read_key_form({**form, "kind": kind}, services.clock())
        if entered.faults:
            return await show(visitor, integrator, 400, faults=entered.faults)
        await services.accounts.set_key_terms(key.id, entered.terms, entered.expires_at, visitor.address)
        return to_keys(integrator)

    async def post_rotation(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        key = await own_key(request, integrator)
        overlap = form.get("overlap", "")
        if overlap not in {str(seconds) for seconds, _ in OVERLAPS}:
            return await show(visitor, integrator, 400, faults=(_NO_OVERLAP,))
        if not await is_first(visitor, form):
            return to_keys(integrator, "?twice=1")
        try:
            _, text = await services.accounts.rotate_key(key.id, int(overlap), MOST_KEYS, visitor.address)
        except InvalidRequest as error:
            return await show(visitor, integrator, 400, faults=error.faults)
        return show_once(visitor, integrator, text)

    async def post_revocation(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        await services.accounts.revoke_key((await own_key(request, integrator)).id, visitor.address)
        return to_keys(integrator)

    async def is_first(visitor: Visitor, form: Form) -> bool:
        """Return whether a form is sent for the first time; a second time would make a key that is never shown."""
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
        raise NotFound(Sentence("%(integrator)s has no such key: see the list of its keys", integrator=integrator.name))

    return [
        views.reading("/keys", get_keys),
        views.changing("/keys", post_key, Role.DEVELOPER),
        views.changing("/keys/{key}/name", post_name, Role.DEVELOPER),
        views.changing("/keys/{key}/terms", post_terms, Role.DEVELOPER),
        views.changing("/keys/{key}/rotate", post_rotation, Role.DEVELOPER),
        views.changing("/keys/{key}/revoke", post_revocation, Role.DEVELOPER),
    ]


def to_keys(integrator: Integrator, end: str = "") -> Response:
    return RedirectResponse(f"{HOME}/i/{integrator.name}/keys{end}", 303)


async def key_row(language: Language, services: PortalServices, key: ApiKey, now: datetime) -> KeyRow:
    """Say a key's state and, while it lives, what of its limits is used."""
    live, last = key.is_live(now), "" if key.expires_at is None else last_day(key.expires_at)
    return KeyRow(
        id=key.id,
        name=key.name,
        prefix=key.prefix,
        created=language.moment(key.created_at),
        used=None if key.last_used_at is None else language.moment(key.last_used_at),
        state="ended" if not live else "live" if key.revoked_at is None else "ending",
        ends=None if key.ends_at is None else language.moment(key.ends_at),
        usage=await services.usage(key) if live else None,
        terms=key.terms,
        last_day=last,
        last_day_shown=last and language.day(date.fromisoformat(last)),
        maker=key.owner,
    )
