"""``/docs/playground``: the element's attributes in a form, the element as it will be, and the lines to copy."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.pages.embed_form import read_wanted
from rhumbline.api.pages.pages import Pages
from rhumbline.api.pages.playground import PLAYGROUND, Playground
from rhumbline.api.reference.routes import guide_values


def playground_page(pages: Pages, playground: Playground) -> Route:
    async def get_page(request: Request) -> Response:
        wanted = read_wanted(request.query_params, playground.offered)
        values = {**guide_values(PLAYGROUND), **playground.values(wanted), "integrator": None}
        status = 400 if wanted.faults else 200
        return pages.page("playground.html", values, status, cache="no-cache", reaches=playground.nodes)

    return Route(PLAYGROUND, get_page)
