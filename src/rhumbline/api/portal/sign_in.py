"""``/portal``: signing in and out, and a wallet's integrators."""

import re

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.members import MOST_INTEGRATORS
from rhumbline.accounts.rate_limits import RateScope
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.pages.language import language_of
from rhumbline.api.portal.access import Form, Refused, Visitor, page_of_portal, read_json
from rhumbline.api.portal.challenges import Purpose, Signing
from rhumbline.api.portal.views import A_ROLE, HOME, PortalViews
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.sentence import Sentence
from rhumbline.gateways.chain_types.addresses import read_address

_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,14}\Z", re.ASCII)


def sign_in_routes(views: PortalViews, signing: Signing) -> list[Route]:
    """Return the routes of the sign-in and the home page."""
    services, gate = views.services, views.gate

    def purpose(browser: str) -> Purpose:
        return Purpose(
            "sign-in", browser, f"Sign in to the {services.brand} portal. This is no transaction and costs nothing."
        )

    async def get_home(request: Request) -> Response:
        visitor = await gate.visitor(request)
        then = page_of_portal(request.query_params.get("then", ""))
        if visitor is None:
            return views.page("sign_in.html", None, language=language_of(request), then=then)
        return await home(visitor) if then is None else RedirectResponse(then, 303)

    async def home(visitor: Visitor, status: int = 200, name: str = "", faults: tuple[str, ...] = ()) -> Response:
        memberships = await services.members.memberships_of(visitor.address)
        return views.page(
            "home.html",
            visitor,
            status,
            a_role=A_ROLE,
            memberships=memberships,
            most=MOST_INTEGRATORS,
            entered=name,
            faults=faults,
        )

    async def post_challenge(request: Request) -> Response:
        asked = await read_json(request)
        address, chain = asked.get("address", ""), asked.get("chainId", "")
        wallet, sound = read_address(ChainType.EVM, address)
        if wallet is None or not sound:
            raise Refused(400, Sentence("No wallet"), Sentence("address: must be the wallet's EVM address"))
        response = JSONResponse(None, headers=NO_STORE)
        browser = gate.browser(request) or gate.name_browser(response)
        chain_id = int(chain, 16) if _QUANTITY.match(chain) else None
        message = await signing.challenge(purpose(browser), wallet, chain_id)
        response.body = response.render({"message": message})
        response.headers["content-length"] = str(len(response.body))
        return response

    async def post_sign_in(request: Request) -> Response:
        given = await read_json(request)
        browser = gate.browser(request)
        if browser is None:
            told = Sentence("The sign-in was not begun in this browser: allow cookies, retry")
            raise Refused(403, Sentence("Sign-in not begun"), told)
        address = await signing.verified(purpose(browser), given.get("message", ""), given.get("signature", ""))
        # A session that the browser brings along ends here; none is ever taken over.
        before = await gate.visitor(request)
        if before is not None:
            await services.sessions.end(before.token)
        response = JSONResponse({"next": HOME}, headers=NO_STORE)
        gate.sign_in(response, await services.sessions.begin(address))
        return response

    async def post_sign_out(request: Request, visitor: Visitor, form: Form) -> Response:
        if form.get("everywhere"):
            await services.sessions.end_all(visitor.address)
        else:
            await services.sessions.end(visitor.token)
        response = RedirectResponse(HOME, 303)
        gate.sign_out(response)
        return response

    async def post_integrator(request: Request, visitor: Visitor, form: Form) -> Response:
        name = form.get("name", "")
        await views.count(request, RateScope.REGISTRATIONS)
        try:
            made = await services.members.register(visitor.address, name)
        except InvalidRequest as error:
            # Sent twice, it is the visitor's already.
            if await services.members.find(visitor.address, name) is None:
                return await home(visitor, 400, name[:64], error.faults)
            return RedirectResponse(f"{HOME}/i/{name}", 303)
        return RedirectResponse(f"{HOME}/i/{made.name}", 303)

    return [
        views.anybody(HOME, get_home),
        views.script(HOME + "/challenge", post_challenge),
        views.script(HOME + "/sign-in", post_sign_in),
        views.acting(HOME + "/sign-out", post_sign_out, ended=HOME),
        views.acting(HOME + "/integrators", post_integrator),
    ]
