"""``/language``: what a visitor chooses below a page, kept in a cookie of this site. It works without a script."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Route

from rhumbline.api.http.referer import referer_of
from rhumbline.api.pages.language import AUTOMATIC, COOKIE, LANGUAGES
from rhumbline.api.portal.access import read_form
from rhumbline.api.portal.views import PortalViews

_YEAR_S = 365 * 86_400


def language_route(views: PortalViews, pages: Sequence[Route]) -> Route:
    """Return its route; ``pages`` are those that may be shown again afterwards."""
    base = urlsplit(views.services.base_url)

    # Without a token: whoever sends it changes nothing but what the same browser is shown.
    async def post_language(request: Request) -> Response:
        chosen = (await read_form(request)).get("language", "")
        response = RedirectResponse(page_before(request), 303)
        if chosen in LANGUAGES or chosen == AUTOMATIC:
            response.set_cookie(
                COOKIE, chosen, max_age=_YEAR_S, path="/", samesite="lax", secure=base.scheme == "https"
            )
        return response

    def page_before(request: Request) -> str:
        """Return the page that the form stood on; where it was the answer to another form, the page above that."""
        before = referer_of(request)
        if before.netloc != base.netloc:
            return "/"
        path, query = before.path, f"?{before.query}" if before.query else ""
        while path and not _shows(pages, path):
            path, query = path.rpartition("/")[0], ""
        return f"{path or '/'}{query}"

    return views.anybody("/language", post_language, methods=["POST"])


def _shows(pages: Sequence[Route], path: str) -> bool:
    scope = {"type": "http", "method": "GET", "path": path, "root_path": ""}
    return any(route.matches(scope)[0] is Match.FULL for route in pages)
