"""What every portal page does first: who visits, whether they may, and the page if they may not."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.rate_limits import RateScope, in_words
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.referer import referer_of
from rhumbline.api.pages.language import Language, language_of
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.access import Form, Gate, Refused, Visitor, page_of_portal, read_form
from rhumbline.api.portal.services import PortalServices
from rhumbline.domain.account import ApiClient, Integrator, Role
from rhumbline.domain.errors import InvalidRequest, NotFound, StoreUnavailable
from rhumbline.domain.sentence import Sentence, joined

HOME = "/portal"
_INTEGRATOR = HOME + "/i/{name}"
Endpoint = Callable[[Request], Awaitable[Response]]
Reading = Callable[[Request, Visitor, Integrator], Awaitable[Response]]
Acting = Callable[[Request, Visitor, Form], Awaitable[Response]]
Changing = Callable[[Request, Visitor, Integrator, Form], Awaitable[Response]]
NOT_OF_THE_LIST = Sentence("before: is none of this list: begin with the newest")
_RETRY_S = 5
ROLE_NAMES = MappingProxyType(
    {Role.OWNER: Sentence("owner"), Role.DEVELOPER: Sentence("developer"), Role.VIEWER: Sentence("viewer")}
)
A_ROLE = MappingProxyType(
    {Role.OWNER: Sentence("an owner"), Role.DEVELOPER: Sentence("a developer"), Role.VIEWER: Sentence("a viewer")}
)
_ROLES_THAT = MappingProxyType(
    {
        Role.OWNER: Sentence("an owner"),
        Role.DEVELOPER: Sentence("a developer or an owner"),
        Role.VIEWER: Sentence("a member"),
    }
)


class PortalViews:
    """Makes routes of handlers. Expected failures become pages; the service handles unexpected ones."""

    def __init__(self, services: PortalServices, pages: Pages) -> None:
        self.services = services
        self.gate = Gate(services.base_url, services.sessions)
        self._pages = pages

    def anybody(self, path: str, handler: Endpoint, methods: Sequence[str] | None = None) -> Route:
        return Route(path, self._answered(handler), methods=methods)

    def _answered(self, handler: Endpoint) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            try:
                return await handler(request)
            except (Refused, InvalidRequest, NotFound, StoreUnavailable) as failure:
                return self._failed(request, as_refusal(failure))

        return endpoint

    def script(self, path: str, handler: Endpoint) -> Route:
        """Answer a script of our own pages, failures too, in JSON."""

        async def endpoint(request: Request) -> Response:
            try:
                self.gate.check_origin(request)
                await self.count(request)
                return await handler(request)
            except (Refused, InvalidRequest, NotFound, StoreUnavailable) as failure:
                refusal = as_refusal(failure)
                told = language_of(request).translated(refusal.text)
                return JSONResponse({"error": str(told)}, refusal.status, {**NO_STORE, **retry_headers(refusal)})

        return Route(path, endpoint, methods=["POST"])

    def reading(self, path: str, handler: Reading, needs: Role = Role.VIEWER) -> Route:
        """Show a page of an integrator, ``path`` below its first, to its members; send others to the sign-in first.

        ``needs`` is the least role that may see it.
        """

        async def endpoint(request: Request) -> Response:
            visitor = await self.gate.visitor(request)
            if visitor is None:
                return self.to_sign_in(request)
            return await handler(request, *await self._membership(request, visitor, needs))

        return Route(_INTEGRATOR + path, self._answered(endpoint))

    def to_sign_in(self, request: Request) -> Response:
        """Lead to the sign-in, and from there back to this page."""
        query = request.url.query
        return RedirectResponse(sign_in_then(request.url.path + (f"?{query}" if query else "")), 303)

    def acting(self, path: str, handler: Acting, *, ended: str | None = None) -> Route:
        """Act on a form that a signed-in wallet sent from a page of ours, and on no other.

        Where the session is over already, ``ended`` is the page to go to; without it the visitor is told to sign in.
        """

        async def endpoint(request: Request) -> Response:
            self.gate.check_origin(request)
            await self.count(request)
            visitor = await self.gate.visitor(request)
            if visitor is None and ended is not None:
                return RedirectResponse(ended, 303)
            if visitor is None:
                return self._signed_out(request)
            form = await read_form(request)
            self.gate.check_form(visitor, form)
            return await handler(request, visitor, form)

        return Route(path, self._answered(endpoint), methods=["POST"])

    def changing(self, path: str, handler: Changing, needs: Role) -> Route:
        """Act, as ``acting`` does, on a form of one of an integrator's pages, for members whose role is ``needs``."""

        async def act(request: Request, visitor: Visitor, form: Form) -> Response:
            return await handler(request, *await self._membership(request, visitor, needs), form)

        return self.acting(_INTEGRATOR + path, act)

    async def _membership(self, request: Request, visitor: Visitor, needs: Role) -> tuple[Visitor, Integrator]:
        """Return the visitor in its role, and the integrator that the path names.

        Raise NotFound unless that exists and the visitor is a member, Refused if its role is too small.
        """
        found = await self.services.members.find(visitor.address, str(request.path_params["name"]))
        if found is None:
            raise NotFound(Sentence("You have no integrator of that name: see the list of yours"))
        integrator, role = found
        if not role.includes(needs):
            told = Sentence(
                "You are %(role)s of %(integrator)s; this needs %(needed)s: ask an owner",
                role=A_ROLE[role],
                integrator=integrator.name,
                needed=_ROLES_THAT[needs],
            )
            raise Refused(403, Sentence("Not in your role"), told)
        return replace(visitor, role=role), integrator

    def page(
        self,
        template: str,
        visitor: Visitor | None,
        status: int = 200,
        *,
        language: Language | None = None,
        **values: object,
    ) -> Response:
        """Render a page in the visitor's language, or in the one that is given where nobody is signed in."""
        spoken = language if visitor is None else visitor.language
        return self._pages.page(template, {**values, "visitor": visitor}, status, language=spoken)

    def _signed_out(self, request: Request) -> Response:
        """Say that nothing was done, with a link to the page of the form, which the browser names."""
        before = referer_of(request)
        then = sign_in_then(before.path) if before.netloc == self.gate.domain else HOME
        text = Sentence("Your session has ended, and nothing was changed: sign in again, then repeat what you did")
        return self._refused(request, 403, Sentence("Signed out"), text, (then, Sentence("Sign in again")))

    def _failed(self, request: Request, refusal: Refused) -> Response:
        way = (HOME, Sentence("To the portal"))
        response = self._refused(request, refusal.status, refusal.title, refusal.text, way)
        response.headers.update(retry_headers(refusal))
        return response

    def _refused(self, request: Request, status: int, title: str, text: str, way: tuple[str, str]) -> Response:
        language = language_of(request)
        return self.page("refused.html", None, status, language=language, title=title, text=text, way=way)

    async def count(self, request: Request, scope: RateScope = RateScope.PORTAL) -> None:
        """Count what may write to the store, by the address it comes from; wallets cost nothing. Raise Refused."""
        host = request.client.host if request.client else None
        verdict = await self.services.limiter.take(ApiClient(), host, scope)
        if not verdict.allowed:
            told = Sentence(
                "More than %(limit)s came from your address: try again later", limit=in_words(verdict.limit)
            )
            raise Refused(429, Sentence("Too much at once"), told, verdict.retry_after_s)


def sign_in_then(address: str) -> str:
    """Return the address of the sign-in that leads to a page of the portal; of the plain one for any other page."""
    page = page_of_portal(address)
    return HOME if page is None else f"{HOME}?{urlencode({'then': page})}"


def as_refusal(failure: Refused | InvalidRequest | NotFound | StoreUnavailable) -> Refused:
    if isinstance(failure, Refused):
        return failure
    if isinstance(failure, InvalidRequest):
        return Refused(400, Sentence("Not possible"), joined(failure.faults))
    if isinstance(failure, NotFound):
        return Refused(404, Sentence("Not found"), failure.message)
    return Refused(503, Sentence("Not now"), failure.message, _RETRY_S)


def retry_headers(refusal: Refused) -> Mapping[str, str]:
    return {} if refusal.retry_after_s is None else {"retry-after": str(refusal.retry_after_s)}
