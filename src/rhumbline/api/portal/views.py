"""What every page of the portal goes through: who visits, whether they may, and what they read when they may not."""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.rate_limits import RateScope, in_words
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.access import Form, Gate, Refused, Visitor, page_of_portal, read_form
from rhumbline.api.portal.services import PortalServices
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.domain.errors import InvalidRequest, NotFound, StoreUnavailable

HOME = "/portal"
_INTEGRATOR = HOME + "/i/{name}"
Endpoint = Callable[[Request], Awaitable[Response]]
Reading = Callable[[Request, Visitor, Integrator], Awaitable[Response]]
Acting = Callable[[Request, Visitor, Form], Awaitable[Response]]
Changing = Callable[[Request, Visitor, Integrator, Form], Awaitable[Response]]
_RETRY_S = 5


class PortalViews:
    """Makes routes of handlers. Expected failures become pages; unexpected ones are left to the service."""

    def __init__(self, services: PortalServices, pages: Pages) -> None:
        self.services = services
        self.gate = Gate(services.base_url, services.sessions)
        self._pages = pages

    def anybody(self, path: str, handler: Endpoint) -> Route:
        return Route(path, self._answered(handler))

    def _answered(self, handler: Endpoint) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            try:
                return await handler(request)
            except (Refused, InvalidRequest, NotFound, StoreUnavailable) as failure:
                return self._failed(as_refusal(failure))

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
                return JSONResponse({"error": refusal.text}, refusal.status, {**NO_STORE, **_wait(refusal)})

        return Route(path, endpoint, methods=["POST"])

    def reading(self, path: str, handler: Reading) -> Route:
        """Show a page of an integrator, ``path`` below its first, to its owner; send others to the sign-in first."""

        async def endpoint(request: Request) -> Response:
            visitor = await self.gate.visitor(request)
            if visitor is None:
                query = request.url.query
                return RedirectResponse(sign_in_then(request.url.path + (f"?{query}" if query else "")), 303)
            return await handler(request, visitor, await self._integrator(request, visitor))

        return Route(_INTEGRATOR + path, self._answered(endpoint))

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

    def changing(self, path: str, handler: Changing) -> Route:
        """Act, as ``acting`` does, on a form of one of an integrator's pages, for its owner."""

        async def act(request: Request, visitor: Visitor, form: Form) -> Response:
            return await handler(request, visitor, await self._integrator(request, visitor), form)

        return self.acting(_INTEGRATOR + path, act)

    async def _integrator(self, request: Request, visitor: Visitor) -> Integrator:
        """Return the integrator that the path names; raise NotFound unless it exists and is the visitor's."""
        found = await self.services.owners.find(visitor.address, str(request.path_params["name"]))
        if found is None:
            raise NotFound("You have no integrator of that name: see the list of yours")
        return found

    def page(self, template: str, visitor: Visitor | None, status: int = 200, **values: object) -> Response:
        return self._pages.page(template, {**values, "visitor": visitor}, status)

    def _signed_out(self, request: Request) -> Response:
        """Say that nothing was done, and lead back to the page that the form is on, as the browser names it."""
        before = urlsplit(request.headers.get("referer", ""))
        then = sign_in_then(before.path) if before.netloc == self.gate.domain else HOME
        text = "Your session has ended, and nothing was changed: sign in again, then repeat what you did"
        return self.page("refused.html", None, 403, title="Signed out", text=text, way=(then, "Sign in again"))

    def _failed(self, refusal: Refused) -> Response:
        way = (HOME, "To the portal")
        response = self.page("refused.html", None, refusal.status, title=refusal.title, text=refusal.text, way=way)
        response.headers.update(_wait(refusal))
        return response

    async def count(self, request: Request, scope: RateScope = RateScope.PORTAL) -> None:
        """Count what may write to the store, by the address it comes from; wallets cost nothing. Raise Refused."""
        host = request.client.host if request.client else None
        verdict = await self.services.limiter.take(ApiClient(), host, scope)
        if not verdict.allowed:
            told = f"More than {in_words(verdict.limit)} came from your address: try again later"
            raise Refused(429, "Too much at once", told, verdict.retry_after_s)


def sign_in_then(address: str) -> str:
    """Return the address of the sign-in that leads to a page of the portal; of the plain one for any other page."""
    page = page_of_portal(address)
    return HOME if page is None else f"{HOME}?{urlencode({'then': page})}"


def as_refusal(failure: Refused | InvalidRequest | NotFound | StoreUnavailable) -> Refused:
    if isinstance(failure, Refused):
        return failure
    if isinstance(failure, InvalidRequest):
        return Refused(400, "Not possible", "; ".join(failure.faults))
    if isinstance(failure, NotFound):
        return Refused(404, "Not found", failure.message)
    return Refused(503, "Not now", failure.message, _RETRY_S)


def _wait(refusal: Refused) -> Mapping[str, str]:
    return {} if refusal.retry_after_s is None else {"retry-after": str(refusal.retry_after_s)}
