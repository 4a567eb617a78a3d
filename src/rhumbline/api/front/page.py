"""``/``: what this service is, and a quote form on the public tier. Its script asks ``/v1`` like anybody."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.front.pages import Pages


def front_routes(pages: Pages) -> APIRouter:
    """Return the front page's route."""
    router = APIRouter()

    async def get_front(request: Request) -> Response:
        return pages.page("front.html", {}, cache="no-cache")

    router.add_api_route("/", get_front, include_in_schema=False)
    return router
